"""Messages that say nothing to us: other languages, links, signs alone, endless text."""

import time

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "hola, quiero un perfume para mi madre",
        "¿tienen envío a Madrid?",
        "Ich suche ein Parfum für meine Frau",
        "Haben Sie etwas mit Rose?",
        "vorrei un profumo per mia madre, grazie",
        "quero um perfume para minha mãe",
        "ik zoek een parfum voor mijn moeder",
        "我想买香水",
        "Хочу духи для мамы",
    ],
)
def test_a_language_that_we_do_not_speak_is_known_as_such(reading, text):
    assert reading(text).query.foreign
    assert reading(text).query.language == "en"
    assert reading(text, spoken="ar").query.language == "ar"


@pytest.mark.parametrize(
    "text",
    [
        "je cherche un parfum pour ma mère",
        "bghit parfum l mama dyali",
        "tu es là ? la madre de mon ami",
        "something with rose, bitte",
        "un perfume de rosa para mama",
        "أريد عطرا لأمي",
        "Acqua di Gioia",
        "2",
    ],
)
def test_our_own_languages_and_a_borrowed_word_are_not_foreign(reading, text):
    assert not reading(text).query.foreign


def test_the_words_of_a_link_are_no_wishes(reading):
    query = reading("https://example.com/rose-perfume/under/300").query
    assert not query.wishes()
    assert query.kind is None
    query = reading("see www.oud.example/women and show me something woody under 400").query
    assert (query.families, query.gender, query.max_price) == (("woody",), None, 40000)
    assert query.text.startswith("see www.oud")


def test_a_link_that_names_a_product_still_names_it(reading):
    query = reading("add https://shop.example/p/dune-claire", names=["Dune Claire"]).query
    assert [o.name for o in query.orders] == ["Dune Claire"]


@pytest.mark.parametrize("text", ["🌹🌹🌹", "??", "...", "https://example.com/x", "  ", "1234567"])
def test_signs_alone_ask_for_nothing(reading, text):
    query = reading(text).query
    assert (query.action, query.orders, query.wishes()) == ("none", (), False)


@pytest.mark.parametrize(
    "unit", ["add rose under 300, ", "w bla ward, ", "a", "😀", "لا تضف، ", "1 "]
)
def test_two_thousand_characters_are_read_in_bounded_time_and_orders(reading, unit):
    text = (unit * 2000)[:2000]
    began = time.process_time()
    understood = reading(text)
    assert time.process_time() - began < 2
    assert len(understood.query.orders) <= 8
