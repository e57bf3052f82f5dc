"""Neutral messages between our code and any language model, and what a session remembers."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final, Literal

from shopping_agent.domain.query import Change, Order, ShopperQuery, ShownProduct
from shopping_agent.domain.stated_profile import Profile
from shopping_agent.domain.values import frozen

JsonObject = Mapping[str, Any]


@frozen
class DataBlock:
    """Facts that our code adds to the shopper's message. Rendered fenced, as data, never as instructions."""

    name: str
    content: Any


@frozen
class ToolCall:
    """A model's proposal to run a tool.

    Attributes:
        id: unique within a turn; "" where the provider sent none, until the loop names it.
        fault: why it cannot be run (arguments that are no JSON, no name): such a call is answered with this, never run.
    """

    id: str
    name: str
    arguments: JsonObject
    fault: str = ""


@frozen
class UserMessage:
    text: str
    data: tuple[DataBlock, ...] = ()


@frozen
class AssistantMessage:
    """What the model said or proposed. `opaque` is the adapter's own (signatures), echoed back unchanged."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    opaque: Any = None


@frozen
class ToolResult:
    """The observation for one call: a small JSON object."""

    call_id: str
    name: str
    content: JsonObject


Message = UserMessage | AssistantMessage | ToolResult


@frozen
class ToolSpec:
    """A tool as a model sees it: `parameters` is a JSON schema object."""

    name: str
    description: str
    parameters: JsonObject


@frozen
class ModelRequest:
    """One call of a language model.

    Attributes:
        messages: history, then the shopper's message with its data blocks, then this turn's calls and results.
        tools: what the model may propose; empty where no tool was ever in play (RAG).
        query: the message as understood; for the offline planner, never sent to a provider.
        tool_choice: "none" asks for a text although tools stay declared: some providers refuse a history of calls
            beside no declaration.
        temperature: None is the provider's setting.
        plain: send only what every provider takes: no signature or reasoning of earlier calls, no optional parameter.
        turn_id, step: for the log, never sent to a provider.
    """

    system: str
    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    query: ShopperQuery
    max_tokens: int = 600
    tool_choice: Literal["auto", "none"] = "auto"
    temperature: float | None = None
    plain: bool = False
    turn_id: str = ""
    step: int = 1


ModelFinish = Literal["stop", "tool_calls", "length", "refused"]


@frozen
class TokenUsage:
    """Tokens of one or several model calls, in every provider the same way.

    Attributes:
        input_tokens: all that was sent, what came from the provider's cache included.
        output_tokens: all that was generated, reasoning included.
        cached_tokens: of the input, what came from the cache.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    def plus(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
        )


@frozen
class ModelUsage:
    """What one provider's model was used for.

    Attributes:
        model: as the provider named what answered.
        cost_micros: millionths of a US dollar; None where the price is not known.
        most_micros: where it is not, what the dearest model that is known would cost: limits count it.
    """

    provider: str
    model: str
    tokens: TokenUsage
    cost_micros: int | None = None
    most_micros: int = 0


@frozen
class Choice:
    """A chip under a reply."""

    label: str
    product_id: str | None = None


@frozen
class ModelReply:
    """A final text, or proposed tool calls.

    Attributes:
        finish: "length" is a text that was cut off (a call that was cut off is no call); "refused" is a reply that the
            provider blocked, without a text.
        usage: of this reply alone.
        provider, model: who answered, and the model as the provider named it.
        asked: the model that was asked for at that provider.
        spent: of this and the failed attempts before it, by provider and model, oldest first.
        opaque: the adapter's own, `(provider, anything)`; another provider's adapter leaves it out.
        choices: chips offered with a clarifying question (the offline planner fills them).
        asks: the text is a clarifying question before a write: the turn finishes as `clarify`.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: ModelFinish = "stop"
    usage: TokenUsage = field(default_factory=TokenUsage)
    provider: str = ""
    model: str = ""
    spent: tuple[ModelUsage, ...] = ()
    opaque: Any = None
    choices: tuple[Choice, ...] = ()
    asks: bool = False
    asked: str = ""


@frozen
class Exchange:
    """One user turn of a conversation as it is kept: what was said, what was answered."""

    user: str
    assistant: str
    intent: str = "general"
    language: str = ""


@frozen
class Conversation:
    """What a session remembers.

    Attributes:
        exchanges: oldest first.
        shown: products of the last reply that showed any, in the order of the cards: what "the second one" means.
        seen: ids of everything shown in this session (bounded): the write gate's list.
        focus: the product last talked about ("it"), if there is one.
        pending: a question that we asked before a write, so that "yes" or "50 ml" can settle it: `tool`, `arguments`
            and `choices`; of a change that counts from what the cart holds also `change` and `pieces`.
        added: ids that the last turn put into the cart: what a change of mind takes back.
        profile: what is known of the shopper, without what tells of their health.
        asked: keys of the profile that we asked for: none is asked for twice.
        generation: which conversation of the session this is: after an erasure another one begins.
    """

    exchanges: tuple[Exchange, ...] = ()
    shown: tuple[ShownProduct, ...] = ()
    seen: tuple[str, ...] = ()
    focus: ShownProduct | None = None
    pending: JsonObject | None = None
    added: tuple[str, ...] = ()
    profile: Profile = field(default_factory=Profile)
    asked: tuple[str, ...] = ()
    generation: str = field(default="", compare=False)


# Changes whose outcome depends on what the cart holds.
RELATIVE_CHANGES: Final[frozenset[Change]] = frozenset({"more", "less", "half", "double"})


def asked_order(pending: JsonObject | None) -> Order | None:
    """The order behind an open question about a change that counts from what the cart holds; None for any other."""
    change = (pending or {}).get("change")
    if pending is None or change not in RELATIVE_CHANGES:
        return None
    return Order(change, quantity=pending.get("pieces"))


@frozen
class Shopper:
    """Who is asking, from the bearer only: never from a body, a model or a tool argument."""

    id: str
    session_id: str
    kind: Literal["guest", "user"] = "guest"
