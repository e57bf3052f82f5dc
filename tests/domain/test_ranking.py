from dataclasses import replace

import pytest
from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.domain.constraints import Constraints, violations
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.ranking import Candidate, families, rank, score

NOW = 1_000.0
COVERED = {"citrus": {"citrus", "lemon"}, "fresh": {"fresh", "citrus", "mint"}}


def covers(term: str) -> set[str]:
    return COVERED.get(term, {term})


def product(key: str = "a", price: int = 100, **fields) -> Product:
    return Product(id=key, name=key, price=PriceTag(price, "MAD"), **fields)


def candidate(key: str = "a", price: int = 100, *, terms=(), relevance=0.0, **fields) -> Candidate:
    known = {k: fields.pop(k) for k in ("named", "longevity", "sillage") if k in fields}
    return Candidate(
        product=product(key, price, **fields), terms=frozenset(terms), relevance=relevance, **known
    )


def order(*candidates: Candidate, wanted: Constraints | None = None) -> list[str]:
    ranked = rank(candidates, wanted or Constraints(), covers=covers, currency="MAD", now=NOW)
    return [r.product.id for r in ranked]


def test_what_meets_more_wishes_comes_first():
    wanted = Constraints(families=("fresh",), season="summer")
    both = candidate("both", terms=("fresh", "summer"), relevance=0.4)
    one = candidate("one", terms=("fresh",), relevance=1.0)
    assert order(one, both, wanted=wanted) == ["both", "one"]


def test_relevance_decides_among_equals():
    assert order(candidate("b", relevance=0.4), candidate("a", relevance=0.3)) == ["b", "a"]


def test_what_is_in_stock_comes_before_a_better_match_that_is_not():
    gone = candidate("gone", relevance=1.0, stock=0)
    there = candidate("there", relevance=0.1, stock=2)
    unknown = candidate("unknown", relevance=0.2, stock=None)
    assert order(gone, there, unknown) == ["unknown", "there", "gone"]


def test_ties_are_broken_by_stock_then_price_then_id():
    few = candidate("few", 50, stock=1)
    dear = candidate("dear", 90, stock=9)
    cheap_b = candidate("cheap-b", 60, stock=400)
    cheap_a = candidate("cheap-a", 60, stock=None)
    assert order(few, dear, cheap_b, cheap_a) == ["cheap-a", "cheap-b", "dear", "few"]


def test_the_order_never_depends_on_the_order_of_the_candidates():
    several = [candidate(str(i), 100 + i % 3, relevance=(i % 2) / 2, stock=i % 4) for i in range(9)]
    assert order(*several) == order(*reversed(several))


def test_the_cheapest_is_by_the_price_of_the_moment():
    sale = Candidate(
        product=replace(product("sale"), price=PriceTag(900, "MAD", sale=40, sale_until=2_000))
    )
    over = Candidate(
        product=replace(product("over"), price=PriceTag(800, "MAD", sale=10, sale_until=500))
    )
    wanted = Constraints(cheapest=True)
    plain = candidate("plain", 60, relevance=1.0)
    assert order(over, plain, sale, wanted=wanted) == ["sale", "plain", "over"]


def test_a_discount_neither_helps_nor_harms():
    sale = Candidate(product=replace(product("b"), price=PriceTag(900, "MAD", sale=100)))
    assert order(sale, candidate("a", 100)) == ["a", "b"]


def test_another_currency_comes_after_the_stores_own():
    foreign = Candidate(
        product=replace(product("foreign"), price=PriceTag(1, "EUR")), relevance=1.0
    )
    assert order(foreign, candidate("own", 900)) == ["own", "foreign"]
    assert order(foreign, candidate("own", 900), wanted=Constraints(cheapest=True))[0] == "own"


