"""What messages tell of the shopper, in every language, and what they take back."""

from pathlib import Path

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.domain.intent import LANGUAGES
from shopping_agent.domain.understanding import understand
from shopping_agent.domain.understanding.profiles import (
    STATED,
    ProfileWords,
    Told,
    told_of_shopper,
)

VOCABULARY = load_store_pack().vocabulary
SCHEMA = load_expert("", VOCABULARY).schema
WORDS = ProfileWords.of(SCHEMA)
TEA = str(Path(__file__).parents[2] / "store_pack" / "tea")


def told(text, names=(), **context):
    query = understand(text, vocabulary=VOCABULARY, currency="MAD", names=names, **context).query
    return told_of_shopper(query, VOCABULARY, WORDS)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Marrakech, I get migraines, something for the office under 700 dh",
        "J'habite à Marrakech, j'ai des migraines, quelque chose pour le bureau à moins de 700 dh",
        "أسكن في مراكش وعندي الشقيقة، أريد شيئاً للعمل بأقل من 700 درهم",
        "ساكن فمراكش وعندي الشقيقة، بغيت شي حاجة للخدمة قل من 700 درهم",
        "saken f mrakch, 3endi chqi9a, bghit chi 7aja l lkhdma b 9el mn 700 dh",
    ],
)
def test_a_city_is_a_climate_and_a_migraine_a_sensitivity_in_five_languages(text) -> None:
    found = told(text)
    assert found.profile.view() == {"sensitivities": ["migraine"], "climate": ["hot"]}
    assert found.taken_back == ()


@pytest.mark.parametrize(
    ("text", "profile"),
    [
        ("We moved to Ifrane", {"climate": ["cold"]}),
        ("je vis à Agadir et j'ai la peau sèche", {"skinType": ["dry"], "climate": ["hot", "humid"]}),
        ("في طنجة الجو رطب", {"climate": ["humid"]}),
        ("الجو عندنا سخون بزاف", {"climate": ["hot"]}),
        ("ljaw 3endna skhoun bzaf", {"climate": ["hot"]}),
        ("I want to turn heads", {"compliments": ["yes"]}),
        ("je veux passer inaperçu", {"compliments": ["no"]}),
        ("un parfum qui tient toute la journée", {"wantsLongPerformance": ["yes"]}),
        ("شي ريحة كتبقى", {"wantsLongPerformance": ["yes"]}),
        ("she is a minimalist", {"persona": ["minimalist"]}),
        ("pour une femme élégante", {"persona": ["elegant"]}),
        ("she hates sweet", {"sensitivities": ["hates-sweet"]}),
        ("je déteste le sucré", {"sensitivities": ["hates-sweet"]}),
        ("أكره الحلو", {"sensitivities": ["hates-sweet"]}),
        ("something for the gym", {"occasion": ["gym"]}),
        ("rasi kaydrni mn l3tour", {"sensitivities": ["migraine"]}),
    ],
)  # fmt: skip
def test_the_words_of_the_pack_tell_of_the_shopper(text, profile) -> None:
    assert told(text).profile.view() == profile


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("no, not for the office", ("occasion", "work")),
        ("non, pas pour le bureau", ("occasion", "work")),
        ("ما بغيتش للخدمة", ("occasion", "work")),
        ("forget the climate", ("climate", "")),
        ("oublie le climat", ("climate", "")),
        ("نسا الجو", ("climate", "")),
        ("nsa ljaw", ("climate", "")),
        ("I don't get migraines", ("sensitivities", "migraine")),
    ],
)
def test_what_is_denied_is_taken_back(text, back) -> None:
    found = told(text)
    assert back in found.taken_back
    assert not found.profile


def test_a_note_without_dislike_is_a_wish_of_one_request() -> None:
    assert not told("something without vanilla, not too sweet")


def test_the_name_of_a_product_tells_nothing_of_the_shopper() -> None:
    assert not told("Add Nuit de Marrakech to my cart", names=("Nuit de Marrakech",))
    assert told("Add something for Marrakech").profile.get("climate") == ("hot",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_is_understood_as_the_value_that_it_stands_for(language) -> None:
    for name, spec in SCHEMA.keys.items():
        for value in spec.values if name not in STATED else ():
            label = SCHEMA.label(name, value, language)
            profile = told(label, locale=language, spoken=language).profile
            assert value in profile.get(name), (language, label, profile)


def test_another_store_has_other_words() -> None:
    vocabulary = load_store_pack(TEA).vocabulary
    words = ProfileWords.of(load_expert(TEA, vocabulary).schema)
    query = understand("un thé fumé", vocabulary=vocabulary, currency="MAD").query
    assert told_of_shopper(query, vocabulary, words).profile.view() == {"taste": ["smoky"]}


@pytest.mark.parametrize(
    "text",
    [
        "I hate vanilla and live in Agadir, add two Nuit de Marrakech, not for the office",
        "saken f agadir, 7iyed Nuit de Marrakech o zid jouj dyal Atlas Cedar",
        "j'ai des migraines, oublie l'occasion, sans vanille",
    ],
)
def test_the_reading_of_a_message_serves_what_else_is_asked_of_it(text: str) -> None:
    names = ("Nuit de Marrakech", "Atlas Cedar")
    understood = understand(text, vocabulary=VOCABULARY, currency="MAD", names=names)
    query, reading = understood.query, understood.reading
    assert reading is not None
    again = told_of_shopper(query, VOCABULARY, WORDS)
    assert again == told_of_shopper(query, VOCABULARY, WORDS, reading)
    assert again != Told()


def test_a_message_with_a_link_is_read_anew_with_it() -> None:
    text = "something fresh, like https://example.com/oud-royal"
    understood = understand(text, vocabulary=VOCABULARY, currency="MAD")
    assert understood.reading is None
