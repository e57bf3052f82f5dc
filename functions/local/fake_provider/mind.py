"""The small model: it searches when it has seen no product, adds what it should, and says what is so.

It reads only what it is sent (tools, data blocks, results), as a real model does, and never counts calls.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from functions.local.fake_provider.conversation import Conversation
from functions.local.fake_provider.script import Call, Move

_ADD: Final = re.compile(
    r"\b(?:add|ajoutez?|ajouter|mets|mettez|zid(?:ha|hom|ih|i)?|put)\b|أضف|اضف|زيد|ضيف",
    re.IGNORECASE,
)
_BUDGET: Final = re.compile(r"(\d[\d  .,]*)\s*(?:mad|dh|dirhams?|درهم)", re.IGNORECASE)
_MAKE_IT: Final = re.compile(
    r"(?:\b(?:make it|rather|plutôt|mets-en|dirha)|اجعلها|اجعله|ديرها|ديرو)\s+"
    r"(\d{1,2}|two|three|deux|trois|jouj|tlata|اثنين|ثلاثة|جوج|تلاتة)\b",
    re.IGNORECASE,
)
_REMOVE: Final = re.compile(
    r"\b(?:remove|retire[zr]?|enl[eè]ve[zr]?|7[iy]+e?d(?:ha|o|hom)?)\b|احذف|حيد", re.IGNORECASE
)
_EMPTY: Final = re.compile(
    r"\b(?:empty|clear|vide[zr]?)\b.*\b(?:cart|panier)\b|أفرغ|\bخوي\b", re.IGNORECASE
)
_NUMBERS: Final[dict[str, int]] = {
    **dict.fromkeys(("two", "deux", "jouj", "اثنين", "جوج"), 2),
    **dict.fromkeys(("three", "trois", "tlata", "ثلاثة", "تلاتة"), 3),
}
_CHANGES: Final = ("update_cart_item", "remove_from_cart", "clear_cart")
_TEXTS: Final = {
    "French": {
        "changed": "C'est fait. Total du panier : {total} {currency}.",
        "added": "J'ai ajouté {name} à votre panier ({price} {currency}). Total du panier : {total} {currency}.",
        "found": "Je vous propose : {names}.",
        "guide": "D'après notre guide : {text}",
        "failed": "Je n'ai pas pu le faire : {why}",
        "hello": "Comment puis-je vous aider ?",
    },
    "Arabic": {
        "changed": "تم. مجموع السلة: {total} {currency}.",
        "added": "أضفت {name} إلى سلتك ({price} {currency}). مجموع السلة: {total} {currency}.",
        "found": "أقترح عليك: {names}.",
        "guide": "حسب دليلنا: {text}",
        "failed": "لم أتمكن من ذلك: {why}",
        "hello": "كيف يمكنني مساعدتك؟",
    },
    "English": {
        "changed": "Done. Your cart total is {total} {currency}.",
        "added": "I added {name} to your cart ({price} {currency}). Your cart total is {total} {currency}.",
        "found": "I would suggest: {names}.",
        "guide": "According to our guide: {text}",
        "failed": "I could not do that: {why}",
        "hello": "How can I help you?",
    },
}


def decide(seen: Conversation, *, searches: bool = False) -> Move:
    """The model's next move.

    Args:
        searches: it searches once by itself although it was given products, as a plain loop does.
    """
    products = _products(seen)
    if searches and not seen.answered("search_products") and "search_products" in seen.tools:
        products = []
    adds = seen.answered("add_to_cart")
    if adds:
        return _after_adding(seen, adds[-1], products)
    if (change := _changing(seen)) is not None:
        return change
    if _ADD.search(seen.message):
        return _adding(seen, products)
    if passages := _passages(seen):
        return Move(_say(seen, "guide", text=_first_sentences(str(passages[0].get("text", "")))))
    if products:
        return Move(_say(seen, "found", names=_named(products)))
    return Move(_say(seen, "hello"))


def _changing(seen: Conversation) -> Move | None:
    """A change of what is in the cart, or the word that it is done; None where none is wanted."""
    done = [content for tool in _CHANGES for content in seen.answered(tool)]
    if done:
        cart, total = done[-1].get("cart") or {}, done[-1].get("cartTotal", "")
        return Move(_say(seen, "changed", total=total, currency=cart.get("currency", "")))
    lines = (seen.data.get("cart") or {}).get("items") or ()
    arguments = {"productId": lines[0]["productId"]} if lines else {}
    number = _MAKE_IT.search(seen.message)
    if number and lines and "update_cart_item" in seen.tools:
        quantity = _NUMBERS.get(number[1].lower()) or int(number[1])
        return Move(calls=[Call("update_cart_item", {**arguments, "quantity": quantity})])
    if _EMPTY.search(seen.message) and "clear_cart" in seen.tools:
        return Move(calls=[Call("clear_cart", {})])
    if _REMOVE.search(seen.message) and lines and "remove_from_cart" in seen.tools:
        return Move(calls=[Call("remove_from_cart", arguments)])
    return None


def _adding(seen: Conversation, products: list[Mapping[str, Any]]) -> Move:
    chosen = _chosen(seen, products)
    if chosen is None and "search_products" in seen.tools and not seen.answered("search_products"):
        return Move(calls=[Call("search_products", _search(seen.message))])
    if chosen is not None and "add_to_cart" in seen.tools:
        return Move(calls=[Call("add_to_cart", {"productId": chosen["id"], "quantity": 1})])
    if products:
        return Move(_say(seen, "found", names=_named(products)))
    return Move(_say(seen, "hello"))


def _after_adding(
    seen: Conversation, result: Mapping[str, Any], products: list[Mapping[str, Any]]
) -> Move:
    if result.get("ok"):
        return Move(_confirmation(seen, result))
    error = result.get("error") or {}
    best = error.get("best")
    if best and "add_to_cart" in seen.tools and len(seen.answered("add_to_cart")) == 1:
        return Move(calls=[Call("add_to_cart", {"productId": best, "quantity": 1})])
    if error.get("code") in ("invalid_arguments", "tool_unavailable") and products:
        # It tries once more, properly.
        again = len(seen.answered("add_to_cart")) == 1 and bool(seen.tools)
        return (
            _adding(seen, products) if again else Move(_say(seen, "found", names=_named(products)))
        )
    return Move(_say(seen, "failed", why=str(error.get("message", "?"))))


def _confirmation(seen: Conversation, result: Mapping[str, Any]) -> str:
    cart = result.get("cart") or {}
    name = str(result.get("name", ""))
    line = next((i for i in cart.get("items", ()) if i.get("name") == name), {})
    return _say(
        seen,
        "added",
        name=name,
        price=line.get("unitPrice", ""),
        total=result.get("cartTotal", ""),
        currency=cart.get("currency", ""),
    )


def _chosen(seen: Conversation, products: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The product that the observations name best, else the first that can be bought within the budget."""
    best = [r.get("best") for r in (*seen.answered("search_products"), _block(seen)) if r]
    budget = _budget(seen.message)
    fitting = [
        p
        for p in products
        if p.get("inStock", True) and (budget is None or float(p.get("price", 0)) <= budget)
    ]
    named = next((p for p in fitting if p.get("id") in best), None)
    return named or (fitting[0] if fitting else None)