def test_a_covered_term_counts_half():
    wanted = Constraints(notes=("citrus",))
    values = [
        score(candidate(terms=terms), wanted, covers, by_name=False)
        for terms in (("citrus",), ("lemon",), ("rose",))
    ]
    assert values == [60.0, 30.0, 0.0]


def test_a_product_for_every_season_is_behind_one_for_the_season():
    wanted = Constraints(season="summer")
    every = ("summer", "winter", "spring", "autumn")
    all_year = candidate("all-year", terms=every, seasons=every)
    made_for = candidate("made-for", 200, terms=("summer",), seasons=("summer",))
    assert order(all_year, made_for, wanted=wanted) == ["made-for", "all-year"]


def test_longevity_is_at_least_what_is_wished():
    wanted = Constraints(longevity="long")
    met = {
        v: score(candidate(longevity=v), wanted, covers, by_name=False)
        for v in ("moderate", "long", "very long", None)
    }
    assert met["long"] == met["very long"] > met["moderate"] == met[None]


def test_a_neighbouring_sillage_counts_half():
    wanted = Constraints(sillage="heavy")
    values = [
        score(candidate(sillage=v), wanted, covers, by_name=False)
        for v in ("heavy", "enormous", "intimate")
    ]
    assert values[1] == pytest.approx(values[0] / 2, abs=0.1)
    assert values[2] == 0


def test_a_product_that_is_named_comes_first():
    named = candidate("named", named=1.0, relevance=0.5)
    assert order(candidate("other", relevance=1.0), named) == ["named", "other"]


def test_a_score_is_between_0_and_100():
    wanted = Constraints(
        notes=("rose",),
        families=("floral",),
        season="summer",
        occasion="gift",
        longevity="long",
        sillage="heavy",
        size_ml=50,
    )
    best = candidate(
        terms=("rose", "floral", "summer", "gift"),
        relevance=7.0,
        longevity="long",
        sillage="heavy",
        size_ml=50,
    )
    assert score(best, wanted, covers, by_name=False) == 100.0
    assert score(candidate(relevance=-1.0), wanted, covers, by_name=True) == 0.0


def test_sizes_of_one_product_are_one_family():
    small, large = (candidate(i, variant_of="rose") for i in ("small", "large"))
    other = candidate("other", 1)
    ranked = rank([large, small, other], Constraints(), covers=covers, currency="MAD", now=NOW)
    assert [[r.product.id for r in group] for group in families(ranked)] == [
        ["other"],
        ["large", "small"],
    ]


def test_constraints_are_those_of_the_message():
    query = ShopperQuery(
        text="add the best", language="en", action="add", max_price=800, families=("fresh",)
    )
    wanted = Constraints.of(query)
    assert (wanted.max_price, wanted.families, wanted.delegated) == (800, ("fresh",), True)
    assert not Constraints.of(replace(query, product_name="Dahab")).delegated
    assert wanted.bounded


@pytest.mark.parametrize(
    ("wanted", "broken"),
    [
        (Constraints(max_price=100), set()),
        (Constraints(max_price=99), {"price"}),
        (Constraints(min_price=101), {"price"}),
        (Constraints(gender="women"), {"gender"}),
        (Constraints(gender="men"), set()),
        (Constraints(notes=("citrus",)), set()),
        (Constraints(notes=("citrus", "rose")), {"notes"}),
        (Constraints(in_stock=True), {"inStock"}),
        (Constraints(in_stock=False), set()),
    ],
)
def test_what_a_product_breaks_is_named(wanted, broken):
    one = product(price=100, stock=0, gender="men")
    assert violations(one, {"lemon"}, wanted, covers=covers, now=NOW) == broken


def test_unisex_is_for_everyone_and_an_unknown_gender_for_no_one():
    for gender in ("women", "men", "unisex"):
        wanted = Constraints(gender=gender)
        assert not violations(product(gender="unisex"), (), wanted, covers=covers, now=NOW)
        assert violations(product(), (), wanted, covers=covers, now=NOW) == {"gender"}
