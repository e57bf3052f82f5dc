"""The price table that ships with us (`prices.json`), and the shop's own prices before it."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final, cast

from shopping_agent.domain.prices import ModelPrice, PriceTable, parse_prices, price_of

_FILE: Final = Path(__file__).with_name("prices.json")


def price_table(own: str, *, today: date) -> PriceTable:
    """The prices that hold on a day.

    Args:
        own: prices of the shop (MODEL_PRICES); they hold for a model of that name at any provider.
    """
    held = cast(Mapping[str, Any], json.loads(_FILE.read_text(encoding="utf-8")))
    return PriceTable(
        {
            provider: {model: _current(model, entry, today) for model, entry in entries.items()}
            for provider, entries in held["prices"].items()
        },
        parse_prices(own) if own else {},
    )


def _current(model: str, entry: Mapping[str, Any], today: date) -> ModelPrice:
    """Of an entry with an announced change (`then`) the price that holds today."""
    values = dict(entry)
    then = values.pop("then", None)
    if then:
        changed = dict(then)
        if today >= date.fromisoformat(changed.pop("from")):
            values = changed
    return price_of(model, values)
