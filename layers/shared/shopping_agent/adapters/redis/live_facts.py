"""Live facts as Redis holds them: `revision`, name keys and JSON on three lines, so that Lua need not rewrite the JSON."""

import json
from typing import Any

from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.sounds import sound_key
from shopping_agent.domain.text import family_key, name_key
from shopping_agent.errors import StateUnavailableError

# Lua's cjson reads the same JSON: a null would be truthy there, so none is written.
FACTS_LUA = """
local function body_of(raw)
  return string.match(raw, '^%d+\\n[^\\n]*\\n(.*)$')
end
"""


def encode_facts(facts: LiveFacts, *, source: str = "", uncounted: bool = False) -> tuple[str, str]:
    """The name keys, joined by tabs, and the JSON (amounts in minor units, nothing that is null).

    Args:
        source: catalog file that they come from; with its revision it tells which of two files is newer.
        uncounted: that file says nothing of the stock.
    """
    document = {
        "id": facts.id,
        "name": facts.name,
        **price_fields(facts.price),
        "brand": facts.brand or None,
        "image": facts.image_url or None,
        "stock": facts.stock,
        "variantOf": facts.variant_of,
        "sizeMl": facts.size_ml,
        "checkoutId": facts.checkout_id or None,
        "src": source or None,
        "at": revision_text(facts.revision) if source else None,
        "uncounted": uncounted or None,
    }
    present = {name: value for name, value in document.items() if value is not None}
    return _name_keys(facts.name), json.dumps(present, ensure_ascii=False, separators=(",", ":"))


def price_fields(price: PriceTag) -> dict[str, Any]:
    """A price as the JSON of facts has it; what is not there is left out."""
    fields = {
        "regular": price.regular,
        "currency": price.currency,
        "sale": price.sale,
        "from": price.sale_from,
        "until": price.sale_until,
    }
    return {name: value for name, value in fields.items() if value is not None}


def revision_text(revision: int) -> str:
    """A revision of which text order is number order."""
    return f"{revision:016d}"


def _name_keys(name: str) -> str:
    """What a shopper may call a product: its name, and its name without the size."""
    keys = (name_key(name), family_key(name), sound_key(name))
    return "\t".join(dict.fromkeys(filter(None, keys)))


def decode_facts(raw: str) -> LiveFacts:
    """The facts of a stored value.

    Raises:
        StateUnavailableError: when it is not one of ours.
    """
    try:
        revision, _, body = raw.split("\n", 2)
        stored: dict[str, Any] = json.loads(body)
        return LiveFacts(
            id=stored["id"],
            name=stored["name"],
            price=PriceTag(
                regular=stored["regular"],
                currency=stored["currency"],
                sale=stored.get("sale"),
                sale_from=stored.get("from"),
                sale_until=stored.get("until"),
            ),
            brand=stored.get("brand", ""),
            image_url=stored.get("image", ""),
            stock=stored.get("stock"),
            variant_of=stored.get("variantOf"),
            size_ml=stored.get("sizeMl"),
            checkout_id=stored.get("checkoutId", ""),
            revision=int(revision),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StateUnavailableError("redis holds unreadable facts") from error
