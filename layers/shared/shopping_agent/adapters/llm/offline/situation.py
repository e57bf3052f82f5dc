"""What the planner sees: the understood message, the facts that came with it, and what this turn's tools answered."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final, cast

from shopping_agent.domain.conversation import (
    AssistantMessage,
    JsonObject,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from shopping_agent.domain.evidence import Passage
from shopping_agent.domain.money import to_minor
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.values import frozen

_SEARCHES: Final = ("search_products", "recommend_products", "recommend")


@frozen
class Item:
    """A product as this turn's observations show it.

    Attributes:
        price: minor units of `currency`; None where no observation states it.
        facts: the observation itself.
    """

    id: str
    name: str
    facts: JsonObject
    price: int | None = None
    currency: str = ""

    @property
    def size_ml(self) -> int | None:
        return self.facts.get("sizeMl")

    @property
    def in_stock(self) -> bool:
        return bool(self.facts.get("inStock", True)) and self.facts.get("stock") != 0

    def values(self, key: str) -> tuple[str, ...]:
        """A fact that is a list, or one text, as a tuple."""
        value: Any = self.facts.get(key) or ()
        return (value,) if isinstance(value, str) else tuple(map(str, value))


@frozen
class Outcome:
    """A call of this turn with its observation."""

    call: ToolCall
    content: JsonObject

    @property
    def ok(self) -> bool:
        return "error" not in self.content and self.content.get("ok", True) is True

    @property
    def done(self) -> bool:
        """Whether a change was made: only when the tool says so."""
        return self.content.get("ok") is True

    @property
    def error(self) -> JsonObject:
        return _mapping(self.content.get("error"))


@frozen
class Situation:
    """One model request, read.

    Attributes:
        cart: the cart as it is now (`Cart.view()`); `cart_before` as the turn began.
        found: products of the searches, best first; `searched` says whether there was one.
        added: what the last turn put into the cart.
        best: id of the top of the ranking.
        relaxed: wishes that the search had to drop; `missing` the notes among them that nothing found has.
        kinds: sorts of the lines of the cart that are of another sort than what the store mainly sells.
        traits: canonical notes and families of the lines of the cart, as far as their facts were observed.
        advice: what the store's rules say of what was found; `why_not` of the product that was asked about.
    """

    query: ShopperQuery
    currency: str
    tools: Mapping[str, ToolSpec]
    outcomes: tuple[Outcome, ...] = ()
    cart: JsonObject | None = None
    cart_before: JsonObject | None = None
    shown: tuple[Item, ...] = ()
    focus: Item | None = None
    page: Item | None = None
    pending: JsonObject | None = None
    added: tuple[Item, ...] = ()
    found: tuple[Item, ...] = ()
    searched: bool = False
    best: str | None = None
    relaxed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    details: tuple[Item, ...] = ()
    passages: tuple[Passage, ...] = ()
    looked_up: bool = False
    contact: JsonObject | None = None
    kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    traits: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    advice: JsonObject = field(default_factory=dict[str, Any])
    why_not: JsonObject = field(default_factory=dict[str, Any])

    def outcome(self, tool: str, arguments: JsonObject) -> Outcome | None:
        """The last observation of this very call, if it was made."""
        return next(
            (
                o
                for o in reversed(self.outcomes)
                if o.call.name == tool and dict(o.call.arguments) == dict(arguments)
            ),
            None,
        )

    def called(self, tool: str) -> bool:
        return any(o.call.name == tool for o in self.outcomes)

    def cart_items(self, *, before: bool = True) -> tuple[Item, ...]:
        cart = (self.cart_before if before else self.cart) or {}
        currency = str(cart.get("currency") or self.currency)
        return tuple(
            item
            for line in _objects(cart.get("items"))
            if (item := _item({"id": line.get("productId"), **line}, currency)) is not None
        )

    def held(self, product_id: str, *, before: bool = True) -> int:
        """How many pieces of a product the cart held as the turn began, or holds now."""
        lines = _objects(((self.cart_before if before else self.cart) or {}).get("items"))
        return next((int(x["quantity"]) for x in lines if x.get("productId") == product_id), 0)

    def known(self) -> tuple[Item, ...]:
        """Every product that an observation of this turn speaks of, the fullest facts first, each once."""
        everything = (
            *self.details,
            *self.found,
            *((self.page,) if self.page else ()),
            *self.shown,
            *((self.focus,) if self.focus else ()),
            *self.cart_items(before=False),
            *self.cart_items(),
        )
        return tuple({item.id: item for item in reversed(everything)}.values())[::-1]

    def found_by(self, words: str) -> tuple[Item, ...]:
        """What a search of this turn by exactly these words found."""
        searches = [o for o in self.outcomes if o.ok and o.call.name == "search_products"]
        meant = [o.content for o in searches if o.call.arguments.get("query") == words]
        return _items([p for content in meant for p in _products(content)], self.currency)

    def advised(self, what: str) -> list[str]:
        """Sentences of the advice: those to `say`, or the `questions` worth asking."""
        given = cast("list[Any]", self.advice.get(what) or [])
        return [
            str(_mapping(one).get("text", "")) if isinstance(one, Mapping) else str(one)
            for one in given
        ]

    def item(self, product_id: str) -> Item | None:
        return next((item for item in self.known() if item.id == product_id), None)


def read(request: ModelRequest, currency: str) -> Situation:
    """The situation of a request.

    Args:
        request: as the loop sends it: data blocks in the last user message, then this turn's calls and results.
        currency: the store's, for amounts whose observation names none.
    """
    said = [i for i, m in enumerate(request.messages) if isinstance(m, UserMessage)]
    # A loop may add a bare reminder after the results: the shopper's message is the one with facts.
    with_facts = [i for i in said if cast(UserMessage, request.messages[i]).data]
    position = max(with_facts or said, default=-1)
    blocks: dict[str, Any] = {}
    if position >= 0:
        message = cast(UserMessage, request.messages[position])
        blocks = {block.name: block.content for block in message.data}
    outcomes = _outcomes(request.messages[position + 1 :])
    carts = [c for c in (_mapping(o.content.get("cart")) for o in outcomes if o.ok) if c]
    before = _mapping(blocks.get("cart")) or (carts[0] if carts and not _wrote(outcomes) else None)
    searches = _contents("search_products", _SEARCHES, blocks, outcomes)
    guides = _contents("search_guides", ("search_guides",), blocks, outcomes)
    details = [_mapping(o.content.get("product")) for o in outcomes if o.call.name == "get_product"]
    details += [
        x for o in outcomes if o.call.name == "compare_products" for x in _products(o.content)
    ]
    contacts = [_mapping(o.content.get("contact")) for o in outcomes if o.ok]
    return Situation(
        query=request.query,
        currency=currency,
        tools={t.name: t for t in request.tools} if request.tool_choice == "auto" else {},
        outcomes=outcomes,
        cart=carts[-1] if carts else before,
        cart_before=before,
        shown=_items(_objects(blocks.get("shown")), currency),
        focus=_item(_mapping(blocks.get("focus")), currency),
        page=_item(_mapping(blocks.get("page")), currency),
        pending=_mapping(blocks.get("pending")) or None,
        added=_items(_objects(blocks.get("added")), currency),
        found=_items([p for s in searches for p in _products(s)], currency),
        searched=bool(searches),
        best=next((str(s["best"]) for s in reversed(searches) if s.get("best")), None),
        relaxed=tuple(str(r) for s in searches for r in s.get("relaxed") or ()),
        missing=tuple(str(r) for s in searches for r in s.get("missing") or ()),
        details=_items(details, currency),
        passages=tuple(
            Passage.from_observation(p) for g in guides for p in _objects(g.get("passages"))
        ),
        looked_up=bool(guides),
        contact=next((c for c in contacts if c), None),
        advice=_mapping(blocks.get("advice")),
        why_not=_mapping(blocks.get("why_not")),
    )


def _outcomes(messages: Sequence[object]) -> tuple[Outcome, ...]:
    calls = {c.id: c for m in messages if isinstance(m, AssistantMessage) for c in m.tool_calls}
    return tuple(
        Outcome(calls.get(m.call_id) or ToolCall(m.call_id, m.name, {}), m.content)
        for m in messages
        if isinstance(m, ToolResult)
    )


def _wrote(outcomes: Sequence[Outcome]) -> bool:
    return any(o.ok and o.call.name != "get_cart" and o.content.get("cart") for o in outcomes)


def _contents(
    block: str, tools: Sequence[str], blocks: Mapping[str, Any], outcomes: Sequence[Outcome]
) -> list[JsonObject]:
    """The pre-run result, then those of this turn's calls; failures are none."""
    pre_run = _mapping(blocks.get(block))
    ran = [o.content for o in outcomes if o.ok and o.call.name in tools]
    return ([pre_run] if pre_run and "error" not in pre_run else []) + ran


def _mapping(value: Any) -> JsonObject:
    return cast(JsonObject, value) if isinstance(value, Mapping) else {}


def _objects(value: Any) -> list[JsonObject]:
    listed = cast(list[Any], value) if isinstance(value, list | tuple) else []
    return [x for x in map(_mapping, listed) if x]


def _products(content: JsonObject) -> list[JsonObject]:
    return _objects(content.get("products"))


def _items(objects: Sequence[JsonObject], currency: str) -> tuple[Item, ...]:
    """Each product once, in order."""
    found = [item for o in objects if (item := _item(o, currency)) is not None]
    return tuple({item.id: item for item in found}.values())


def _item(facts: JsonObject, currency: str) -> Item | None:
    if not facts.get("id") or not facts.get("name"):
        return None
    stated = str(facts.get("currency") or currency)
    amount = facts.get("price", facts.get("unitPrice"))
    return Item(
        id=str(facts["id"]),
        name=str(facts["name"]),
        facts=facts,
        price=None if amount is None else to_minor(str(amount), stated),
        currency=stated,
    )