def _products(seen: Conversation) -> list[Mapping[str, Any]]:
    """Products in the results (newest first), then in the data."""
    results = reversed(seen.answered("search_products") + seen.answered("get_product"))
    found = [p for r in results for p in (*r.get("products", ()), *_one(r))]
    return [*found, *_block(seen).get("products", ()), *_one(seen.data.get("page"))]


def _block(seen: Conversation) -> Mapping[str, Any]:
    block = seen.data.get("search_products")
    return block if isinstance(block, dict) else {}


def _one(value: Any) -> list[Mapping[str, Any]]:
    if not isinstance(value, dict):
        return []
    product = value.get("product", value)
    return [product] if "id" in product and "price" in product else []


def _passages(seen: Conversation) -> list[Mapping[str, Any]]:
    blocks = [*seen.answered("search_guides"), seen.data.get("search_guides") or {}]
    return [p for block in blocks for p in block.get("passages", ())]


def _search(message: str) -> dict[str, Any]:
    budget = _budget(message)
    return {"query": message[:400], **({"maxPrice": budget} if budget is not None else {})}


def _budget(message: str) -> float | None:
    found = _BUDGET.search(message)
    if found is None:
        return None
    digits = re.sub(r"\D", "", re.sub(r"[.,]\d{1,2}\s*$", "", found[1]))
    return float(digits) if digits else None


def _named(products: list[Mapping[str, Any]]) -> str:
    return "; ".join(f"{p['name']}, {p['price']} {p.get('currency', '')}" for p in products[:3])


def _first_sentences(text: str) -> str:
    return " ".join(re.split(r"(?<=[.!?؟])\s+", text.strip())[:2])


def _say(seen: Conversation, which: str, **facts: Any) -> str:
    language = next((name for name in ("French", "Arabic") if name in seen.system), "English")
    return _TEXTS[language][which].format(**facts)
