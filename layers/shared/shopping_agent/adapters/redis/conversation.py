"""A conversation as the JSON that Redis holds, bounded in exchanges, characters and ids."""

import json
from collections.abc import Mapping
from typing import Any, Final

from shopping_agent.domain.conversation import Conversation, Exchange
from shopping_agent.domain.query import ShownProduct
from shopping_agent.errors import StateUnavailableError

MAX_EXCHANGES: Final = 12
MAX_CHARACTERS: Final = 12_000
"""Of all exchanges together; the oldest go first, whole: a history never begins in the middle of one."""
MAX_TEXT: Final = 4_000
MAX_SHOWN: Final = 20
MAX_SEEN: Final = 200
MAX_PENDING: Final = 4_000


def encode_conversation(conversation: Conversation) -> str:
    """The stored JSON of what fits; the newest exchange always does, its texts cut if they must be."""
    document: dict[str, Any] = {
        "exchanges": [[e.user, e.assistant, e.intent] for e in _kept(conversation.exchanges)],
        "shown": [_product(product) for product in conversation.shown[:MAX_SHOWN]],
        "seen": list(dict.fromkeys(reversed(conversation.seen)))[:MAX_SEEN][::-1],
        "focus": _product(conversation.focus) if conversation.focus else None,
        "pending": _pending(conversation.pending),
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def decode_conversation(text: str | None) -> Conversation:
    """The conversation of a stored JSON; an empty one when nothing is stored.

    Raises:
        StateUnavailableError: when it is not one of ours.
    """
    if text is None:
        return Conversation()
    try:
        stored: dict[str, Any] = json.loads(text)
        focus = stored["focus"]
        return Conversation(
            exchanges=tuple(Exchange(*fields) for fields in stored["exchanges"]),
            shown=tuple(ShownProduct(*fields) for fields in stored["shown"]),
            seen=tuple(stored["seen"]),
            focus=ShownProduct(*focus) if focus else None,
            pending=stored["pending"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StateUnavailableError("redis holds an unreadable conversation") from error


def _kept(exchanges: tuple[Exchange, ...]) -> list[Exchange]:
    kept: list[Exchange] = []
    room = MAX_CHARACTERS
    for exchange in reversed(exchanges[-MAX_EXCHANGES:]):
        user, assistant = exchange.user[:MAX_TEXT], exchange.assistant[:MAX_TEXT]
        room -= len(user) + len(assistant)
        if room < 0:
            break
        kept.append(Exchange(user, assistant, exchange.intent))
    return kept[::-1]


def _product(product: ShownProduct) -> list[Any]:
    return [product.id, product.name, product.price, product.size_ml]


def _pending(pending: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A question too large to keep is dropped: half of one could settle something else."""
    if pending is None or len(json.dumps(dict(pending))) > MAX_PENDING:
        return None
    return dict(pending)
