"""What is true of the demo store, read from its files alone: a judge that shares no code with what is judged."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from evaluation.client import ROOT

CATALOG: dict[str, dict[str, Any]] = {
    product["id"]: product
    for line in (ROOT / "demo/catalog.jsonl").read_text("utf-8").splitlines()
    if line.strip()
    for product in [json.loads(line)]
}
_GUIDES = "\n".join(file.read_text("utf-8") for file in sorted(ROOT.glob("demo/guides/*.md")))
_CONTACTS = json.loads(
    (ROOT / "layers/shared/shopping_agent/store_pack/store.json").read_text("utf-8")
)["contacts"]
CONTACTS = tuple(str(_CONTACTS[way]) for way in ("whatsapp", "phone", "email"))
SIZE = re.compile(r" - \d+ ml$")
_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩٫٬", "0123456789.,")
_NUMBER = r"\d{1,3}(?:[ \u00a0\u202f.,]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)"
_MONEY = re.compile(
    rf"({_NUMBER})[ \u00a0\u202f]?(?:MAD|DHS?\b|dirhams?|drahm|درهم|دراهم|الدرهم)|(?:MAD|DHS?)[ \u00a0\u202f]?({_NUMBER})",
    re.IGNORECASE,
)


@dataclass
class Facts:
    """Prices and stock of now: the catalog's, unless a scenario has changed them since."""

    changed: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    def price(self, product_id: str) -> float:
        changed = self.changed.get(product_id, {})
        if "price" in changed:
            return changed["price"]
        product = CATALOG[product_id]
        return product["salePrice"] if _on_sale(product) else product["price"]

    def amounts_of(self, product_id: str) -> set[float]:
        """What may be said in money of one product: its price and, while it is reduced, from what and by how much."""
        price, regular = self.price(product_id), CATALOG[product_id]["price"]
        reduced = {regular, regular - price} if price < regular else set[float]()
        return {price} | reduced


def _on_sale(product: Mapping[str, Any]) -> bool:
    if product.get("salePrice") is None:
        return False
    now = datetime.now(UTC)
    begins, ends = product.get("saleFrom"), product.get("saleUntil")
    return (not begins or _moment(begins) <= now) and (not ends or now <= _moment(ends, last=True))


def _moment(text: str, *, last: bool = False) -> datetime:
    if len(text) == len("2026-01-01"):
        day = date.fromisoformat(text)
        time = datetime.max.time() if last else datetime.min.time()
        return datetime.combine(day, time, UTC)
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def amounts(text: str) -> set[float]:
    """The sums of money that a text states, with their currency."""
    found = _MONEY.findall(text.translate(_DIGITS))
    return {_number(before or after) for before, after in found}


def numbers(text: str) -> set[float]:
    """All numbers of a text."""
    return {_number(found) for found in re.findall(_NUMBER, text.translate(_DIGITS))}


def _number(text: str) -> float:
    bare = re.sub(r"[ \u00a0\u202f]", "", text)
    grouped = re.sub(r"[.,](?=\d{3}(?!\d))", "", bare)
    return float(grouped.replace(",", "."))


def _named(text: str) -> set[str]:
    """Products that a text names: with their size, or all sizes of a name without one."""
    full = {i for i, product in CATALOG.items() if product["name"] in text}
    for product_id in full:
        text = text.replace(CATALOG[product_id]["name"], "")
    return full | {i for i, product in CATALOG.items() if SIZE.sub("", product["name"]) in text}


GUIDE_AMOUNTS = amounts(_GUIDES)


def ungrounded(
    answer: str,
    reply: Mapping[str, Any],
    before: Mapping[str, Any],
    said: Iterable[str],
    facts: Facts,
) -> Iterator[str]:
    """Sums of money in an answer that no fact bears out: of the product that their line names, or of any concerned.

    Args:
        before: the cart before this turn.
        said: the shopper's messages so far, whose own figures may be repeated.
    """
    common = {reply["cart"]["total"], before["total"], *GUIDE_AMOUNTS}
    common |= {n for message in said for n in numbers(message)}
    carted = {item["productId"]: item for item in [*before["items"], *reply["cart"]["items"]]}
    concerned = {p["id"] for p in reply["products"]} | set(carted)
    concerned |= _named(answer)
    for line in answer.splitlines():
        named = _named(line) or concerned
        allowed = common.union(*(facts.amounts_of(i) for i in named))
        allowed |= {
            carted[i][key] for i in named if i in carted for key in ("unitPrice", "lineTotal")
        }
        for amount in amounts(line) - allowed:
            yield f"{amount:g} is no sum of {', '.join(sorted(named)) or 'anything here'}"


def fits(product_id: str, price: float, rules: Mapping[str, Any]) -> bool:
    """Whether a product keeps the rules: `maxPrice`, `minPrice`, `families`, `genders`, `onSale`, `without`."""
    known = CATALOG[product_id]
    scents = {*known["families"], *known["accords"]}
    terms = {*scents, *(note for notes in known["notes"].values() for note in notes)}
    return (
        rules.get("minPrice", price) <= price <= rules.get("maxPrice", price)
        and ("families" not in rules or bool(scents & set(rules["families"])))
        and ("genders" not in rules or known["gender"] in rules["genders"])
        and (not rules.get("onSale") or price < known["price"])
        and not (set(rules.get("without", ())) & terms)
    )
