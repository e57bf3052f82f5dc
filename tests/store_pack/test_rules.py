"""The default pack's expert: every term can match, every rule can fire and speak, in every language of the shop."""

import json
import re
from pathlib import Path

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.intent import LANGUAGES
from shopping_agent.domain.rules_coverage import coverage, example

EXPERT = load_expert("", load_store_pack().vocabulary)
DEMO = Path(__file__).parents[2] / "demo/catalog.jsonl"
ARABIC = re.compile("[\u0600-\u06ff]")
RULES = pytest.mark.parametrize("rule", EXPERT.rules, ids=lambda rule: rule.name)


def _product(line: str) -> Product:
    row = json.loads(line)
    return Product(
        id=row["id"],
        name=row["name"],
        price=PriceTag(1, "MAD"),
        families=tuple(row["families"]),
        notes=Notes(**{level: tuple(notes) for level, notes in row["notes"].items()}),
        accords=tuple(row["accords"]),
        concentration=row.get("concentration"),
        sillage=row.get("sillage"),
        longevity=row.get("longevity"),
        seasons=tuple(row["seasons"]),
        occasions=tuple(row["occasions"]),
        gender=row["gender"],
        size_ml=row.get("sizeMl"),
    )


COVERAGE = coverage(
    EXPERT, [_product(line) for line in DEMO.read_text("utf-8").splitlines() if line]
)


def test_every_term_is_met_by_some_product_and_none_by_nearly_all():
    assert COVERAGE.unmet == ()
    share = {term: count / COVERAGE.products for term, count in COVERAGE.by_term.items()}
    assert {term: s for term, s in share.items() if s > 0.7} == {}


def test_every_term_is_used():
    assert COVERAGE.unused == ()


def test_every_rule_says_something_of_some_product():
    assert COVERAGE.idle == ()


@RULES
def test_every_rule_can_fire(rule):
    profile, budget = example(rule)
    assert rule in EXPERT.advise(EXPERT.schema.parse(profile.view()), budget).fired


def test_only_what_means_no_preference_is_without_a_rule():
    assert set(COVERAGE.silent) == {
        "wantsLongPerformance=no",
        "compliments=neutral",
        "skinType=normal",
    }


@RULES
def test_a_reason_is_in_every_language_and_its_script(rule):
    assert set(rule.reason) == set(LANGUAGES)
    for language, text in rule.reason.items():
        assert bool(ARABIC.search(text)) == (language in ("ar", "ary")), language
        assert text.endswith((".", "؟", "!")), language
    assert len(set(rule.reason.values())) == len(LANGUAGES)


def test_every_value_and_key_of_a_profile_has_its_words_in_every_language():
    for key, spec in EXPERT.schema.keys.items():
        assert set(spec.label) == set(LANGUAGES), key
        for value in spec.values:
            assert set(spec.labels[value]) == set(LANGUAGES), (key, value)


@pytest.mark.parametrize("term", [*EXPERT.glossary.terms, "sillage", "longevity"])
def test_a_term_is_said_in_every_language_in_its_script(term):
    for language in LANGUAGES:
        label = EXPERT.glossary.label(term, language)
        assert label
        if language in ("ar", "ary"):
            assert ARABIC.search(label), language


def test_sensitivities_exclude_and_nothing_else_does():
    for rule in EXPERT.rules:
        if rule.exclude:
            assert {condition.key for condition in rule.when} == {"sensitivities"}, rule.name
