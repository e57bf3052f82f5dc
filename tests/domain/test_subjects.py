"""Aspects and hints: what a question asks of the store's texts, and that a text without it does not answer."""

import pytest
from shopping_agent.domain.evidence import assess, meant, ranks
from shopping_agent.domain.passage import Passage
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.subjects import aspects_in, glosses, hints_in
from shopping_agent.domain.vocabulary import Vocabulary

WORDS = {
    "topic": {"delivery": {"en": "deliver, delivery, ship"}, "payment": {"en": "payment"}},
    "city": {"city": {"en": "sale, agadir"}},
    "aspect": {
        "card": {"en": "bank card, card", "fr": "carte bancaire", "ar": "البطاقة", "ary": "لاكارط"},
        "students": {"en": "student, students"},
        "sale": {"en": "sale, discount"},
        "abroad": {"en": "abroad, morocco only"},
        "country": {"en": "france, spain"},
    },
    "hint": {"check": {"en": "how do i know, verify"}},
}
ABROAD = Passage("We deliver in Morocco only.", "delivery", "Deliveries abroad", "en")
FRANCE = Passage("We deliver to France in 5 days.", "delivery", "Far", "en")


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_document(WORDS)


def _ask(text: str) -> ShopperQuery:
    return ShopperQuery(text=text, language="en")


def test_subjects_are_read_apart_from_all_other_words(vocabulary):
    assert aspects_in("can I pay by bank card?", vocabulary) == {"card"}
    assert hints_in("how do I know?", vocabulary) == {"check"}
    assert "card" not in vocabulary.phrases


def test_a_subject_has_a_name_in_every_language_of_the_guides(vocabulary):
    assert glosses("واش نخلص بلاكارط", vocabulary) == ("bank card", "carte bancaire", "البطاقه")
    assert glosses("hello", vocabulary) == ()


def test_without_subjects_there_are_none():
    plain = Vocabulary.from_document({"topic": {"x": {"en": "x"}}})
    assert aspects_in("card", plain) == set()
    assert glosses("card", plain) == ()


def test_a_country_is_answered_by_what_is_said_of_all_or_of_itself(vocabulary):
    question = _ask("do you ship to Spain?")
    assert assess(question, [ABROAD], vocabulary).answers
    assert not assess(question, [FRANCE], vocabulary).answers
    assert assess(_ask("do you ship to France?"), [FRANCE], vocabulary).answers


def test_a_text_that_lacks_an_aspect_does_not_answer(vocabulary):
    text = Passage("A discount is given on the first order.", "payment", "Codes", "en")
    assert assess(_ask("is there a discount?"), [text], vocabulary).answers
    students = assess(_ask("is there a discount for students?"), [text], vocabulary)
    assert not students.answers
    assert set(students.asked) == {"students", "sale"}


def test_a_town_is_no_sale(vocabulary):
    town = Passage("In Salé we come in one day.", "delivery", "Near", "en")
    assert not assess(_ask("is there a sale?"), [town], vocabulary).answers


def test_the_section_whose_heading_is_asked_ranks_first(vocabulary):
    passages = [
        Passage("Cash or card.", "payment", "Ways", "en"),
        Passage("Visa is accepted.", "payment", "Bank card", "en"),
    ]
    first, second = ranks(_ask("can I use a card?"), passages, vocabulary)
    assert second > first


def test_texts_of_products_never_meant_are_left_out():
    guide, own = Passage("G", "delivery"), Passage("P", product_id="p1")
    other = Passage("O", product_id="p2")
    assert meant([guide, own, other], {"p1"}) == [guide, own]
