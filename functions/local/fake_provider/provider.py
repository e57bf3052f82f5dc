"""What the fake provider answers: what was scripted for a call, else the fault its address names, else the small model."""

import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from functions.local.fake_provider import gemini_wire, openai_wire
from functions.local.fake_provider.admission import admitted, authorised
from functions.local.fake_provider.embeddings import gemini_embeddings, openai_embeddings
from functions.local.fake_provider.faults import Asked, Switch, switch_of
from functions.local.fake_provider.mind import decide
from functions.local.fake_provider.refusals import RefusedError, refusal
from functions.local.fake_provider.script import Answer, Dialect, Move, Scripted

_ROUTE: Final = re.compile(
    r"(?P<switches>.*?)/(?:(?P<groq>openai)/)?v1(?:beta)?/"
    r"(?:(?P<kind>chat/completions|embeddings)|models/(?P<model>[^/:]+):(?P<verb>\w+))"
)
_ISSUED: Final = re.compile(r'"(?:id|thoughtSignature|thought_signature)": ?"([^"]+)"')
# As documented: for calls that came from another model; in base64, as an SDK sends it.
_DUMMY_SIGNATURES: Final = frozenset(
    {"skip/thought/signature/validator", "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I"}
)


@dataclass(frozen=True)
class Received:
    """A request as it came.

    Attributes:
        number: of this call since the last reset, from 1; 0 for what is no call of a model.
        connection: which connection it came over.
        refused: why the wire's contract refused it; "" when it was taken.
        at: seconds on `time.monotonic()`.
    """

    number: int
    dialect: Dialect
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    size: int
    connection: int = 0
    refused: str = ""
    at: float = field(default_factory=time.monotonic)


