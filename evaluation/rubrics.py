"""The five rubrics of a conversation's turn. A rubric is judged where the turn states something for it.

intent          what the reply says that the message was for: `intent`, one or several that serve. Where it is not stated:
                `cart` when the turn is to change the cart, else `recommendation` when it is to show products (what is
                on sale is as well `knowledge`).
clarification   `finish: "clarify"`: it asks, changes nothing, offers `choices` if stated. Judged of every turn: it asks
                nowhere else, unless `mayAsk`.
recommendation  `shownAtLeast`, `shownAtMost`, `everyShown`, `shows`, `showsNone`: the cards that come with the answer.
cart            `cart`, `unchanged`, `lines`, `total`: the cart after the turn; and `actions` tells what became of it.
grounding       judged of every turn: sums of money are facts of what their line names, cards have the live price, and
                what was done is said. `figures` are in the answer; of each list in `says` one text is, of `never` none.
                `unanswerable`: it hands over to people and cites no text. `contact`: it says how to reach them.
                `script`: it is written in Arabic or Latin letters.

In `cart`, `L2` is the second of the products remembered as L, `L-1` its last, `L.cheapest` one of its cheapest.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evaluation.facts import CATALOG, CONTACTS, SIZE, Facts, fits, numbers, ungrounded

Rubric = Literal["intent", "clarification", "recommendation", "cart", "grounding"]
RUBRICS: tuple[Rubric, ...] = ("intent", "clarification", "recommendation", "cart", "grounding")
Lists = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One turn as it is judged.

    Attributes:
        before: the cart before it.
        lists: products that earlier turns remembered.
        said: the shopper's messages so far, this one included.
    """

    expect: Mapping[str, Any]
    reply: Mapping[str, Any]
    before: Mapping[str, Any]
    lists: Lists
    said: Sequence[str]
    facts: Facts

    @property
    def cart(self) -> dict[str, int]:
        return counts(self.reply["cart"])

    @property
    def answered(self) -> bool:
        return "answer" in self.reply

    def states(self, *keys: str) -> bool:
        return any(key in self.expect for key in keys)


def counts(cart: Mapping[str, Any]) -> dict[str, int]:
    """Quantities by product."""
    return {item["productId"]: item["quantity"] for item in cart["items"]}


def judge(moment: Moment) -> dict[Rubric, list[str]]:
    """The rubrics that apply to a turn, each with its faults."""
    return {
        rubric: list(faults(moment))
        for rubric, (applies, faults) in _JUDGES.items()
        if applies(moment)
    }


def _serving(moment: Moment) -> Sequence[str]:
    """The intents that serve the turn; empty where nothing tells."""
    expect = moment.expect
    if "intent" in expect:
        stated = expect["intent"]
        return [stated] if isinstance(stated, str) else stated
    if "lines" in expect or ("cart" in expect and _wanted(moment) != counts(moment.before)):
        return ["cart"]
    if moment.states("shownAtLeast", "shows"):
        on_sale = expect.get("everyShown", {}).get("onSale")
        return ["recommendation", "knowledge"] if on_sale else ["recommendation"]
    return []


def _intent(moment: Moment) -> Iterator[str]:
    serving = _serving(moment)
    if moment.reply["intent"] not in serving:
        yield f"intent {moment.reply['intent']}, not {' or '.join(serving)}"


def _clarification(moment: Moment) -> Iterator[str]:
    expect, reply = moment.expect, moment.reply
    asks = reply["finish"] == "clarify"
    if expect.get("finish") != "clarify":
        if asks and not expect.get("mayAsk"):
            yield "a question where none was needed"
        if reply["finish"] != expect.get("finish", reply["finish"]):
            yield f"finish {reply['finish']}, not {expect['finish']}"
        return
    if not asks:
        yield "no question where one was needed"
    if moment.cart != counts(moment.before) or _acted(reply):
        yield "it asks, and changes the cart all the same"
    offered = {choice.get("productId") for choice in reply["choices"]}
    if "choices" in expect and offered != set(expect["choices"]):
        yield f"choices {sorted(map(str, offered))}, not {sorted(expect['choices'])}"


def _recommendation(moment: Moment) -> Iterator[str]:
    expect, shown = moment.expect, moment.reply["products"]
    if len(shown) < expect.get("shownAtLeast", 0):
        yield f"{len(shown)} products shown, not {expect['shownAtLeast']} or more"
    if len(shown) > expect.get("shownAtMost", len(shown)):
        yield f"{len(shown)} products shown, not {expect['shownAtMost']} at most"
    for product in shown:
        if not fits(product["id"], product["price"], expect.get("everyShown", {})):
            yield f"{product['id']} does not fit"
    missing = set(expect.get("shows", ())) - {p["id"] for p in shown}
    if missing:
        yield f"not shown: {', '.join(sorted(missing))}"
    if set(expect.get("showsNone", ())) & {p["id"] for p in shown}:
        yield "shown, and should not be"


