import pytest
from shopping_agent.domain.likeness import alike, called, name_words
from shopping_agent.domain.text import words


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("solvanne", "Solvane"),
        ("slovane", "Solvane"),
        ("salvan", "Solvane"),
        ("سولفان", "Solvane"),
        ("9amara", "Qamara"),
        ("قمارة", "Qamara"),
        ("chorok", "شروق"),
        ("ferdos", "Ferdaous"),
        ("été", "ete"),
    ],
)
def test_a_slip_or_another_script_is_still_the_same_word(typed: str, meant: str) -> None:
    assert alike(words(typed)[0], words(meant)[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [("solvane", "marjana"), ("noujoum", "nawras"), ("rose", "oud"), ("tarab", "tilwan")],
)
def test_other_words_are_not(one: str, other: str) -> None:
    assert not alike(one, other)


def heard(name: str, message: str, known: str = "") -> float:
    said = words(message)
    return called(name, said, [word for word in said if word not in known.split()])


def test_a_name_with_a_slip_stands_in_a_message() -> None:
    assert heard("Rimalia Faridor - 50 ml", "do you have rimalya fardor") == 1.0
    assert heard("ريماليا فاريدور", "do you have rimalya fardor") == 1.0


def test_a_name_in_another_order_may_be_another_product() -> None:
    assert heard("Faridor Rimalia", "do you have rimalya fardor") == 0.5


def test_every_word_of_a_name_is_needed() -> None:
    assert heard("Rimalia Faridor", "something like rimalya") == 0.0


def test_a_word_of_the_shop_is_no_slip_of_a_name() -> None:
    assert heard("Sommar Velnis", "a summer velnys", known="summer") == 0.0
    assert heard("Sommar Velnis", "a sommer velnys", known="summer") == 1.0


def test_a_name_of_too_few_consonants_tells_nothing() -> None:
    assert heard("Eau", "ou est-il") == 0.0


def test_the_size_is_no_part_of_a_name() -> None:
    assert name_words("L'Été Doré - 50 ml") == ["l'", "ete", "dore"]
