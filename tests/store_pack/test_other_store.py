"""A store that sells tea: its words, the shopper's profile, the terms and the rules are its files, and nothing else changes."""

from pathlib import Path

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.recommendation_order import select
from shopping_agent.domain.recommendation_score import Option, Scoring
from shopping_agent.domain.rules_coverage import coverage
from shopping_agent.errors import InvalidFieldError

FOLDER = str(Path(__file__).with_name("tea"))
EXPERT = load_expert(FOLDER, load_store_pack(FOLDER).vocabulary)


def tea(key, family, notes=(), price=60, **facts):
    options = {"Strength": facts.pop("strength", ""), "Weight": facts.pop("weight", "250 g")}
    options |= {"Caffeine": facts.pop("caffeine")} if "caffeine" in facts else {}
    name = facts.pop("name", key)
    return Product(
        id=key,
        name=name,
        price=PriceTag(price * 100, "MAD"),
        families=(family,),
        notes=Notes(heart=tuple(notes)),
        options=options,
        **facts,
    )


TEAS = [
    tea("assam", "Black tea", strength="robust"),
    tea("lapsang", "Thé noir", name="Lapsang Souchong", strength="medium"),
    tea("sencha", "green tea", strength="light"),
    tea("jasmine", "Thé vert", ("Jasmin",), strength="light", weight="50 g", price=35),
    tea("evening", "Tisane", ("Verveine", "camomille"), strength="light"),
    tea("mate", "infusion", strength="strong", caffeine="high"),
    tea("roses", "infusion", ("rose",), strength="light"),
]


def best(profile, budget=None):
    advice = EXPERT.advise(EXPERT.schema.parse(profile), budget)
    options = [Option(one, EXPERT.glossary.traits(one)) for one in TEAS]
    scoring = Scoring(advice, searched=False)
    return select(options, scoring, limit=9, currency="MAD", now=0), advice, scoring


@pytest.mark.parametrize(
    ("profile", "budget", "first"),
    [
        ({"moment": "breakfast"}, None, "assam"),
        ({"moment": "bedtime"}, None, "evening"),
        ({"taste": "smoky"}, None, "lapsang"),
        ({"taste": "floral", "health": "decaf"}, None, "roses"),
        ({}, 40, "jasmine"),
    ],
)
def test_its_own_rules_choose_among_its_own_products(profile, budget, first):
    assert best(profile, budget)[0].shown[0].product.id == first


def test_its_own_sensitivity_excludes():
    chosen, advice, _ = best({"health": "no-caffeine", "moment": "morning"})
    assert {one.product.id for one in chosen.shown} == {"evening", "roses"}
    assert {one.product.id for one in chosen.excluded} == {"assam", "lapsang", "sencha", "jasmine", "mate"}  # fmt: skip
    assert {rule.name for one in chosen.excluded for rule, _ in advice.excluded_by(one.option.traits)} == {"no caffeine"}  # fmt: skip


def test_its_scale_is_an_option_of_its_products():
    _, advice, scoring = best({"moment": ["morning", "night"]})
    assert [(d.rule.name, d.what) for d in advice.relaxed] == [("night", "strength")]
    account = scoring.explain(Option(TEAS[0], EXPERT.glossary.traits(TEAS[0])))
    assert [r.terms for r in account if r.effect == "within"] == [("strength",)]


def test_its_profile_knows_no_perfume():
    with pytest.raises(InvalidFieldError, match="a profile has health, moment, taste"):
        EXPERT.schema.parse({"climate": "hot"})
    profile = EXPERT.schema.parse({"health": "decaf", "moment": "morning"})
    assert EXPERT.schema.labels(profile, "fr") == ["sans caféine", "matin"]
    assert EXPERT.schema.keepable(profile).view() == {"moment": ["morning"]}


def test_every_term_and_rule_of_it_is_alive():
    found = coverage(EXPERT, TEAS)
    assert (found.unmet, found.idle, found.unused, found.silent) == ((), (), (), ())
    assert set(found.untranslated["night"]) == {"ar", "ary", "ary-latn"}
