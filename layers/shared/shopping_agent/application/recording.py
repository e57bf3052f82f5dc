"""What was said in a turn, kept for some hours where a setting allows: without personal data, and enough to run it again.

A recording is a JSON object: `message`, `page` and `locale` as the turn got them, `data` (the facts given with the message),
`steps` in their order, and how it ended. A step is a reply of the model (`said`, `calls`), the result of a tool (`tool`, `call`,
`result`), or a remark of ours (`asked`). `heard` is what came of each call of the model, and the script of one that runs the
turn again (`shopping-agent replay`) from `before`: the cart and the conversation as the turn found them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent import __version__
from shopping_agent.application.keeping import product_names
from shopping_agent.application.recorded_state import (
    cart_lines,
    conversation_document,
    heard_document,
)
from shopping_agent.application.turn import Turn
from shopping_agent.application.work import Work
from shopping_agent.domain.conversation import (
    AssistantMessage,
    JsonObject,
    Message,
    ToolResult,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.privacy import Privacy
from shopping_agent.errors import DeadlineExceededError, StateUnavailableError
from shopping_agent.observability import count, logger
from shopping_agent.ports import Recordings

FORMAT: Final = 2
"""Of a recording; a new one is what the older code could not run again."""
RECORD_SECONDS: Final = 1.0
MAX_CHARACTERS: Final = 4_000
"""Of a text, and of a result as JSON; what is longer is cut."""
MAX_STEPS: Final = 60


class TurnRecorder:
    """Records turns. A recording that fails takes nothing from the shopper."""

    def __init__(self, *, recordings: Recordings, privacy: Privacy, seconds: int) -> None:
        self._recordings = recordings
        self._privacy = privacy
        self._seconds = seconds

    def record(self, work: Work, turn: Turn, deadline: Deadline) -> None:
        """Keep what was said; after the turn was saved, so that an erasure in between is noticed."""
        context = work.context
        try:
            self._recordings.keep(
                context.shopper,
                context.turn_id,
                self._document(work, turn),
                known=context.conversation.generation,
                seconds=self._seconds,
                deadline=deadline.capped(RECORD_SECONDS),
            )
        except (StateUnavailableError, DeadlineExceededError) as error:
            count("RecordingsFailed")
            logger.warning("turn not recorded", turn=context.turn_id, error=type(error).__name__)

    def _document(self, work: Work, turn: Turn) -> JsonObject:
        context, discreet = work.context, _Discreet(self._privacy, work)
        said = _of_this_turn(turn.messages, context.query.text)
        first = said[0] if said else None
        blocks = first.data if isinstance(first, UserMessage) else ()
        conversation = conversation_document(context.conversation)
        return {
            "format": FORMAT,
            "version": __version__,
            "turn": context.turn_id,
            "at": int(context.now),
            "until": int(context.now) + self._seconds,
            "message": discreet.text(context.query.text),
            "locale": work.locale,
            "page": context.page.id if context.page else None,
            "language": turn.language,
            "intent": turn.intent,
            "route": turn.route,
            "data": [{"name": b.name, "content": discreet.data(b.content)} for b in blocks],
            "steps": [discreet.step(message) for message in said[1 : MAX_STEPS + 1]],
            "heard": [discreet.whole(heard_document(heard)) for heard in turn.heard[:MAX_STEPS]],
            "before": {
                "cart": cart_lines(work.observed.before),
                "conversation": discreet.whole(conversation),
            },
            "cart": cart_lines(turn.cart),
            "actions": [[a.type, a.product_id, a.quantity] for a in turn.actions],
            "verdicts": [
                {"text": discreet.text(text), "faults": list(verdict.faults)}
                for text, verdict in work.verdicts.items()
            ],
            "answer": discreet.text(turn.answer),
            "finish": turn.finish,
            "model": turn.model,
        }


class _Discreet:
    """Messages as they may be kept."""

    def __init__(self, privacy: Privacy, work: Work) -> None:
        observed = work.observed
        self._privacy = privacy
        self._names = product_names(work)
        # An id may look like a phone number or a card's.
        self._ids = {
            *observed.products,
            *(line.product_id for line in (*observed.cart.items, *observed.before.items)),
            *work.context.conversation.seen,
        }

    def step(self, message: Message) -> JsonObject:
        match message:
            case AssistantMessage():
                calls = [
                    {"id": call.id, "name": call.name, "arguments": self.data(call.arguments)}
                    for call in message.tool_calls
                ]
                return {"said": self.text(message.text), "calls": calls}
            case ToolResult():
                result = self.data(message.content)
                return {"tool": message.name, "call": message.call_id, "result": result}
            case UserMessage():
                return {"asked": self.text(message.text)}

    def text(self, text: str) -> str:
        if text in self._ids:
            return text
        kept = self._privacy.for_keeping(text, self._names)
        return kept if len(kept) <= MAX_CHARACTERS else f"{kept[:MAX_CHARACTERS]}…"

    def whole(self, value: Any) -> Any:
        """JSON without personal data, of which only texts are cut."""
        return self._value(value)

    def data(self, value: Any) -> Any:
        """JSON without personal data; as a cut text when it is too long."""
        kept = self._value(value)
        text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"), default=str)
        return kept if len(text) <= MAX_CHARACTERS else {"cut": f"{text[:MAX_CHARACTERS]}…"}

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            held = cast(Mapping[str, Any], value)
            return {str(name): self._value(inner) for name, inner in held.items()}
        if isinstance(value, list | tuple):
            return [self._value(inner) for inner in cast(Sequence[Any], value)]
        return value


def _of_this_turn(messages: Sequence[Message], text: str) -> Sequence[Message]:
    """From the shopper's message on: what was said before it is in the recordings of its own turns."""
    asked = [i for i, m in enumerate(messages) if isinstance(m, UserMessage) and m.text == text]
    return messages[asked[-1] :] if asked else ()
