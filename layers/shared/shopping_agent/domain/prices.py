"""What a model's tokens cost, as data: dollars for a million tokens, by model or by the start of its name."""

import json
import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, cast

from shopping_agent.domain.conversation import TokenUsage
from shopping_agent.domain.values import frozen

# What providers put after a model's name: a date, a size, a version, a region.
_SEPARATORS: Final = "-:@"
_FIELDS: Final = {"input", "cached", "output"}


@frozen
class ModelPrice:
    """Dollars for a million tokens.

    Attributes:
        cached: of input that came from the provider's cache; None: as any other input.
    """

    input: float
    output: float
    cached: float | None = None

    def micros(self, tokens: TokenUsage) -> int:
        """Millionths of a dollar, rounded up."""
        cached = min(tokens.cached_tokens, tokens.input_tokens)
        rate = self.input if self.cached is None else self.cached
        dollars = self.input * (tokens.input_tokens - cached) + rate * cached
        # Binary fractions: 0.15 * 100 is a little more than 15, and that is no reason to round up to 16.
        return math.ceil(round(dollars + self.output * tokens.output_tokens, 6))


FREE: Final = ModelPrice(0.0, 0.0)


@frozen
class PriceTable:
    """Prices of models, or of all whose names begin like that and go on with another part.

    Attributes:
        by_provider: the same model costs something else elsewhere.
        own: the shop's; they go first, at any provider.
    """

    by_provider: Mapping[str, Mapping[str, ModelPrice]] = field(
        default_factory=dict[str, Mapping[str, ModelPrice]]
    )
    own: Mapping[str, ModelPrice] = field(default_factory=dict[str, ModelPrice])

    def price(self, provider: str, model: str) -> ModelPrice | None:
        """The price of the longest entry that fits, None when there is none. `offline` costs nothing.

        Names may carry what providers put before them: "models/gemini-3.8-flash" is "gemini-3.8-flash", and
        "openai/gpt-oss-120b" is "gpt-oss-120b" where there is no entry for the whole.
        """
        if provider == "offline":
            return FREE
        return _find(self.own, model) or _find(self.by_provider.get(provider, {}), model)

    def dearest(self, tokens: TokenUsage) -> int:
        """Millionths of a dollar that these tokens cost where they cost most."""
        tables = (self.own, *self.by_provider.values())
        return max((p.micros(tokens) for table in tables for p in table.values()), default=0)


def _find(prices: Mapping[str, ModelPrice], model: str) -> ModelPrice | None:
    name = model.strip().lower()
    while name:
        fitting = [entry for entry in prices if _fits(entry, name)]
        if fitting:
            return prices[max(fitting, key=len)]
        name = name.partition("/")[2]
    return None


def parse_prices(text: str) -> dict[str, ModelPrice]:
    """Prices from JSON: `{"model": {"input": 0.15, "cached": 0.075, "output": 0.6}}`; `cached` may be left out.

    Raises:
        ValueError: saying what is wrong, and with which model.
    """
    try:
        held = json.loads(text)
    except ValueError:
        raise ValueError("must be a JSON object of prices by model") from None
    if not isinstance(held, dict):
        raise ValueError("must be a JSON object of prices by model")
    entries = cast(dict[str, Any], held)
    return {name.strip().lower(): price_of(name, entry) for name, entry in entries.items()}


def price_of(name: str, entry: Any) -> ModelPrice:
    """One entry of a table. Raises `ValueError` as `parse_prices` does."""
    what = f"the price of {name!r} must be an object with input and output (and cached), each dollars for a million tokens"
    if not isinstance(entry, dict):
        raise ValueError(what)
    values = cast(dict[str, Any], entry)
    if not {"input", "output"} <= set(values) <= _FIELDS or not all(map(_amount, values.values())):
        raise ValueError(what)
    return ModelPrice(**values)


def _amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e6


def _fits(entry: str, name: str) -> bool:
    return name.startswith(entry) and (len(name) == len(entry) or name[len(entry)] in _SEPARATORS)
