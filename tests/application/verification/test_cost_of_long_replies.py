"""What the check of a reply costs grows with its length, not with the square of it, whatever a model repeats."""

import time

import pytest
from shopping_agent.application.claims import name_pattern, names_in
from shopping_agent.application.reply_guard import announces, shown_text
from shopping_agent.application.verification import deeds, disguise, numerals
from shopping_agent.application.verification.figures import figures
from shopping_agent.application.verification.price_reading import states_prices
from shopping_agent.application.verification.said import read
from shopping_agent.application.verification.senses import senses_in
from shopping_agent.application.verification.wording import pattern
from shopping_agent.domain.text import fold

LENGTH = 8_000
MOST = 2.5
LEAST_SECONDS = 0.02
TOKENS = [
    "QUJD", '{"name":', "1 MAD ", "a ", "(", "1", "1 ", "1,", "a.", "_", "-", " ", "\n", "A", "Aa ", "a@", "Rose Kelaa ",
    "100 200 ", "اضفت ", "سلة", "و", "? ", "i have ", "d'", "j'ai ", "50 ml ", "x.com/", "[", "* ",
]  # fmt: skip
NAMES = [(found, frozenset({"rose"})) for found in [name_pattern("Rose Kelaa")] if found]


def reading(text: str) -> None:
    """Everything that reads a whole reply or a whole sentence of it."""
    shown_text(text, cut_off=True)
    announces(text)
    folded = fold(text)
    states_prices(folded)
    for said in read(text, NAMES, {"rose": 50}, ()):
        senses_in(said.bare)
        names_in(said.text, NAMES)
        figures(said.bare)
        numerals.numerals(said.bare)
        list(pattern("capitalised").finditer(said.raw))
        disguise.looks_disguised(said.raw)
        deeds.tells_deed(said)


def seconds(text: str, rounds: int) -> float:
    began = time.process_time()
    for turn in range(rounds):
        # Another text each time: what is kept of the last one must not help.
        reading(f"{text}{turn}")
    return time.process_time() - began


@pytest.mark.parametrize("token", TOKENS)
def test_twice_the_length_of_one_repeated_token_costs_about_twice_the_time(token: str) -> None:
    half, whole = ((token * LENGTH)[:length] for length in (LENGTH // 2, LENGTH))
    rounds = 1
    while rounds < 64 and seconds(half, rounds) < LEAST_SECONDS:
        rounds *= 2
    ratios = list[float]()
    for _ in range(5):
        ratios.append(seconds(whole, rounds) / max(seconds(half, rounds), 1e-6))
        if ratios[-1] <= MOST:
            return
    pytest.fail(f"{token!r}: {[round(r, 1) for r in ratios]} times the cost")


@pytest.mark.parametrize("token", ["1", "9 ", "1,000,"])
def test_a_number_without_end_is_no_figure_and_no_fault_of_ours(token: str) -> None:
    assert all(figure.value < 10**15 for figure in figures((token * LENGTH)[:LENGTH]))