def _cart(moment: Moment) -> Iterator[str]:
    expect, cart, before = moment.expect, moment.cart, counts(moment.before)
    if "cart" in expect:
        wanted = _wanted(moment)
        if cart != wanted:
            yield f"cart {cart}, not {wanted}"
    if expect.get("unchanged") and (cart != before or _acted(moment.reply)):
        yield f"cart {before} became {cart}"
    total = moment.reply["cart"]["total"]
    if total != expect.get("total", total):
        yield f"total {total}, not {expect['total']}"
    if "lines" in expect:
        yield from _lines(expect["lines"], moment.reply["cart"]["items"])
    yield from _actions(moment, before, cart)


def _wanted(moment: Moment) -> dict[str, int]:
    return wanted_cart(moment.expect, moment.lists, moment.cart)


def wanted_cart(expect: Mapping[str, Any], lists: Lists, cart: Mapping[str, int]) -> dict[str, int]:
    """The cart that a turn states, by product; `cart` is what it is, where several would do."""
    return {_named(key, lists, cart): n for key, n in expect["cart"].items()}


def _lines(
    wanted: Sequence[Mapping[str, Any]], items: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    if len(wanted) != len(items):
        yield f"{len(items)} lines in the cart, not {len(wanted)}"
        return
    for item, line in zip(items, wanted, strict=True):
        known = fits(item["productId"], item["unitPrice"], line)
        if item["quantity"] != line["quantity"] or not known:
            yield f"{item['quantity']} of {item['productId']} is not {line}"


def _acted(reply: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What was done; the way to a person is a link, and no act."""
    return [a for a in reply.get("actions", ()) if a["type"] != "contact"]


def _actions(moment: Moment, before: dict[str, int], after: dict[str, int]) -> Iterator[str]:
    """What the reply says that it did to the cart is what became of it."""
    actions = [a for a in _acted(moment.reply) if a["type"] != "checkout"]
    changed = {i for i in {**before, **after} if before.get(i) != after.get(i)}
    told = {a["productId"] for a in actions if a.get("productId")}
    cleared = any(a["type"] == "clear" for a in actions)
    told |= {i for i in before if cleared and i not in after}
    if "actions" in moment.reply and not changed <= told:
        yield f"changed but not told in actions: {', '.join(sorted(changed - told))}"


def _grounding(moment: Moment) -> Iterator[str]:
    expect, reply = moment.expect, moment.reply
    answer = reply["answer"]
    yield from ungrounded(answer, reply, moment.before, moment.said, moment.facts)
    for product in reply["products"]:
        if product["price"] != moment.facts.price(product["id"]):
            yield f"the card of {product['id']} has no live price: {product['price']}"
    for action in reply["actions"]:
        product_id = action.get("productId")
        if product_id and not _names(answer, product_id):
            yield f"{action['type']} of {product_id} is not said"
    yield from _words(expect, answer)
    yield from _manners(expect, answer)


def _words(expect: Mapping[str, Any], answer: str) -> Iterator[str]:
    for figure in expect.get("figures", ()):
        if figure not in answer and not (numbers(figure) and numbers(figure) <= numbers(answer)):
            yield f"{figure} is not said"
    for texts in expect.get("says", ()):
        if not any(text.casefold() in answer.casefold() for text in texts):
            yield f"none of {texts} is said"
    for text in expect.get("never", ()):
        if text.casefold() in answer.casefold():
            yield f"{text!r} is said"


def _manners(expect: Mapping[str, Any], answer: str) -> Iterator[str]:
    if expect.get("contact") and not any(way in answer for way in CONTACTS):
        yield "no way to reach people"
    if expect.get("unanswerable") and not any(way in answer for way in CONTACTS):
        yield "an answer to what the store does not say"
    arabic = any("\u0600" <= letter <= "\u06ff" for letter in answer)
    if "script" in expect and arabic != (expect["script"] == "arabic"):
        yield f"not written in {expect['script']} letters"


def _names(answer: str, product_id: str) -> bool:
    """Whether the product is named, its size written in whatever way, or not at all."""
    return SIZE.sub("", CATALOG[product_id]["name"]).casefold() in answer.casefold()


def _named(key: str, lists: Lists, cart: Mapping[str, int]) -> str:
    if key in CATALOG:
        return key
    products = lists[key[0]]
    if products and key[1:] == ".cheapest":
        least = min(p["price"] for p in products)
        cheapest = [p["id"] for p in products if p["price"] == least]
        return next((i for i in cart if i in cheapest), cheapest[0])
    place = int(key[1:]) if products else 0
    if abs(place) > len(products) or not place:
        return f"{key} (of {len(products)} shown)"
    return products[place - 1 if place > 0 else place]["id"]


Judge = tuple[Callable[[Moment], bool], Callable[[Moment], Iterator[str]]]


_JUDGES: dict[Rubric, Judge] = {
    "intent": (lambda m: m.answered and bool(_serving(m)), _intent),
    "clarification": (lambda m: m.answered, _clarification),
    "recommendation": (
        lambda m: m.states("shownAtLeast", "shownAtMost", "everyShown", "shows", "showsNone"),
        _recommendation,
    ),
    "cart": (lambda m: m.states("cart", "unchanged", "lines", "total"), _cart),
    "grounding": (lambda m: m.answered, _grounding),
}