class FakeProvider:
    """One provider for all dialects. Its state is what was scripted and what came; it keeps no conversation.

    Attributes:
        url: base URL; Gemini and Groq take it bare, OpenAI with `/v1`, xAI with `/xai/v1`.
        requests: the calls of models, in the order of their arrival.
        dropped: requests that met a connection on which they were not served.
    """

    def __init__(self, *, delay: float = 0.0) -> None:
        self.url = ""
        self.delay = delay
        self.requests: list[Received] = []
        self.embeddings: list[Received] = []
        self.dropped = 0
        self._lock = threading.Lock()
        self._script: dict[tuple[Dialect | None, int], Scripted] = {}
        self._issued: set[str] = set()

    def base_url(self, dialect: Dialect, *switches: str) -> str:
        """The base URL as the dialect's SDK takes it, with faults as segments."""
        suffix = {"gemini": "", "groq": "", "xai": "/xai/v1", "openai": "/v1"}[dialect]
        return "".join([self.url, *(f"/{s}" for s in switches), suffix])

    def on(self, number: int, scripted: Scripted, dialect: Dialect | None = None) -> None:
        """Call number `number` (from 1, since the last reset; of that dialect) is answered with this; 0: every call."""
        with self._lock:
            self._script[dialect, number] = scripted

    def always(self, scripted: Scripted, dialect: Dialect | None = None) -> None:
        """Every call (of that dialect) that nothing else was scripted for is answered with this."""
        self.on(0, scripted, dialect)

    def reset(self) -> None:
        """Forget what was scripted and what came."""
        with self._lock:
            self._script = {}
            self.requests, self.embeddings, self.dropped = [], [], 0

    def drop(self) -> None:
        """Count a request that was not served."""
        with self._lock:
            self.dropped += 1

    def answer(
        self, path: str, headers: Mapping[str, str], raw: bytes, connection: int = 0
    ) -> Answer:
        """The answer to a POST."""
        route = _ROUTE.fullmatch(path.split("?")[0])
        if route is None:
            return Answer(404, {"error": {"message": "no such path", "type": "not_found"}})
        words = [w for w in route["switches"].split("/") if w]
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        model = str(route["model"] or (isinstance(body, dict) and body.get("model")) or "")
        dialect = _dialect(route, words, model)
        if not isinstance(body, dict):
            return refusal(dialect, RefusedError("Invalid JSON payload received."))
        call = _Call(dialect, model, cast(dict[str, Any], body), words, route["verb"] or "")
        if route["kind"] == "embeddings" or "mbed" in call.verb:
            return self._embeds(call, path, headers, raw, connection)
        return self._completes(call, path, headers, raw, connection)

    def _completes(
        self, call: "_Call", path: str, headers: Mapping[str, str], raw: bytes, connection: int
    ) -> Answer:
        refused = self._refused(call, headers)
        with self._lock:
            number = len(self.requests) + 1
            received = Received(
                number,
                call.dialect,
                path,
                headers,
                call.body,
                len(raw),
                connection,
                str(refused or ""),
            )
            self.requests.append(received)
            turn = sum(r.dialect == call.dialect for r in self.requests)
            places: list[tuple[Dialect | None, int]]
            places = [(call.dialect, turn), (None, number), (call.dialect, 0), (None, 0)]
            scripted = next((self._script[p] for p in places if p in self._script), None)
        answer = refusal(call.dialect, refused) if refused else self._act(call, turn, scripted)
        with self._lock:
            found = _ISSUED.findall(answer.content().decode("utf-8", "replace"))
            self._issued.update(map(_plain, found))
        return replace(answer, delay=answer.delay or self.delay)

    def _refused(self, call: "_Call", headers: Mapping[str, str]) -> RefusedError | None:
        try:
            authorised(call.dialect, headers)
            admitted(call.dialect, call.model, call.body, self._gave)
        except RefusedError as refused:
            return refused
        return None

    def _gave(self, name: str) -> bool:
        return _plain(name) in self._issued or _plain(name) in _DUMMY_SIGNATURES

    def _act(self, call: "_Call", number: int, scripted: Scripted | None) -> Answer:
        switches = [s for w in call.words if (s := switch_of(w)) and s.meets(number)]
        if scripted is None:
            scripted = next((_of(switch, call) for switch in switches if switch.name != "ok"), None)
        delay = max((s.delay for s in switches), default=0.0)
        if isinstance(scripted, Answer):
            if scripted.body is None and scripted.status == 200:
                scripted = replace(scripted, body=call.render(call.decide(), number))
            return replace(scripted, delay=scripted.delay or delay)
        move = scripted or call.decide()
        return Answer(body=call.render(move, number), delay=delay)

    def _embeds(
        self, call: "_Call", path: str, headers: Mapping[str, str], raw: bytes, connection: int
    ) -> Answer:
        with self._lock:
            number = len(self.embeddings) + 1
            self.embeddings.append(
                Received(0, call.dialect, path, headers, call.body, len(raw), connection)
            )
        switch = next((s for w in call.words if (s := switch_of(w)) and s.meets(number)), None)
        try:
            authorised(call.dialect, headers)
            given = (
                gemini_embeddings(call.body, call.verb)
                if call.verb
                else openai_embeddings(call.body)
            )
        except RefusedError as refused:
            return refusal(call.dialect, refused)
        scripted = _of(switch, call) if switch else None
        if isinstance(scripted, Answer) and scripted.body is not None:
            return scripted
        return replace(scripted, body=given) if isinstance(scripted, Answer) else Answer(body=given)


@dataclass(frozen=True)
class _Call:
    """A request, named and parsed."""

    dialect: Dialect
    model: str
    body: dict[str, Any]
    words: list[str]
    verb: str

    def decide(self) -> Move:
        gemini = self.dialect == "gemini"
        read = gemini_wire.conversation_of if gemini else openai_wire.conversation_of
        seen = read(self.body)
        if gemini and seen.called and not seen.declared:
            # Calls in the history and none declared: Gemini goes on calling, and gives nothing.
            return Move(finish="UNEXPECTED_TOOL_CALL")
        return decide(seen, searches="searches" in self.words)

    def render(self, move: Move, number: int) -> dict[str, Any]:
        if self.dialect == "gemini":
            return gemini_wire.generated(self.model, move)
        return openai_wire.completion(self.dialect, self.model, move, number)


def _plain(name: str) -> str:
    """A signature in either alphabet of base64, padded or not."""
    return name.rstrip("=").replace("-", "+").replace("_", "/")


def _of(switch: Switch, call: _Call) -> Scripted:
    return switch.fault(Asked(call.dialect, call.model))


def _dialect(route: "re.Match[str]", words: list[str], model: str) -> Dialect:
    if route["verb"]:
        return "gemini"
    if route["groq"]:
        return "groq"
    return "xai" if "xai" in words or model.startswith("grok") else "openai"
