"""ACP's products: one object with its variants, each of which is sold by itself, at minor units of a currency."""

from collections.abc import Generator, Mapping
from decimal import Decimal
from typing import Any, Final, cast

from shopping_agent.adapters.catalog.amounts import MinorUnits
from shopping_agent.adapters.catalog.described import described
from shopping_agent.adapters.catalog.fields import Record, record_id
from shopping_agent.adapters.catalog.formats import malformed
from shopping_agent.domain.feed import RejectedRow

_TEXTS: Final = ("html", "plain", "markdown")
_PLAIN: Final = ("brand", "gender", "families", "notes", "accords")
_MAX_VARIANTS: Final = 2000


def is_acp(value: Mapping[str, Any]) -> bool:
    """Whether an object is a product with variants rather than one of ours."""
    return isinstance(value.get("variants"), list) and "price" not in value


def acp_records(line: int, product: Mapping[str, Any]) -> Generator[Record | RejectedRow]:
    """The variants of a product as records of one line."""
    variants = cast(list[Any], product["variants"])
    group = record_id(product)
    if not variants:
        hint = "give the product a variant with a price"
        yield RejectedRow(line, "missing_price", hint, group)
    parent = described(_about(product))
    for number, variant in enumerate(variants, start=1):
        if not isinstance(variant, dict) or number > _MAX_VARIANTS:
            hint = f"variant {number} is no object, or one of more than {_MAX_VARIANTS}"
            yield malformed(line, hint)
            continue
        values = _values(cast(dict[str, Any], variant))
        values |= {
            "variantOf": group,
            "name": values["name"].strip() or _text(product.get("title")),
        }
        yield Record(line, values, parent)


def _values(variant: Mapping[str, Any]) -> dict[str, Any]:
    price, currency = _price(variant.get("price"))
    available = _object(variant.get("availability"))
    status = available.get("status")
    return {
        **_about(variant),
        "id": variant.get("id"),
        "name": _text(variant.get("title")),
        "price": price,
        "currency": currency,
        "stock": False if available.get("available") is False else available.get("quantity"),
        "availability": status.replace("_", " ") if isinstance(status, str) else "",
        "options": _options(variant.get("variant_options")),
        "sizeMl": variant.get("size"),
        "checkoutId": variant.get("checkoutId"),
    }


def _about(value: Mapping[str, Any]) -> dict[str, Any]:
    """What a product or variant says of itself besides what is sold."""
    about = {name: value[name] for name in _PLAIN if name in value}
    return {
        **about,
        "description": _description(value.get("description")),
        "url": value.get("url"),
        "imageUrl": _image(value.get("media")),
        "tags": [*_words(value.get("tags")), *_words(value.get("categories"))],
    }


def _description(raw: Any) -> str:
    texts = [_object(raw).get(kind) for kind in _TEXTS]
    return next((t for t in texts if isinstance(t, str) and t.strip()), _text(raw))


def _image(raw: Any) -> str:
    media = [_object(one) for one in cast(list[Any], raw if isinstance(raw, list) else [])]
    return next((_text(m.get("url")) for m in media if m.get("type", "image") == "image"), "")


def _words(raw: Any) -> list[str]:
    listed = cast(list[Any], raw if isinstance(raw, list) else [raw])
    found = (_text(_object(one).get("value")) or _text(one) for one in listed)
    return [level for word in found for level in word.split(",") if word]


def _price(raw: Any) -> tuple[Any, str]:
    """(what the price field holds, its currency): amounts are minor units, whole numbers only."""
    if not isinstance(raw, dict):
        return (None if raw is None else MinorUnits(_whole(raw))), ""
    price = cast(dict[str, Any], raw)
    amount = price.get("amount")
    return (None if amount in (None, "") else MinorUnits(_whole(amount))), _text(
        price.get("currency")
    )


def _whole(raw: Any) -> int | None:
    if isinstance(raw, str) and raw.strip().isascii() and raw.strip().isdigit():
        return int(raw) if len(raw) < 20 else None
    if isinstance(raw, bool) or not isinstance(raw, int | Decimal):
        return None
    value = Decimal(raw)
    return int(value) if value.is_finite() and value.adjusted() < 20 and value % 1 == 0 else None


def _options(raw: Any) -> dict[str, Any]:
    listed = [_object(one) for one in cast(list[Any], raw if isinstance(raw, list) else [])]
    return {_text(one.get("name")): one.get("value") for one in listed}


def _object(raw: Any) -> Mapping[str, Any]:
    return cast(dict[str, Any], raw) if isinstance(raw, dict) else {}


def _text(raw: Any) -> str:
    return raw if isinstance(raw, str) else ""
