"""Two recordings of a turn side by side: what the shopper saw, what was done, what was given and found, what was judged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

OUTCOME = ("answer", "actions", "cart", "finish", "route", "intent", "language")


@dataclass(frozen=True, slots=True)
class Difference:
    """What was recorded, and what it is now; None where there is nothing of it."""

    what: str
    recorded: Any
    now: Any


def differences(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> list[Difference]:
    """All of them: first what the shopper saw, then what led to it."""
    compared = [
        *((name, recorded.get(name), now.get(name)) for name in OUTCOME),
        *_verdicts(recorded, now),
        ("calls of the model", len(recorded["heard"]), len(now["heard"])),
        *_facts(recorded["data"], now["data"]),
        *_results(recorded["steps"], now["steps"]),
    ]
    return [Difference(*one) for one in compared if _plain(one[1]) != _plain(one[2])]


def _verdicts(
    recorded: Mapping[str, Any], now: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """What the check found in each text of the model, in their order."""
    pairs = zip_longest(recorded["verdicts"], now["verdicts"])
    for number, (before, after) in enumerate(pairs, start=1):
        yield f"verdict {number}", before and before["faults"], after and after["faults"]


def _facts(
    recorded: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Any, Any]]:
    """The facts that were given with the message, by name."""
    before, after = ({str(b["name"]): b["content"] for b in blocks} for blocks in (recorded, now))
    for name in dict.fromkeys((*before, *after)):
        yield f"given: {name}", before.get(name), after.get(name)


def _results(
    recorded: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Any, Any]]:
    """The results of tools and our remarks to the model, step by step."""
    for number, (before, after) in enumerate(zip_longest(recorded, now), start=1):
        step = before or after or {}
        name = f"tool {step['tool']}" if "tool" in step else "said" if "said" in step else "asked"
        yield f"step {number}: {name}", _told(before), _told(after)


def _told(step: Mapping[str, Any] | None) -> Any:
    """A step without ids of calls, which differ by provider."""
    if step is None:
        return None
    if "tool" in step:
        return {"tool": step["tool"], "result": step["result"]}
    calls = [[call["name"], call["arguments"]] for call in step.get("calls", ())]
    return {"calls": calls, "text": step.get("said", step.get("asked"))}


def _plain(value: Any) -> Any:
    """Tuples as lists: one of the two came through JSON. A cart without its version, which counts its changes since it was new."""
    if isinstance(value, Mapping):
        skipped = ("version",) if "items" in value else ()
        return {key: _plain(inner) for key, inner in value.items() if key not in skipped}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value
