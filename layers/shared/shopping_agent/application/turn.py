"""What one turn gives back: the answer and everything a storefront shows beside it."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from shopping_agent.domain.cart import Cart
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import (
    Choice,
    Message,
    ModelReply,
    ModelUsage,
    TokenUsage,
)
from shopping_agent.domain.intent import Finish, Intent, Language, Route
from shopping_agent.domain.values import frozen
from shopping_agent.errors import LanguageModelError

ActionType = Literal["add", "update", "remove", "clear", "checkout", "contact"]


@frozen
class CartAction:
    """One change that this turn made to the cart, or a link: to its checkout, or to a person.

    Attributes:
        quantity: pieces added, or the new quantity of an update; 0 for a removal.
        undo: whether undoing the cart now takes back exactly this change (only the last one can be).
        url, expires_at: of a link: where to, and until when (seconds since the epoch) if it ends.
    """

    type: ActionType
    product_id: str | None = None
    quantity: int = 0
    undo: bool = False
    url: str = ""
    expires_at: int = 0


@frozen
class Turn:
    """The outcome of one message.

    Attributes:
        products: the products concerned, in the order of their cards, at live prices.
        sources: guides that the answer rests on, as the store names them.
        unanswered: the store's texts did not hold the answer.
        usage: of all model calls of the turn, those that failed included; `spent`: the same by provider and model.
        messages: what the model was sent last, with what it said last: for recordings.
        heard: what came of each call of the model, in order: a reply, or the kind of a failure: for recordings.
        reasons: why products were recommended, by id, in the shopper's language.
    """

    answer: str
    intent: Intent
    route: Route
    language: Language
    cart: Cart
    products: tuple[Product, ...] = ()
    choices: tuple[Choice, ...] = ()
    suggestions: tuple[str, ...] = ()
    actions: tuple[CartAction, ...] = ()
    sources: tuple[str, ...] = ()
    finish: Finish = "answered"
    usage: TokenUsage = field(default_factory=TokenUsage)
    model: str = ""
    unanswered: bool = False
    spent: tuple[ModelUsage, ...] = ()
    messages: tuple[Message, ...] = ()
    heard: tuple[ModelReply | str, ...] = ()
    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class TurnRepeated(Exception):  # noqa: N818  (a signal, not a fault)
    """The turn was answered before. `reply` is what was kept of its reply."""

    def __init__(self, reply: str) -> None:
        super().__init__("answered before")
        self.reply = reply


@frozen
class Outcome:
    """How answering or acting ended.

    Attributes:
        text: empty when the answer must be built from what was observed.
        asks: the text is a clarifying question before a write.
        sent_back: the model was told what did not hold in its first text.
        failure: what the provider failed with, where that ended it.
        heard: as of a `Turn`.
        usage: of all model calls, those that failed included; `spent`: the same by provider and model.
        messages: what the model was sent last, with what it said last: for recordings.
    """

    text: str
    finish: Finish
    usage: TokenUsage = field(default_factory=TokenUsage)
    model: str = ""
    choices: tuple[Choice, ...] = ()
    asks: bool = False
    spent: tuple[ModelUsage, ...] = ()
    messages: tuple[Message, ...] = ()
    heard: tuple[ModelReply | str, ...] = ()
    failure: LanguageModelError | None = None
    sent_back: bool = False
