"""What is quoted of a text: short sections whole, one run of a longer one."""

import pytest
from shopping_agent.domain.evidence_terms import Term
from shopping_agent.domain.excerpts import LONGEST_SECTION, asks_number, excerpt
from shopping_agent.domain.vocabulary import Vocabulary

NO_WORDS = Vocabulary.from_document({})
LONG = " ".join(f"Sentence {word} says little of anything at all." for word in "abcdefghij")


def test_a_short_section_is_quoted_whole():
    text = "One thing. Another thing."
    assert excerpt(text, [], NO_WORDS, whole=True, numbers=False) == [
        "One thing.",
        "Another thing.",
    ]


def test_of_a_long_text_the_run_that_answers_is_quoted_word_for_word():
    text = f"{LONG} Parcels leave at noon. Parcels arrive at night. {LONG}"
    quoted = excerpt(text, [Term("parcels", 1.0)], NO_WORDS, whole=True, numbers=False)
    assert quoted == ["Parcels leave at noon.", "Parcels arrive at night."]
    assert sum(map(len, quoted)) <= LONGEST_SECTION


def test_of_a_product_text_only_what_answers_is_quoted():
    text = "A sea breeze. The formula is vegan."
    assert excerpt(text, [Term("vegan", 1.0)], NO_WORDS, whole=False, numbers=False) == [
        "The formula is vegan."
    ]


def test_an_empty_text_has_nothing_to_quote():
    assert excerpt("", [], NO_WORDS, whole=False, numbers=True) == []


@pytest.mark.parametrize("text", ["How long is it?", "c'est combien", "كم يوما", "ch7al"])
def test_how_long_and_how_much_want_a_figure(text):
    assert asks_number(text)
