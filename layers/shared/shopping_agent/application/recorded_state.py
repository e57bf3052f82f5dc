"""What a turn began with, as a part of its recording: the cart and the conversation, written down and read back."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from shopping_agent.domain.cart import Cart
from shopping_agent.domain.conversation import (
    Choice,
    Conversation,
    Exchange,
    JsonObject,
    ModelFinish,
    ModelReply,
    ToolCall,
)
from shopping_agent.domain.query import ShownProduct
from shopping_agent.domain.stated_profile import Profile

Lines = list[tuple[str, int]]
"""Product ids and quantities of a cart."""


def cart_lines(cart: Cart) -> Lines:
    return [(line.product_id, line.quantity) for line in cart.items]


def conversation_document(conversation: Conversation) -> JsonObject:
    """A conversation as JSON; `conversation_of` is the inverse."""
    focus = conversation.focus
    return {
        "exchanges": [[e.user, e.assistant, e.intent, e.language] for e in conversation.exchanges],
        "shown": [_shown(product) for product in conversation.shown],
        "seen": list(conversation.seen),
        "focus": _shown(focus) if focus else None,
        "pending": conversation.pending,
        "added": list(conversation.added),
        "profile": conversation.profile.view(),
        "asked": list(conversation.asked),
    }


def conversation_of(document: Mapping[str, Any]) -> Conversation:
    """The conversation of a `conversation_document`.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    focus = document["focus"]
    profile = cast("Mapping[str, Sequence[str]]", document["profile"])
    return Conversation(
        exchanges=tuple(Exchange(*fields) for fields in document["exchanges"]),
        shown=tuple(ShownProduct(*fields) for fields in document["shown"]),
        seen=tuple(document["seen"]),
        focus=ShownProduct(*focus) if focus else None,
        pending=document["pending"],
        added=tuple(document["added"]),
        profile=Profile(tuple((key, tuple(values)) for key, values in profile.items())),
        asked=tuple(document["asked"]),
    )


def heard_document(heard: ModelReply | str) -> JsonObject:
    """What came of a model's call, as JSON; `heard_of` is the inverse."""
    if isinstance(heard, str):
        return {"failed": heard}
    return {
        "said": heard.text,
        "calls": [
            {"id": c.id, "name": c.name, "arguments": c.arguments, "fault": c.fault}
            for c in heard.tool_calls
        ],
        "finish": heard.finish,
        "asks": heard.asks,
        "choices": [[choice.label, choice.product_id] for choice in heard.choices],
        "provider": heard.provider,
        "model": heard.model,
    }


def heard_of(document: Mapping[str, Any]) -> ModelReply | str:
    """The reply, or the kind of failure, of a `heard_document`.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    if "failed" in document:
        return str(document["failed"])
    calls = cast("Sequence[Mapping[str, Any]]", document["calls"])
    return ModelReply(
        text=str(document["said"]),
        tool_calls=tuple(ToolCall(c["id"], c["name"], c["arguments"], c["fault"]) for c in calls),
        finish=cast(ModelFinish, document["finish"]),
        asks=bool(document["asks"]),
        choices=tuple(Choice(*fields) for fields in document["choices"]),
        provider=str(document["provider"]),
        model=str(document["model"]),
    )


def _shown(product: ShownProduct) -> list[Any]:
    return [product.id, product.name, product.price, product.size_ml]
