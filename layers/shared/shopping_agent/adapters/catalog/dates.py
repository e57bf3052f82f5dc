"""When a sale price holds, from the dates that catalog files write."""

import re
from datetime import UTC, date, datetime
from typing import Final

_DAY_SECONDS: Final = 24 * 3600
# Day first, as in France and Morocco, unless only the other reading is a date.
_NUMERIC: Final = re.compile(
    r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ T]+(\d{1,2}:\d{2}(?::\d{2})?))?"
)
_DASHED: Final = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b")


def sale_window(starts: str, ends: str, both: str = "") -> tuple[int | None, int | None]:
    """(first second, first second after) of a sale, since the epoch; None where it is open.

    Args:
        both: `start/end` in one cell, for a file that has no columns of their own.

    Raises:
        ValueError: a date that cannot be read.
    """
    if both.strip() and not (starts.strip() or ends.strip()):
        starts, _, ends = both.partition("/")
    return _moment(starts, end=False), _moment(ends, end=True)


def _moment(text: str, *, end: bool) -> int | None:
    """Seconds since the epoch of a date or time (UTC unless it says otherwise).

    A date that ends a window includes its whole day.
    """
    text = text.strip()
    if not text:
        return None
    moment, is_day = _read(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    # Added as seconds: the usual "for ever", 9999-12-31, is the last day that a date can be.
    return int(moment.timestamp()) + (_DAY_SECONDS if end and is_day else 0)


def _read(text: str) -> tuple[datetime, bool]:
    """A date or time, and whether it is a whole day."""
    written = _NUMERIC.fullmatch(text)
    if written:
        first, second, year = (int(part) for part in written.group(1, 2, 3))
        day, month = (first, second) if second <= 12 else (second, first)
        iso = f"{date(year, month, day).isoformat()}T{(written.group(4) or '').zfill(5)}"
        return datetime.fromisoformat(iso if written.group(4) else iso[:10]), not written.group(4)
    text = _DASHED.sub(lambda m: f"{m[1]}-{m[2]:0>2}-{m[3]:0>2}", text, count=1)
    return datetime.fromisoformat(text.replace(" Z", "Z")), len(text) == len("2026-11-30")
