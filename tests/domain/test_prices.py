"""What tokens cost: which entry of the table fits a model's name, and how it is rounded."""

import pytest
from shopping_agent.domain.conversation import TokenUsage
from shopping_agent.domain.prices import FREE, ModelPrice, PriceTable, parse_prices

PRICES = {
    "gpt-oss-120b": ModelPrice(0.15, 0.6, 0.075),
    "gemini-3.5-flash": ModelPrice(1.5, 9.0, 0.15),
    "gemini-3.5-flash-lite": ModelPrice(0.3, 2.5, 0.03),
}
TABLE = PriceTable({"cloud": PRICES})


@pytest.mark.parametrize(
    ("model", "input_price"),
    [
        ("gemini-3.5-flash", 1.5),
        ("Gemini-3.5-Flash", 1.5),
        ("models/gemini-3.5-flash", 1.5),
        ("gemini-3.5-flash-lite", 0.3),
        ("gemini-3.5-flash-lite-preview-09-2026", 0.3),
        ("openai/gpt-oss-120b", 0.15),
        ("openrouter/openai/gpt-oss-120b:free", 0.15),
        ("gemini-3.5-flashy", None),
        ("gemini-3.5", None),
        ("gpt-oss-20b", None),
        ("", None),
    ],
)
def test_the_longest_entry_that_ends_with_a_part_of_the_name_fits(
    model: str, input_price: float | None
) -> None:
    found = TABLE.price("cloud", model)
    assert (found.input if found else None) == input_price


def test_an_entry_for_the_whole_name_goes_before_one_for_its_last_part() -> None:
    whole = {**PRICES, "openai/gpt-oss-120b": ModelPrice(9.0, 9.0)}
    table = PriceTable({"cloud": whole})
    assert table.price("cloud", "openai/gpt-oss-120b") == ModelPrice(9.0, 9.0)
    assert table.price("cloud", "gpt-oss-120b") == ModelPrice(0.15, 0.6, 0.075)


def test_a_price_is_a_providers_and_the_shops_own_holds_everywhere() -> None:
    assert TABLE.price("another", "gpt-oss-120b") is None
    own = PriceTable({"cloud": PRICES}, {"gpt-oss-120b": ModelPrice(0.0, 0.0)})
    assert own.price("another", "gpt-oss-120b") == ModelPrice(0.0, 0.0)
    assert own.price("cloud", "gpt-oss-120b") == ModelPrice(0.0, 0.0)
    assert own.price("cloud", "gemini-3.5-flash") == PRICES["gemini-3.5-flash"]


def test_the_offline_model_costs_nothing() -> None:
    assert TABLE.price("offline", "rules") == FREE
    assert FREE.micros(TokenUsage(1, 1000, 1000)) == 0


def test_cached_input_has_its_own_price_and_costs_like_other_input_where_it_has_none() -> None:
    used = TokenUsage(calls=1, input_tokens=1000, output_tokens=100, cached_tokens=400)
    assert ModelPrice(1.0, 4.0, 0.1).micros(used) == 600 + 40 + 400
    assert ModelPrice(1.0, 4.0).micros(used) == 1000 + 400
    assert ModelPrice(1.0, 4.0, 0.0).micros(used) == 600 + 400


def test_more_cached_than_sent_costs_as_if_all_had_been_cached() -> None:
    used = TokenUsage(calls=1, input_tokens=100, output_tokens=0, cached_tokens=128)
    assert ModelPrice(1.0, 4.0, 0.5).micros(used) == 50


def test_parts_of_a_millionth_are_rounded_up_and_binary_fractions_are_not() -> None:
    assert ModelPrice(0.15, 0.6).micros(TokenUsage(1, 1, 0)) == 1
    assert ModelPrice(0.15, 0.6).micros(TokenUsage(1, 100, 0)) == 15
    assert ModelPrice(0.1, 0.2).micros(TokenUsage(1, 10, 10)) == 3


def test_prices_are_read_with_or_without_one_for_cached_input() -> None:
    read = parse_prices(
        '{" Qwen3:8B ": {"input": 0, "output": 0}, "m": {"input": 1, "cached": 0.5, "output": 2}}'
    )
    assert read == {"qwen3:8b": ModelPrice(0, 0), "m": ModelPrice(1, 2, 0.5)}
