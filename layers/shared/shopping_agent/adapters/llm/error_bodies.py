"""What can be read out of an error body, whoever wrote it: Google's details, OpenAI's shape, xAI's, a proxy's page, or nothing."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from shopping_agent.adapters.llm.delays import duration

_MOST_CHARACTERS: Final = 64 * 1024
_MOST_TEXT: Final = 4000
_DEEPEST: Final = 12
_MOST_NODES: Final = 300
_TEXTS: Final = frozenset(
    {"message", "msg", "detail", "error", "error_description", "error_message", "title", "raw"}
)
_CODES: Final = frozenset({"code", "type", "status", "reason", "error_code", "error_type"})
_QUOTAS: Final = frozenset({"quotaid", "quotametric", "quota_metric", "quota_limit", "subject"})
_VALUES: Final = frozenset({"quotavalue", "quota_value", "quota_limit_value"})
_DELAYS: Final = {
    "retrydelay": 1.0,
    "retry_delay": 1.0,
    "retry_after": 1.0,
    "retryafter": 1.0,
    "retry_after_seconds": 1.0,
    "retry_after_ms": 0.001,
}
# What the model or the shopper wrote comes back under these: never read as the provider's own words.
_ECHOES: Final = frozenset({"failed_generation", "input", "ctx", "request", "url", "links"})
_HTML: Final = re.compile(r"\s*(?:<\?xml|<!--|<!doctype|<html|<head|<body|<center|<h1)", re.I)
_SEPARATORS: Final = re.compile(r"[\s\-.:/]+")
_STATUS_DIGITS: Final = 3
_LOWEST_STATUS: Final = 400
_HIGHEST_STATUS: Final = 599
_HIGHEST_GRPC: Final = 16


@dataclass(slots=True)
class Problem:
    """An error body in one form.

    Attributes:
        text: every sentence in it, folded to lower case.
        codes: its machine-readable words, lower case with underscores.
        number: the HTTP status that it names, or 0.
        quotas: names of the quotas that it says are used up, lower case.
        nothing_allowed: a quota of 0.
        delay: seconds that a field of it asks us to wait.
        json: whether it was JSON; html: whether it was a page.
        fails: whether it has an `error` at all.
        grpc: the small number that it gives as its code, as gRPC gateways do, or 0.
    """

    text: str = ""
    codes: set[str] = field(default_factory=set[str])
    number: int = 0
    param: str = ""
    quotas: str = ""
    nothing_allowed: bool = False
    delay: float | None = None
    json: bool = False
    html: bool = False
    fails: bool = False
    grpc: int = 0


def read_problem(body: bytes | str) -> Problem:
    """The problem that an error body describes; never raises."""
    if isinstance(body, bytes):
        body = body[:_MOST_CHARACTERS].decode("utf-8", "replace")
    body = body[:_MOST_CHARACTERS].lstrip("\ufeff").strip()
    content = _parsed(body)
    if content is None:
        html = bool(_HTML.match(body))
        return Problem(text="" if html else body[:_MOST_TEXT].lower(), html=html)
    walk = _Walk()
    walk.read(content, "message", 0)
    walk.problem.json = True
    walk.problem.fails |= _fails(content)
    return walk.problem


def folded_code(code: str) -> str:
    """A machine-readable word as they are compared: "permission-denied" and "PERMISSION_DENIED" are one."""
    return _SEPARATORS.sub("_", code[:100].strip().lower())


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _fails(content: Any) -> bool:
    if isinstance(content, list):
        content = next(iter(cast(list[Any], content)), None)
    if not isinstance(content, Mapping):
        return False
    found = cast(Mapping[str, Any], content)
    return bool(found.get("error")) or found.get("object") == "error"


class _Walk:
    """One pass over a body, bounded in depth and in nodes."""

    def __init__(self) -> None:
        self.problem = Problem()
        self._nodes = 0

    def read(self, value: Any, key: str, depth: int) -> None:
        self._nodes += 1
        if depth > _DEEPEST or self._nodes > _MOST_NODES or key in _ECHOES:
            return
        if key in _DELAYS:
            self._take_delay(value, key)
        elif isinstance(value, Mapping):
            for name, inner in cast(Mapping[Any, Any], value).items():
                self.read(inner, str(name).lower(), depth + 1)
        elif isinstance(value, list):
            for inner in cast(list[Any], value):
                self.read(inner, key, depth + 1)
        elif isinstance(value, str):
            self._take_text(value, key, depth)
        elif isinstance(value, int) and not isinstance(value, bool):
            self._take_number(value, key)
        elif isinstance(value, float) and value.is_integer():
            self._take_number(int(value), key)

    def _take_text(self, value: str, key: str, depth: int) -> None:
        problem = self.problem
        if key in _TEXTS:
            # A gateway hands on what its provider said as JSON inside the message.
            inner = _parsed(value) if value.lstrip().startswith(("{", "[")) else None
            if isinstance(inner, Mapping | list):
                self.read(inner, key, depth + 1)
            else:
                problem.text = f"{problem.text} {value.lower()}"[:_MOST_TEXT]
        if key in _CODES:
            problem.codes.add(folded_code(value))
            if len(value) == _STATUS_DIGITS and value.isdecimal():
                self._take_number(int(value), key)
        elif key == "param":
            problem.param = value[:100].lower()
        elif key in _QUOTAS:
            problem.quotas = f"{problem.quotas} {value[:200].lower()}"[:_MOST_TEXT]
        elif key in _VALUES and value.strip() == "0":
            problem.nothing_allowed = True

    def _take_number(self, value: int, key: str) -> None:
        if key in _VALUES and value == 0:
            self.problem.nothing_allowed = True
        named = key in _CODES or key == "status_code"
        if named and not self.problem.number and _LOWEST_STATUS <= value <= _HIGHEST_STATUS:
            self.problem.number = value
        if key == "code" and 0 < value <= _HIGHEST_GRPC:
            self.problem.grpc = value

    def _take_delay(self, value: Any, key: str) -> None:
        delay = duration(value)
        if delay is not None and self.problem.delay is None:
            self.problem.delay = delay * _DELAYS[key]
