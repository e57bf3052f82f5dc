"""Recommendations over an index and a live catalog in memory: hard constraints, exclusions, reasons, and why not."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.application.candidates import CandidateFinder
from shopping_agent.application.chunking import product_terms
from shopping_agent.application.query_vectors import QueryVectorizer
from shopping_agent.application.recommendations import recommendations_view
from shopping_agent.application.recommending import Recommender
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import LANGUAGES
from shopping_agent.domain.profile import Profile
from shopping_agent.domain.sparse import document_vector
from shopping_agent.ports import Chunk, LiveCatalog, ProductIndex, ProductPage, ScoredChunk

NOW = 1_000.0
VOCABULARY = load_store_pack().vocabulary
EXPERT = load_expert("", VOCABULARY)


def product(key: str, price: int = 500, notes: Sequence[str] = (), **facts: Any) -> Product:
    known: dict[str, Any] = {"stock": 9, "gender": "unisex", **facts}
    return Product(
        id=key,
        name=known.pop("name", f"No {key}"),
        price=PriceTag(price * 100, known.pop("currency", "MAD")),
        notes=Notes(base=tuple(notes)),
        **known,
    )


OFFICE = {"sillage": "moderate", "longevity": "moderate", "occasions": ("work",)}
CATALOG = [
    product("linen", 450, ("white musk", "cotton"), families=("fresh",), accords=("clean",), **OFFICE),
    product("grove", 650, ("lemon", "bergamot"), families=("citrus",), **OFFICE),
    product("grove-30", 300, ("lemon", "bergamot"), families=("citrus",), variant_of="groves", **OFFICE),
    product("grove-50", 400, ("lemon", "bergamot"), families=("citrus",), variant_of="groves", **OFFICE),
    product("cedars", 690, ("cedar", "vetiver"), families=("woody", "aromatic"), **OFFICE),
    product("royal-oud", 600, ("oud", "amber"), families=("oud",), sillage="heavy", longevity="very long"),
    product("ambers", 500, ("amber", "labdanum"), families=("amber",), sillage="heavy"),
    product("dear", 900, ("lemon",), families=("citrus",), accords=("clean",), **OFFICE),
    product("gone", 400, ("lemon",), families=("citrus",), accords=("clean",), **{**OFFICE, "stock": 0}),
    product("euro", 40, ("lemon",), families=("citrus",), currency="EUR", **OFFICE),
    product("candle", 200, ("lemon",), families=("citrus",), name="Bougie Citron", **OFFICE),
    product("his", 500, ("lemon", "mint"), families=("aromatic",), gender="men", **OFFICE),
]  # fmt: skip


class Index:
    """`ProductIndex`: pages of at most `most`, hits by shared words."""

    def __init__(self, products, most=1000):
        self.kept, self.most, self.searched = list(products), most, 0

    def browse(self, where, *, limit, cursor, deadline):
        passing = [p for p in self.kept if self._passes(p, where)]
        cut = passing[: min(limit, self.most)]
        return ProductPage(tuple(cut), None if len(cut) == len(passing) else "more")

    def search(self, *, dense, sparse, where, limit, deadline):
        self.searched += 1
        hits = []
        for one in self.kept:
            terms = product_terms(one, VOCABULARY)
            chunk = Chunk(
                id=one.id,
                kind="notes",
                text=one.name,
                language="en",
                source="c",
                product=one,
                terms=terms,
            )
            there = document_vector(one.name, terms)
            score = sum(weight * there.get(term, 0.0) for term, weight in sparse.items())
            if score > 0 and self._passes(one, where) and not {*terms} & {*where.exclude_terms}:
                hits.append(ScoredChunk(chunk, score))
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def _passes(self, one, where):
        return where.max_price is None or one.price.regular <= where.max_price


class Live:
    """`LiveCatalog` in a dictionary."""

    def __init__(self, products):
        self.facts = {p.id: p.live_facts() for p in products}

    def get(self, ids, deadline):
        return {i: self.facts[i] for i in ids if i in self.facts}


def recommender(
    products: Sequence[Product] = CATALOG, index: Any = None, live: Any = None, expert=EXPERT
) -> Recommender:
    finder = CandidateFinder(
        index=cast(ProductIndex, index or Index(products)),
        live=cast(LiveCatalog, live or Live(products)),
        vectorizer=QueryVectorizer(embedder=None, vocabulary=VOCABULARY),
        vocabulary=VOCABULARY,
        currency="MAD",
    )
    return Recommender(finder=finder, expert=lambda: expert, vocabulary=VOCABULARY, currency="MAD")


def recommend(profile, constraints=None, *, of=None, **asked):
    return (of or recommender()).recommend(
        EXPERT.schema.parse(profile),
        constraints or Constraints(),
        deadline=Deadline.after(5),
        now=NOW,
        **asked,
    )


def ids(found):
    return [one.product.id for one in found.products]


MARRAKECH = {"climate": "hot", "sensitivities": "migraine", "occasion": "office"}


def test_the_office_in_the_heat_with_a_migraine_below_700():
    found = recommend(MARRAKECH, Constraints(max_price=70_000), limit=10)
    assert {"royal-oud", "ambers", "dear", "gone", "euro", "candle"}.isdisjoint(ids(found))
    assert {"linen", "grove", "cedars"} <= set(ids(found))
    assert {one.product.id for one in found.excluded} == {"royal-oud", "ambers"}
    assert {rule.name for one in found.excluded for rule, _ in one.rules} == {"migraine"}


def test_one_size_of_each_product_is_shown():
    assert len({"grove-30", "grove-50"} & set(ids(recommend(MARRAKECH, limit=20)))) == 1


def test_points_of_the_reasons_are_the_whole_score():
    for one in recommend(MARRAKECH, Constraints(season="summer"), text="citrus").products:
        assert round(sum(10 * reason.points for reason in one.reasons)) == round(10 * one.score)
        assert {"wish", "relevance", "prefer"} <= {reason.effect for reason in one.reasons}


def test_live_price_and_stock_decide():
    live = Live(CATALOG)
    live.facts["linen"] = replace(live.facts["linen"], stock=0)
    live.facts["grove"] = replace(live.facts["grove"], price=PriceTag(80_000, "MAD"))
    found = recommend(MARRAKECH, Constraints(max_price=70_000), of=recommender(live=live), limit=20)
    assert {"linen", "grove"}.isdisjoint(ids(found))
    del live.facts["cedars"]
    assert "cedars" not in ids(recommend(MARRAKECH, of=recommender(live=live), limit=20))


def test_the_profiles_gender_holds_as_a_stated_one_would():
    assert "his" in ids(recommend({"gender": "men"}, limit=20))
    assert "his" not in ids(recommend({"gender": "women"}, limit=20))


def test_what_constraints_say_of_the_shopper_is_part_of_the_profile():
    found = recommend(
        {"climate": "hot"}, Constraints(season="autumn", occasion="work", gender="men")
    )
    assert found.profile.view() == {
        "occasion": ["work"],
        "climate": ["hot"],
        "season": ["autumn"],
        "gender": ["men"],
    }
    assert {"autumn", "office", "hot climate", "for a man"} <= {r.name for r in found.advice.fired}


def test_a_budget_is_a_condition_of_rules_in_the_stores_currency_only():
    names = [
        {
            rule.name
            for rule in recommend({}, Constraints(max_price=25_000, currency=c)).advice.fired
        }
        for c in (None, "MAD", "EUR")
    ]
    assert [("small budget" in fired) for fired in names] == [True, True, False]


def test_words_to_search_by_make_relevance_a_part_of_the_score():
    without, searched = recommend({"climate": "hot"}), recommend({"climate": "hot"}, text="cedar")
    assert not any(r.effect == "relevance" for p in without.products for r in p.reasons)
    relevance = {
        p.product.id: r.points
        for p in searched.products
        for r in p.reasons
        if r.effect == "relevance"
    }
    assert relevance["cedars"] > 0


def test_a_catalog_too_large_to_list_is_searched_by_what_the_rules_prefer():
    """The one that suits stands behind the page that is listed."""
    many = [product(f"a{i:03}", 500, ("oud",), families=("oud",)) for i in range(30)]
    suits = product("z", 500, ("sea salt",), families=("aquatic", "citrus"))
    index = Index([*many, suits], most=20)
    found = recommend({"climate": "hot"}, of=recommender([*many, suits], index=index))
    assert ids(found)[0] == "z"
    assert index.searched


def test_what_rules_exclude_takes_no_place_in_the_search_of_a_large_catalog():
    many = [product(f"a{i:03}", 500, ("oud", "incense"), families=("oud",)) for i in range(300)]
    resin = product("z", 500, ("labdanum",), families=("woody",))
    index = Index([*many, resin], most=20)
    profile = {"persona": "mysterious", "sensitivities": "migraine"}
    assert ids(recommend(profile, of=recommender([*many, resin], index=index))) == ["z"]


def test_nothing_within_the_constraints_says_which_stand_in_the_way():
    gone = [replace(p, stock=0) for p in CATALOG]
    found = recommend({"climate": "hot"}, Constraints(gender="women"), of=recommender(gone))
    assert ids(found) == []
    assert found.best is None
    assert "inStock" in found.blocked


def test_without_a_profile_there_are_recommendations_nevertheless():
    found = recommend({}, limit=3)
    assert len(found.products) == 3
    assert found.profile == Profile()


@pytest.mark.parametrize(
    ("asked", "excluded", "broken"),
    [
        ("royal-oud", ("migraine",), ()),
        ("dear", (), ("price",)),
        ("gone", (), ("inStock",)),
        ("linen", (), ()),
    ],
)
def test_why_not_names_the_rule_or_the_constraint(asked, excluded, broken):
    one = next(p for p in CATALOG if p.id == asked)
    why = recommender().why_not(
        one, EXPERT.schema.parse(MARRAKECH), Constraints(max_price=70_000), now=NOW
    )
    assert tuple(rule.name for rule, _ in why.excluded) == excluded
    assert why.broken == broken
    assert round(sum(10 * reason.points for reason in why.reasons)) == round(10 * why.score)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_view_is_json_with_reasons_in_the_shoppers_language(language):
    found = recommend({**MARRAKECH, "persona": "mysterious"}, Constraints(max_price=70_000))
    view = json.loads(json.dumps(recommendations_view(found, EXPERT, language, NOW)))
    best = view["products"][0]
    rules = {rule.name: rule.reason[language] for rule in EXPERT.rules}
    assert all(reason["text"] == rules[reason["name"]] for reason in best["reasons"])
    assert sum(round(10 * r["points"]) for r in best["reasons"]) == round(10 * best["score"])
    assert view["excluded"][0]["rules"][0]["text"] == rules["migraine"]
    assert [(d["rule"], d["to"]) for d in view["overruled"]] == [("mysterious style", ["migraine"])]
    assert view["profileLabels"] == EXPERT.schema.labels(found.profile, language)


def test_rules_may_change_between_two_requests():
    current = [EXPERT]
    one = recommender(expert=EXPERT)
    one._expert = lambda: current[0]
    before = recommend({"climate": "hot"}, of=one)
    current[0] = type(EXPERT)(EXPERT.schema, EXPERT.glossary, ())
    after = recommend({"climate": "hot"}, of=one)
    assert before.advice.fired
    assert after.advice.fired == ()
