"""Claims with an hour of the day: when the store answers, until when an order leaves."""

import re
from collections.abc import Iterator
from typing import Final

from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import pattern
from shopping_agent.domain.text import fold

_CLOCK: Final = re.compile(r"(?<![\d:])(\d{1,2})(?::(\d\d)|\s?h\s?(\d\d)?)(?!\w)")
_ORDINAL_HOURS: Final = (
    "واحده", "ثانيه", "ثالثه", "رابعه", "خامسه", "سادسه", "سابعه", "ثامنه", "تاسعه", "عاشره",
)  # fmt: skip


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence."""
    told = {_hour(m) for m in _CLOCK.finditer(said.bare)}
    told |= {_spoken(m) for m in pattern("spoken_hour").finditer(said.bare)}
    if not told:
        return
    texts = [p.text for p in facts.observed.passages]
    texts += [*facts.pack.contacts.hours.values(), *facts.shopper_words]
    allowed = {_hour(m) for t in texts for m in _CLOCK.finditer(fold(t))}
    allowed |= {(str(int(h) - 12), m) for h, m in allowed if h.isdigit() and int(h) > 12}
    if not told <= allowed | {
        (f"{f.value / 3600:g}", "00") for f in said.figures if f.unit == "time"
    }:
        yield Fault("time")


def _hour(match: re.Match[str]) -> tuple[str, str]:
    return match[1].lstrip("0"), match[2] or match[3] or "00"


def _spoken(match: re.Match[str]) -> tuple[str, str]:
    """An hour in words, or with am and pm."""
    if match["arabic"]:
        return str(_ORDINAL_HOURS.index(match["arabic"]) + 1), "00"
    return (match["pm"] or match["am"]).lstrip("0"), "00"
