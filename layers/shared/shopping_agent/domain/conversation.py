"""Neutral messages between our code and any language model, and what a session remembers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from shopping_agent.domain.query import ShopperQuery, ShownProduct

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DataBlock:
    """Facts that our code adds to the shopper's message. Rendered fenced, as data, never as instructions."""

    name: str
    content: Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's proposal to run a tool. `id` is unique within a turn."""

    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class UserMessage:
    text: str
    data: tuple[DataBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model said or proposed. `opaque` is the adapter's own (signatures), echoed back unchanged."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    opaque: Any = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The observation for one call: a small JSON object."""

    call_id: str
    name: str
    content: JsonObject


Message = UserMessage | AssistantMessage | ToolResult


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it: `parameters` is a JSON schema object."""

    name: str
    description: str
    parameters: JsonObject


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a language model.

    Attributes:
        messages: history, then the shopper's message with its data blocks, then this turn's calls and results.
        tools: what the model may propose; empty for an answer without tools.
        query: the message as understood; for the offline planner, never sent to a provider.
    """

    system: str
    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    query: ShopperQuery
    max_tokens: int = 600


ModelFinish = Literal["stop", "tool_calls", "length", "refused"]


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one or several model calls."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def plus(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A chip under a reply."""

    label: str
    product_id: str | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A final text, or proposed tool calls.

    Attributes:
        choices: chips offered with a clarifying question (the offline planner fills them).
        asks: the text is a clarifying question before a write: the turn finishes as `clarify`.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: ModelFinish = "stop"
    usage: TokenUsage = field(default_factory=TokenUsage)
    model: str = ""
    opaque: Any = None
    choices: tuple[Choice, ...] = ()
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """One user turn of a conversation as it is kept: what was said, what was answered."""

    user: str
    assistant: str
    intent: str = "general"
    language: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a session remembers.

    Attributes:
        exchanges: oldest first.
        shown: products of the last reply that showed any, in the order of the cards: what "the second one" means.
        seen: ids of everything shown in this session (bounded): the write gate's list.
        focus: the product last talked about ("it"), if there is one.
        pending: a question that we asked before a write, so that "yes" or "50 ml" can settle it.
        added: ids that the last turn put into the cart: what a change of mind takes back.
        generation: which conversation of the session this is: after an erasure another one begins.
    """

    exchanges: tuple[Exchange, ...] = ()
    shown: tuple[ShownProduct, ...] = ()
    seen: tuple[str, ...] = ()
    focus: ShownProduct | None = None
    pending: JsonObject | None = None
    added: tuple[str, ...] = ()
    generation: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Shopper:
    """Who is asking, from the bearer only: never from a body, a model or a tool argument."""

    id: str
    session_id: str
    kind: Literal["guest", "user"] = "guest"
