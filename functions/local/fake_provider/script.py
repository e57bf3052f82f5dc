"""What a test may tell the fake provider to answer: a whole HTTP answer with its misbehaviour, or a model's move."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Dialect = Literal["gemini", "groq", "xai", "openai"]

Behaviour = Literal["whole", "reset", "close", "headers", "cut", "drip", "hang", "stale"]
"""whole: as it should be. reset, close: the connection is reset or closed before any byte. headers: closed after the
headers. cut: closed after half of the body. drip: a byte every `pause` seconds. hang: no byte until the client goes.
stale: whole, and the next request on the same connection is dropped without a byte, as after a freeze."""


@dataclass(frozen=True)
class Call:
    """A tool call of the model.

    Attributes:
        arguments: an object; or the text as the model wrote it, JSON or not; None for none at all.
        id: None for the provider's own kind of id; "" for no id.
    """

    name: str
    arguments: Mapping[str, Any] | str | None = None
    id: str | None = None


@dataclass(frozen=True)
class Move:
    """What the model says or calls, in any provider's shape.

    Attributes:
        finish: the provider's own word for how it ended; "" for the usual one.
        reasoning: what it thought, where the provider tells.
    """

    text: str = ""
    calls: Sequence[Call] = ()
    finish: str = ""
    reasoning: str = ""


@dataclass(frozen=True)
class Answer:
    """An HTTP answer.

    Attributes:
        body: bytes, text, or what is sent as JSON; None for what the model says.
        delay: seconds before the first byte.
        pause: seconds between the bytes of a body that drips.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    behaviour: Behaviour = "whole"
    delay: float = 0.0
    pause: float = 0.2

    def content(self) -> bytes:
        """The body's bytes."""
        if isinstance(self.body, bytes):
            return self.body
        if isinstance(self.body, str):
            return self.body.encode()
        return json.dumps(self.body, ensure_ascii=False).encode()


Scripted = Answer | Move


def scripted_of(value: Mapping[str, Any]) -> Scripted:
    """One entry of the control route's JSON.

    Raises:
        ValueError: it is neither an answer nor a move.
    """
    if "text" in value or "calls" in value:
        calls = [
            Call(str(c["name"]), c.get("arguments"), c.get("id")) for c in value.get("calls", ())
        ]
        finish, reasoning = str(value.get("finish", "")), str(value.get("reasoning", ""))
        return Move(str(value.get("text", "")), calls, finish, reasoning)
    unknown = set(value) - {
        "status",
        "body",
        "bodyBase64",
        "headers",
        "behaviour",
        "delay",
        "pause",
    }
    behaviour = value.get("behaviour", "whole")
    if unknown or behaviour not in get_args(Behaviour):
        raise ValueError(f"not an answer: {sorted(unknown) or behaviour}")
    body = value.get("body")
    if "bodyBase64" in value:
        body = base64.b64decode(value["bodyBase64"])
    return Answer(
        status=int(value.get("status", 200)),
        body=body,
        headers={str(k): str(v) for k, v in value.get("headers", {}).items()},
        behaviour=behaviour,
        delay=float(value.get("delay", 0.0)),
        pause=float(value.get("pause", 0.2)),
    )
