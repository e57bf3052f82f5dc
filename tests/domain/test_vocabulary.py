"""The vocabulary: built from data, longest phrase first, one canonical word in four languages."""

import json
from pathlib import Path
from typing import Any

import pytest
import shopping_agent
from shopping_agent.domain.vocabulary import Vocabulary

PACK = Path(shopping_agent.__file__).parent / "store_pack" / "vocabulary.json"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return json.loads(PACK.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def vocabulary(document: dict[str, Any]) -> Vocabulary:
    return Vocabulary.from_document(document)


@pytest.mark.parametrize(
    ("word", "note"),
    [
        ("Citron", "lemon"),
        ("Néroli", "neroli"),
        ("ورد", "rose"),
        ("Fleur d'oranger", "orange blossom"),
        ("زهر البرتقال", "orange blossom"),
        ("Bois de santal", "sandalwood"),
        ("الصندل", "sandalwood"),
        ("Fève tonka", "tonka bean"),
        ("MUSC", "musk"),
        ("lward", "rose"),
        ("بالقرفة", "cinnamon"),
        ("vaniiille", "vanilla"),
        ("ميرمية", "sage"),
        ("السالمية", "sage"),
        ("l7ba9", "basil"),
        ("li9ama", "mint"),
        ("za3tar", "thyme"),
        ("عود النوار", "clove"),
        ("3oud nwar", "clove"),
        ("jawi", "benzoin"),
        ("سفرجل", "quince"),
        ("الشيبة", "wormwood"),
        ("المسكة الحرة", "mastic"),
    ],
)
def test_catalog_words_become_canonical_english(vocabulary, word, note):
    assert vocabulary.canonical("note", [word]) == (note,)


@pytest.mark.parametrize("word", ["حار", "حارة", "7ar", "7arr", "l3etriya", "epice"])
def test_spicy_is_said_in_both_scripts(vocabulary, word):
    assert vocabulary.canonical("family", [word]) == ("spicy",)


@pytest.mark.parametrize("text", ["3tini chi 7aja fiha 3oud nwar", "بغيت شي ريحة فيها عود النوار"])
def test_the_moroccan_name_of_clove_is_no_wish_for_oud(vocabulary, text):
    assert "clove" in vocabulary.canonical_terms(text)
    assert "oud" not in vocabulary.canonical_terms(text)


def test_an_unknown_catalog_word_stays_folded(vocabulary):
    assert vocabulary.canonical("note", ["Rêve  Étrange", ""]) == ("reve etrange",)


def test_repeats_are_dropped_and_order_is_kept(vocabulary):
    assert vocabulary.canonical("note", ["Rose", "Oud", "ورد"]) == ("rose", "oud")


def test_families_of_catalogs_are_canonical(vocabulary):
    words = ["Hespéridé", "Boisé", "شرقي", "Ambré", "حلو", "frais"]
    assert vocabulary.canonical("family", words) == (
        "citrus",
        "woody",
        "amber",
        "gourmand",
        "fresh",
    )


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("orange blossom for summer", {"orange blossom", "summer"}),
        ("un boisé à la vanille pour l'hiver", {"woody", "vanilla", "winter"}),
        ("عطر منعش للصيف", {"fresh", "summer"}),
        ("chi 7aja barda l sif", {"fresh", "summer"}),
        ("نهار كامل", set()),
    ],
)
def test_the_facets_of_a_text_for_query_expansion(vocabulary, text, terms):
    assert set(vocabulary.canonical_terms(text)) == terms


def test_a_term_covers_itself_and_what_it_implies(vocabulary):
    assert {"sweet", "vanilla", "gourmand", "caramel"} <= vocabulary.expand("sweet")
    assert {"rose", "jasmine"} <= vocabulary.expand("floral")
    assert vocabulary.expand("unheard of") == {"unheard of"}


def test_every_implied_term_is_a_facet_of_the_vocabulary(vocabulary):
    facets = {c for kind in ("note", "family") for c in vocabulary.concepts[kind]} | {"sweet"}
    for term, covered in vocabulary.implied.items():
        assert covered <= facets, term


def test_the_default_vocabulary_covers_its_kinds(vocabulary):
    assert len(vocabulary.concepts["note"]) >= 80
    assert {"citrus", "floral", "fruity", "woody", "amber", "gourmand", "aromatic", "aquatic", "fresh", "spicy", "leather", "chypre", "fougere", "musk", "green", "powdery", "oud"} == set(vocabulary.concepts["family"])  # fmt: skip
    assert set(vocabulary.concepts["season"]) == {"summer", "winter", "spring", "autumn"}
    assert {"gift", "eid", "ramadan", "everyday"} <= set(vocabulary.concepts["occasion"])


def test_a_kind_that_a_store_lacks_comes_from_the_base(document):
    tea = {"note": {"sencha": {"en": "sencha, green leaf"}}, "implies": {}}
    vocabulary = Vocabulary.from_document(tea, document)
    assert vocabulary.canonical_terms("sencha, not rose, for winter") == ("sencha", "winter")
    assert vocabulary.concepts["note"] == ("sencha",)
    assert "action" in vocabulary.concepts


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"note": []}, "note"),
        ({"note": {"rose": "rose"}}, "note.rose"),
        ({"note": {"rose": {"en": ["rose"]}}}, "note.rose"),
        ({"note": {"rose": {"klingon": "rose"}}}, "klingon"),
        ({"implies": {"sweet": 3}}, "implies.sweet"),
    ],
)
def test_a_malformed_document_is_refused_naming_the_place(document, place):
    with pytest.raises(ValueError, match=place):
        Vocabulary.from_document(document)


def test_the_longest_phrase_wins_and_hides_what_it_contains():
    vocabulary = Vocabulary.from_document(
        {"note": {"orange": {"en": "orange"}, "orange blossom": {"en": "orange blossom"}}, "family": {"floral": {"en": "blossom"}}}
    )  # fmt: skip
    assert vocabulary.canonical_terms("orange blossom") == ("orange blossom",)
    assert vocabulary.canonical_terms("orange or blossom") == ("orange", "floral")
