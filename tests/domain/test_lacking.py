"""What texts and wishes refuse, in every language of the shop."""

import pytest
from shopping_agent.domain.lacking import lacked_words, refused_words
from shopping_agent.domain.text import words

LITTLE = frozenset(words("for with and pour avec et و ل i is"))


@pytest.mark.parametrize(
    ("text", "lacked"),
    [
        ("a cream without parabens", ("parabens",)),
        ("a kit without a led lamp", ("led", "lamp")),
        ("no artificial colours added", ("artificial", "colours")),
        ("parfum sans alcool pour homme", ("alcool",)),
        ("sans rose, boisé", ("rose",)),
        ("عطر بدون كحول", ("كحول",)),
        ("parfum bla 3oud", ("3oud",)),
        ("without sugar. Rose and oud", ("sugar",)),
        ("neither one nor the other", ()),
        ("Chanel No 5", ()),
        ("no I want rose", ()),
        ("a piano", ()),
    ],
)
def test_a_negator_refuses_what_follows_it_up_to_a_little_word(text, lacked):
    assert lacked_words(text, LITTLE, compounds=False) == lacked


def test_compounds_say_what_a_thing_is_without():
    text = "Sugar-free and Alcohol-Free, in stemless glasses; free delivery"
    assert lacked_words(text, LITTLE, compounds=True) == ("sugar", "alcohol", "stem")
    assert lacked_words(text, LITTLE, compounds=False) == ()


def test_what_is_refused_includes_the_negator():
    assert refused_words("glasses without stem for her", LITTLE) == ("without", "stem")
