"""The order of what is recommended: score, then stock, price and id; one size of each; families mixed among the first three."""

import pytest
from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.domain.recommendation_order import MARGIN, select
from shopping_agent.domain.recommendation_score import (
    RELEVANCE_WEIGHT,
    RULES_WEIGHT,
    Option,
    Scoring,
)


@pytest.fixture
def order(expert):
    """Ids of the shown, of options as (product, relevance, wishes...)."""

    def shown(*options, profile=None, limit=10, now=0.0):
        scoring = Scoring(expert.advise(expert.schema.parse(profile or {})), searched=True)
        given = [
            Option(one, expert.glossary.traits(one), relevance, tuple(wishes))
            for one, relevance, *wishes in options
        ]
        selection = select(given, scoring, limit=limit, currency="MAD", now=now)
        return [one.product.id for one in selection.shown]

    return shown


def test_ties_are_broken_by_stock_then_price_then_id(order, product):
    few = product("few", 50, stock=1)
    dear = product("dear", 90, stock=9)
    cheap_b, cheap_a = product("cheap-b", 60, stock=400), product("cheap-a", 60, stock=None)
    twins = [(one, 0.5) for one in (few, dear, cheap_b, cheap_a)]
    assert order(*twins) == ["cheap-a", "cheap-b", "dear", "few"]


def test_out_of_stock_and_foreign_come_after_any_score(order, product):
    gone = product("gone", stock=0)
    euro = Product(id="euro", name="Euro", price=PriceTag(100, "EUR"), stock=5)
    plain = product("plain")
    assert order((gone, 1.0), (euro, 0.9), (plain, 0.1)) == ["plain", "euro", "gone"]


def test_a_sale_that_runs_decides_a_tie(order, product):
    sale = Product(
        id="z-sale", name="Sale", price=PriceTag(900_00, "MAD", 100_00, 50, 100), stock=9
    )
    plain = product("a", 500)
    assert order((sale, 0.5), (plain, 0.5), now=60.0) == ["z-sale", "a"]
    assert order((sale, 0.5), (plain, 0.5), now=100.0) == ["a", "z-sale"]


def test_one_size_of_each_product_the_best(order, product):
    sizes = [product(f"s{n}", 100 * n, variant_of="s") for n in (3, 1, 2)]
    other = product("other", 900)
    assert order(*((one, 0.5) for one in (*sizes, other))) == ["s1", "other"]


def test_among_the_first_three_another_family_passes_what_is_not_much_better(order, product):
    woods = [product(f"wood-{n}", 100 + n, families=("woody",)) for n in range(3)]
    rose = product("rose", 900, families=("floral",))
    near, far = 1.0 - MARGIN / 100 + 0.001, 1.0 - MARGIN / 100 - 0.01
    options = [(one, 1.0) for one in woods]
    assert order(*options, (rose, near))[:2] == ["wood-0", "rose"]
    assert order(*options, (rose, far)) == ["wood-0", "wood-1", "wood-2", "rose"]


def test_the_best_is_never_passed_for_the_sake_of_variety(order, product):
    best = product("best", 900, families=("woody",))
    others = [product(f"o{n}", families=("floral",)) for n in range(3)]
    assert order((best, 1.0), *((one, 0.99) for one in others))[0] == "best"


def test_relevance_and_wishes_weigh_as_stated(expert, product, made_for):
    """All of a profile's rules against all of relevance: 60 to 20."""
    profile = expert.schema.parse(
        {"climate": "hot", "occasion": ["sport", "work"], "persona": "sporty", "season": "summer"}
    )
    scoring = Scoring(expert.advise(profile), searched=True)
    assert scoring.rules_weight == RULES_WEIGHT
    none = Option(product(), expert.glossary.traits(product()))
    relevant = Option(product(), expert.glossary.traits(product()), relevance=1.0)
    gained = scoring.score(relevant) - scoring.score(none)
    assert gained == pytest.approx(
        100 * RELEVANCE_WEIGHT / (RULES_WEIGHT + RELEVANCE_WEIGHT), abs=0.1
    )


def test_without_anything_to_judge_by_the_score_is_nothing(expert, product):
    scoring = Scoring(expert.advise(expert.schema.parse({})), searched=False)
    option = Option(product(), expert.glossary.traits(product()))
    assert (scoring.score(option), scoring.explain(option)) == (0.0, ())
