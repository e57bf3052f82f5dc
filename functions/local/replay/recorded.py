"""A recording as a turn that can be run again: found, still allowed to be used, made by this version."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shopping_agent import __version__, bootstrap
from shopping_agent.adapters.llm.scripted import Step
from shopping_agent.adapters.redis.recordings import RedisRecordings
from shopping_agent.application.recorded_state import Lines, conversation_of, heard_of
from shopping_agent.application.recording import FORMAT
from shopping_agent.domain.conversation import Conversation, JsonObject, ModelReply
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.operation import turn_name
from shopping_agent.errors import (
    DeadlineExceededError,
    LanguageModelError,
    ShoppingAgentError,
)
from shopping_agent.settings import Settings

from functions.local.cli import CommandError

SECONDS = 15.0
REDACTED = ("[phone]", "[email]", "[card]", "[address]", "[private]")
CUT = "…"
"""Ends a text that was too long to be kept whole."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """What runs a turn again.

    Attributes:
        document: the recording, to be compared with another one.
        script: what the model said, in order.
        notes: why the re-run may differ without anybody's fault.
    """

    document: JsonObject
    turn_id: str
    message: str
    locale: str | None
    page: str | None
    cart: Lines
    conversation: Conversation
    script: tuple[Step, ...]
    notes: tuple[str, ...]


def find(settings: Settings, turn_id: str, *, anyway: bool) -> RecordedTurn:
    """The recording of a turn, by its `turnId` or as logs call it.

    Raises:
        CommandError: there is none, it may not be used any more, or another version made it.
    """
    recordings = RedisRecordings(connection=bootstrap.redis(settings))
    deadline = Deadline.after(SECONDS)
    try:
        document = recordings.find(turn_name(turn_id), deadline) or recordings.find(
            turn_id, deadline
        )
    except ShoppingAgentError as error:
        raise CommandError(f"the recordings cannot be read: {error}") from error
    if document is None:
        kept = f"are kept for {settings.record_turns} h" if settings.record_turns else "are off"
        raise CommandError(
            f"no recording of {turn_id}: it was never made, has expired, or its shopper erased it "
            f"(recordings {kept}: RECORD_TURNS)"
        )
    _check_version(document, anyway=anyway)
    try:
        return _turn(document)
    except (KeyError, TypeError, ValueError) as error:
        raise CommandError(f"the recording of {turn_id} is not readable") from error


def _check_version(document: JsonObject, *, anyway: bool) -> None:
    made_by = str(document.get("version", "an earlier version"))[:40]
    if document.get("format") != FORMAT:
        raise CommandError(f"it was recorded by {made_by}, in a form that this version cannot run")
    if made_by != __version__ and not anyway:
        raise CommandError(
            f"it was recorded by version {made_by}, this is {__version__}: use that version, "
            "or --anyway to see what this one makes of it"
        )


def _turn(document: JsonObject) -> RecordedTurn:
    if float(document["until"]) <= time.time():
        raise CommandError("the recording has expired: it was not to be kept this long")
    before: Mapping[str, Any] = document["before"]
    heard = [heard_of(one) for one in document["heard"]]
    message = str(document["message"])
    return RecordedTurn(
        document=document,
        turn_id=str(document["turn"]),
        message=message,
        locale=document["locale"],
        page=document["page"],
        cart=[(str(product_id), int(quantity)) for product_id, quantity in before["cart"]],
        conversation=conversation_of(before["conversation"]),
        script=tuple(map(_step, heard)),
        notes=tuple(_notes(message, heard)),
    )


def _step(heard: ModelReply | str) -> Step:
    if isinstance(heard, ModelReply):
        return heard
    if heard == "deadline":
        return DeadlineExceededError("as recorded")
    return LanguageModelError(heard, "as recorded")  # pyright: ignore[reportArgumentType]


def _notes(message: str, heard: list[ModelReply | str]) -> list[str]:
    notes: list[str] = []
    if any(mark in message for mark in REDACTED):
        notes.append("personal data was taken out of the message: what it said there is not said")
    if any(isinstance(one, ModelReply) and one.text.endswith(CUT) for one in heard):
        notes.append("a reply of the model was cut when it was recorded")
    return notes
