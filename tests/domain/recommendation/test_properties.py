"""What holds for every profile and every catalog."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.profile import Profile
from shopping_agent.domain.recommendation_order import select
from shopping_agent.domain.recommendation_score import Option, Scoring

EXPERT = load_expert("", load_store_pack().vocabulary)
NOTES = (
    *("rose", "vanilla", "oud", "bergamot", "lemon", "cedar", "white musk", "amber", "incense"),
    *("cinnamon", "leather", "iris", "sea salt", "caramel", "lavender", "benzoin", "unheard of"),
)
FAMILIES = ("citrus", "floral", "woody", "amber", "gourmand", "fresh", "leather", "musk", "chypre")
ACCORDS = ("clean", "sweet", "smoky", "animalic", "white floral", "warm", "marine", "powdery")

profiles = st.fixed_dictionaries(
    {},
    optional={
        key: st.lists(st.sampled_from(spec.values), min_size=1, max_size=3 if spec.many else 1)
        for key, spec in EXPERT.schema.keys.items()
    },
).map(EXPERT.schema.of)
products = st.builds(
    Product,
    id=st.text("abcdefgh", min_size=1, max_size=4),
    name=st.just("No 5"),
    price=st.builds(PriceTag, st.integers(100, 999).map(lambda p: p * 100), st.just("MAD")),
    stock=st.sampled_from([None, 0, 1, 2, 50]),
    families=st.lists(st.sampled_from(FAMILIES), max_size=3, unique=True).map(tuple),
    notes=st.builds(
        Notes, base=st.lists(st.sampled_from(NOTES), max_size=6, unique=True).map(tuple)
    ),
    accords=st.lists(st.sampled_from(ACCORDS), max_size=3, unique=True).map(tuple),
    sillage=st.sampled_from([None, "intimate", "moderate", "heavy", "enormous"]),
    longevity=st.sampled_from([None, "moderate", "long", "very long"]),
    gender=st.sampled_from([None, "women", "men", "unisex"]),
    variant_of=st.sampled_from([None, "one", "two"]),
)
catalogs = st.lists(products, max_size=12, unique_by=lambda p: p.id)
budgets = st.sampled_from([None, 200.0, 500.0, 2000.0])
relevances = st.floats(0, 1)


def chosen(catalog, profile, budget=None, *, relevance=None, limit=20):
    scoring = Scoring(EXPERT.advise(profile, budget), searched=relevance is not None)
    options = [
        Option(p, EXPERT.glossary.traits(p), (relevance or {}).get(p.id, 0.0)) for p in catalog
    ]
    return scoring, select(options, scoring, limit=limit, currency="MAD", now=0)


@given(catalogs, profiles, budgets)
@settings(max_examples=150, deadline=None)
def test_what_a_rule_excludes_never_appears(catalog, profile, budget):
    scoring, selection = chosen(catalog, profile, budget)
    banned = {t for r in EXPERT.rules if r.fires(profile, budget) for t in r.exclude}
    for one in selection.shown:
        met = EXPERT.glossary.named(one.option.traits.bits)
        assert banned.isdisjoint(met)
    for one in selection.excluded:
        assert scoring.advice.excluded_by(one.option.traits)


@given(catalogs, profiles, budgets, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_order_never_depends_on_the_order_of_the_candidates(catalog, profile, budget, chance):
    shuffled = list(catalog)
    chance.shuffle(shuffled)
    assert chosen(catalog, profile, budget)[1] == chosen(shuffled, profile, budget)[1]


@given(products, profiles, budgets, relevances, st.lists(st.floats(0, 1), max_size=3))
@settings(max_examples=200, deadline=None)
def test_the_account_is_the_whole_score(product, profile, budget, relevance, shares):
    scoring = Scoring(EXPERT.advise(profile, budget), searched=True)
    wishes = tuple((f"wish {i}", 10.0 + i, share) for i, share in enumerate(shares))
    option = Option(product, EXPERT.glossary.traits(product), relevance, wishes)
    score, reasons = scoring.score(option), scoring.explain(option)
    assert 0 <= score <= 100
    assert sum(round(10 * reason.points) for reason in reasons) == round(10 * score)
    assert sum(round(10 * reason.possible) for reason in reasons) == 1000
    assert all(0 <= reason.points <= reason.possible for reason in reasons)


@given(catalogs, profiles, st.sampled_from(EXPERT.rules))
@settings(max_examples=300, deadline=None)
def test_a_further_matching_preference_never_lowers_a_product_among_its_equals(
    catalog, profile, rule
):
    """Its equals: products of the same standing under the profile. The preference: a rule that only prefers."""
    if rule.avoid or rule.exclude or rule.within or len(rule.when) != 1 or not rule.when[0].values:
        return
    key = rule.when[0].key
    if profile.get(key):
        return
    said = Profile(((key, (min(rule.when[0].values),)),))
    more = EXPERT.schema.merge(profile, said)
    if len(EXPERT.advise(more).fired) != len(EXPERT.advise(profile).fired) + 1:
        return  # another rule speaks too
    catalog = [p for p in catalog if p.stock is None or p.stock > 3]
    before, after = chosen(catalog, profile)[0], chosen(catalog, more)[0]
    options = [Option(p, EXPERT.glossary.traits(p)) for p in catalog]
    preferred = {t for t, _ in rule.prefer}
    for one in options:
        if not preferred & set(EXPERT.glossary.named(one.traits.bits)):
            continue
        for other in options:
            matches = preferred & set(EXPERT.glossary.named(other.traits.bits))
            if before.score(one) == before.score(other) and not matches:
                assert after.score(one) >= after.score(other)


@given(products, profiles, st.sampled_from(NOTES))
@settings(max_examples=150, deadline=None)
def test_a_product_scores_the_same_whoever_stands_beside_it(product, profile, note):
    other = Product(id="zzzzz", name="Other", price=product.price, notes=Notes(base=(note,)))
    alone, beside = chosen([product], profile)[1], chosen([product, other], profile)[1]
    scores = {one.product.id: one.score for one in (*beside.shown, *beside.excluded)}
    for one in (*alone.shown, *alone.excluded):
        assert scores[one.product.id] == one.score


@given(profiles, profiles)
def test_what_was_known_and_what_is_said_make_one_profile(known, said):
    merged = EXPERT.schema.merge(known, said)
    for key, spec in EXPERT.schema.keys.items():
        now, before = said.get(key), known.get(key)
        if spec.adds:
            assert set(merged.get(key)) == {*before, *now}
        else:
            assert merged.get(key) == (now or before)
    assert EXPERT.schema.parse(merged.view()) == merged


@pytest.mark.parametrize("seed", range(3))
def test_relevance_decides_among_products_that_the_rules_see_alike(seed):
    chance = random.Random(seed)
    catalog = [
        Product(id=str(i), name=f"No {i}", price=PriceTag(10000, "MAD"), stock=9) for i in range(9)
    ]
    relevance = {p.id: chance.random() for p in catalog}
    shown = chosen(catalog, EXPERT.schema.parse({"season": "fall"}), relevance=relevance)[1].shown
    assert shown[0].product.id == max(relevance, key=relevance.__getitem__)
