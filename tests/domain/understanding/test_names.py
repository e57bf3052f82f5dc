"""Product names: exact, misspelt, in the other script, and telling neighbours apart."""

import pytest

NAMES = ["Dune Claire", "Dune Claire Intense", "Minuit Argan", "Sel de Mogador", "Opus No 7", "Opus No 9", "Rose Zagora", "عنبر الصحراء"]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("how much is dune claire?", "Dune Claire"),
        ("dune claire intense please", "Dune Claire Intense"),
        ("MINUIT ARGAN", "Minuit Argan"),
        ("minuit argane en 50 ml", "Minuit Argan"),
        ("minit argan", "Minuit Argan"),
        ("sel mogador", "Sel de Mogador"),
        ("opus n°9", "Opus No 9"),
        ("opus numero 7", "Opus No 7"),
        ("مينوي أرغان", "Minuit Argan"),
        ("سيل دو موغادور", "Sel de Mogador"),
        ("بغيت عنبر الصحراء", "عنبر الصحراء"),
        ("وعنبر الصحراء كم سعره", "عنبر الصحراء"),
    ],
)
def test_a_known_name_is_found(reading, text, name):
    assert reading(text, names=NAMES).query.product_name == name


@pytest.mark.parametrize(
    "text", ["a rose perfume", "do you deliver to Zagora", "claire is my sister", "salt", "opus 3"]
)
def test_words_of_a_name_alone_are_not_the_name(reading, text):
    assert reading(text, names=NAMES).query.references == ()


def test_references_carry_offsets_of_the_message(reading):
    text = "Compare Rose Zagora with Minuit Argan"
    references = reading(text, names=NAMES).query.references
    assert [(r.name, text[r.start : r.end]) for r in references] == [
        ("Rose Zagora", "Rose Zagora"),
        ("Minuit Argan", "Minuit Argan"),
    ]
    assert reading(text, names=NAMES).query.compare


def test_offsets_hold_behind_accents_and_ligatures(reading):
    text = "œillet élégant… Minuit Argan ?"
    reference = reading(text, names=NAMES).query.references[0]
    assert text[reference.start : reference.end] == "Minuit Argan"


def test_an_exact_name_scores_one_and_a_typo_less(reading):
    assert reading("minuit argan", names=NAMES).query.references[0].score == 1.0
    assert reading("minuit argann", names=NAMES).query.references[0].score < 1.0
