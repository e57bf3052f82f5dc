"""A conversation as Redis holds it, and what a turn adds to it.

A hash: `said` (one exchange a line: its characters, its tokens, its JSON; oldest first), `seen` (ids, newest first),
`shown`, `focus`, `pending`, `added`, `profile` (JSON), `generation`, `version`, and `saves` (ids of the last turns that were saved).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from shopping_agent.domain.conversation import Conversation, Exchange
from shopping_agent.domain.query import ShownProduct
from shopping_agent.domain.stated_profile import Profile
from shopping_agent.domain.text import estimated_tokens

MAX_EXCHANGES: Final = 12
MAX_CHARACTERS: Final = 12_000
MAX_TOKENS: Final = 4_000
"""Of all exchanges together; the oldest go first, whole: a history never begins in the middle of one."""
MAX_TEXT: Final = 2_500
"""Of a message and of an answer, so that the newest exchange always fits."""
MAX_SHOWN: Final = 20
MAX_SEEN: Final = 200
MAX_PENDING: Final = 4_000
MAX_KNOWN: Final = 40
"""Values of a profile, and keys that were asked for."""

FIELDS: Final = ("generation", "said", "seen", "shown", "focus", "pending", "added", "profile")
_REPLACED: Final = ("shown", "focus", "pending", "added", "profile")

ValueT = TypeVar("ValueT")


def decode_conversation(held: Sequence[Any]) -> tuple[Conversation, bool]:
    """The conversation of the values of `FIELDS` (none when nothing is stored), and whether all of it could be read.

    What cannot be read is left out: a shopper without a history is still served.
    """
    if len(held) != len(FIELDS):
        return Conversation(), not held
    values: dict[str, str | None] = {
        name: value for name, value in zip(FIELDS, held, strict=True) if value is not None
    }
    reader = _Reader(values)
    profile, asked = reader.field("profile", _known, (Profile(), ()))
    conversation = Conversation(
        exchanges=tuple(
            e
            for line in (values.get("said") or "").split("\n")
            if line and (e := reader.read(line.split(" ", 2)[-1], _exchange, None)) is not None
        ),
        shown=reader.field("shown", _products, ()),
        seen=reader.field("seen", _texts, ()),
        focus=reader.field("focus", _product, None),
        pending=reader.field("pending", _object, None),
        added=reader.field("added", _texts, ()),
        profile=profile,
        asked=asked,
        generation=values.get("generation") or "",
    )
    return conversation, reader.whole


def change_arguments(before: Conversation, after: Conversation) -> list[str | int]:
    """What a turn adds, for the script: its exchange, ids newly seen, and of what it replaces the old and new text."""
    exchange = "" if after.exchanges == before.exchanges else _line(after.exchanges[-1])
    known = set(before.seen)
    seen = [i for i in after.seen if i not in known][:MAX_SEEN]
    old, new = _replaceable(before), _replaceable(after)
    changed = [name for name in _REPLACED if old[name] != new[name]]
    flat = [part for name in changed for part in (name, old[name], new[name])]
    return [exchange, _json(seen), len(changed), *flat]


class _Reader:
    """Reads what is stored, and remembers when something was not readable."""

    def __init__(self, values: Mapping[str, str | None]) -> None:
        self._values = values
        self.whole = True

    def field(self, name: str, decode: Callable[[Any], ValueT], otherwise: ValueT) -> ValueT:
        text = self._values.get(name)
        return self.read(text, decode, otherwise) if text else otherwise

    def read(self, text: str, decode: Callable[[Any], ValueT], otherwise: ValueT) -> ValueT:
        try:
            return decode(json.loads(text))
        except (ValueError, TypeError, LookupError):
            self.whole = False
            return otherwise


def _exchange(fields: list[str]) -> Exchange | None:
    return Exchange(*map(str, fields))


def _products(stored: list[list[Any]]) -> tuple[ShownProduct, ...]:
    return tuple(ShownProduct(*fields) for fields in stored)


def _product(fields: list[Any]) -> ShownProduct | None:
    return ShownProduct(*fields)


def _texts(stored: list[Any]) -> tuple[str, ...]:
    return tuple(map(str, stored))


def _known(stored: dict[str, Any]) -> tuple[Profile, tuple[str, ...]]:
    stated: dict[str, list[str]] = stored["stated"]
    profile = Profile(tuple((str(key), _texts(values)) for key, values in stated.items()))
    return profile, _texts(stored["asked"])


def _object(stored: dict[str, Any]) -> Mapping[str, Any] | None:
    return dict(stored)


def _line(exchange: Exchange) -> str:
    kept = replace(exchange, user=exchange.user[:MAX_TEXT], assistant=exchange.assistant[:MAX_TEXT])
    text = kept.user + kept.assistant
    document = _json([kept.user, kept.assistant, kept.intent, kept.language])
    return f"{len(text)} {min(MAX_TOKENS, estimated_tokens(text))} {document}"


def _replaceable(conversation: Conversation) -> dict[str, str]:
    shown = [_fields(product) for product in conversation.shown[:MAX_SHOWN]]
    return {
        "shown": _json(shown) if shown else "",
        "focus": _json(_fields(conversation.focus)) if conversation.focus else "",
        "pending": _pending(conversation.pending),
        "added": _json(conversation.added[:MAX_SHOWN]) if conversation.added else "",
        "profile": _profile(conversation),
    }


def _fields(product: ShownProduct) -> list[Any]:
    return [product.id, product.name, product.price, product.size_ml]


def _profile(conversation: Conversation) -> str:
    profile, asked = conversation.profile, conversation.asked
    if not (profile or asked):
        return ""
    stated = {key: list(values)[:MAX_KNOWN] for key, values in profile.stated[:MAX_KNOWN]}
    return _json({"stated": stated, "asked": asked[:MAX_KNOWN]})


def _pending(pending: Mapping[str, Any] | None) -> str:
    """A question too large to keep is dropped: half of one could settle something else."""
    text = "" if pending is None else _json(dict(pending))
    return text if len(text) <= MAX_PENDING else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
