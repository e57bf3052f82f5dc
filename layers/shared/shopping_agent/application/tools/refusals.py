"""How a tool says no: a stable code, words for the model, and what would work."""

from collections.abc import Iterable
from typing import Any, Final

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import JsonObject

_MOST_CHOICES: Final = 4


def refusal(code: str, message: str, **details: Any) -> JsonObject:
    """A refused call as a model sees it; details that are empty are left out."""
    kept = {k: v for k, v in details.items() if v not in (None, [], ())}
    return {"ok": False, "error": {"code": code, "message": message, **kept}}


def choices(products: Iterable[Product]) -> list[dict[str, str]]:
    """Chips for a question."""
    return [{"productId": p.id, "label": p.name} for p in list(products)[:_MOST_CHOICES]]
