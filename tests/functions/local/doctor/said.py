"""What the doctor's tests say to it and hear of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

DOWN = "http://127.0.0.1:1"
SECRET = "s" * 40


@dataclass
class Said:
    """An answer: bytes as they are, anything else as JSON."""

    body: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass
class Liar:
    """A server that answers what it was told to, by method and path; else 404."""

    url: str = ""
    answers: dict[str, Said] = field(default_factory=dict)
    seen: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def __setitem__(self, request: str, answer: Said) -> None:
        self.answers[request] = answer


@dataclass
class Report:
    """What the doctor said.

    Attributes:
        shown: all of its output, both streams.
    """

    status: int
    findings: list[dict[str, str]]
    shown: str
    seconds: float

    def of(self, check: str) -> list[tuple[str, str]]:
        return [(f["status"], f["message"]) for f in self.findings if f["check"] == check]

    def worst(self, check: str) -> str:
        found = {status for status, _ in self.of(check)}
        return next(s for s in ("fail", "warn", "not checked", "ok") if s in found)


Doctor = Callable[..., Report]
