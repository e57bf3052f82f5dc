"""How long a provider asks us to wait, in every form in which providers say it: headers, error details and sentences."""

import math
import re
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final, cast

from shopping_agent.domain.limits import DAY_SECONDS

_UNITS: Final[Mapping[str, float]] = {
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 0.001,
    "millisecond": 0.001,
    "s": 1,
    "sec": 1,
    "second": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "h": 3600,
    "hr": 3600,
    "hour": 3600,
    "d": DAY_SECONDS,
    "day": DAY_SECONDS,
    # What gateways and proxies say in other languages.
    "seconde": 1,
    "segundo": 1,
    "sekunden": 1,
    "sekunde": 1,
    "ثانية": 1,
    "ثوان": 1,
    "ثواني": 1,
    "秒": 1,
    "minuto": 60,
    "minuten": 60,
    "دقيقة": 60,
    "دقائق": 60,
    "heure": 3600,
    "hora": 3600,
    "stunde": 3600,
    "stunden": 3600,
}
_ISO: Final = re.compile(
    r"p(?=.)(?:(\d{1,4})d)?(?:t(?=.)(?:(\d{1,5}(?:[.,]\d{1,9})?)h)?(?:(\d{1,6}(?:[.,]\d{1,9})?)m)?"
    r"(?:(\d{1,8}(?:[.,]\d{1,9})?)s)?)?"
)
_ISO_UNITS: Final = (float(DAY_SECONDS), 3600.0, 60.0, 1.0)
_NUMBER: Final = r"\d{1,15}(?:[.,]\d{1,9})?"
_UNIT: Final = "|".join(sorted((re.escape(u) for u in _UNITS), key=len, reverse=True))
_PART: Final = re.compile(rf"({_NUMBER})\s{{0,2}}({_UNIT})(?:s(?=\b|\d))?(?![a-z])")
_PARTS: Final = (
    rf"(?:{_NUMBER}\s{{0,2}}(?:{_UNIT})(?:s(?=\b|\d))?(?![a-z])[\s,]{{0,2}}(?:and\s)?){{1,6}}"
)
_WHOLE: Final = re.compile(_PARTS)
_BARE: Final = re.compile(_NUMBER)
_SENTENCE: Final = re.compile(
    r"(?:(?:try(?:ing)?(?: again| your request)?|retry(?:[ _-]?(?:after|delay|in))?|wait|resets?|(?:available|allowed)(?: again)?"
    r"|r[ée]essay\w{1,4}|patient\w{1,4}|versuch\w{1,3}(?: sie)?(?: es)?(?: erneut)?|int[ée]nt\w{1,5}(?: de nuevo)?|المحاولة)"
    r"(?: (?:in|after|for|at least|about|approximately|another|around|dans|apr[èe]s|en|nach|بعد|خلال)){0,3}[ :=~\"']{1,5}"
    rf"|请在 ?|请 ?)(?P<whole>{_PARTS}|pt(?:[\d.,]{{1,12}}[hms]){{1,3}})"
)
_FIELD: Final = re.compile(
    rf"\bretry[ _-]?after(?:[ _-]?(?:secs|seconds|s))?[\"']?\s{{0,2}}[:=]\s{{0,2}}[\"']?(?P<seconds>{_NUMBER})(?![\w.])"
)
_EPOCH: Final = 1_000_000_000
_EPOCH_MILLISECONDS: Final = _EPOCH * 1000
_MILLISECOND_HEADERS: Final = ("retry-after-ms", "x-ms-retry-after-ms")
_WAIT_HEADERS: Final = ("retry-after", "x-retry-after", "x-ratelimit-retry-after")
_FIRST: Final = re.compile(r"^(\d[\d.]*)\s*[,;].*", re.S)  # of a header that came twice
_POLICY: Final = re.compile(r"\b(?:reset|t)=(\d{1,9})\b")
_RESET: Final = re.compile(r"(?:x-)?rate-?limit-reset(?P<of>-[a-z-]{1,40})?")


def header_delay(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds to wait by the headers of a reply; None where none says so.

    `Retry-After` (seconds or a date) and its millisecond forms come first; then the `ratelimit-reset` headers, of the
    limits that are used up where the headers tell which these are.

    Args:
        now: seconds since the epoch, for dates.
    """
    now = time.time() if now is None else now
    folded = {str(name).lower(): str(value)[:100].strip() for name, value in headers.items()}
    for name in _MILLISECOND_HEADERS:
        delay = _bounded(_number(folded.get(name, "")), 0.001)
        if delay is not None:
            return delay
    for name in _WAIT_HEADERS:
        delay = _moment(_FIRST.sub(r"\1", folded.get(name, "")), now)
        if delay is not None:
            return delay
    return _reset(folded, now)


def text_delay(text: str) -> float | None:
    """Seconds that a sentence asks us to wait: "Please try again in 1m2.5s", "retry after 34 seconds"."""
    said = text[:4000].lower()
    found = _SENTENCE.search(said)
    if found:
        return duration(found["whole"])
    field = _FIELD.search(said)
    return duration(field["seconds"]) if field else None


def duration(value: object) -> float | None:
    """Seconds of a written duration: "48s", "1m26.4s", "120ms", 34, "34.4", "PT1M2S", {"seconds": 34, "nanos": 5}; else None."""
    if isinstance(value, Mapping):
        parts = cast(Mapping[str, object], value)
        seconds, nanos = _number(parts.get("seconds", 0)), _number(parts.get("nanos", 0))
        return None if seconds is None else _bounded(seconds + (nanos or 0) * 1e-9)
    text = str(value).strip().lower()[:100] if isinstance(value, str) else value
    if not isinstance(text, str) or _BARE.fullmatch(text):
        return _bounded(_number(text))
    iso = _ISO.fullmatch(text)
    if iso:
        given = zip(iso.groups(), _ISO_UNITS, strict=True)
        return _bounded(sum((_number(n) or 0) * unit for n, unit in given if n))
    if not _WHOLE.fullmatch(text):
        return None
    return _bounded(sum((_number(n) or 0) * _UNITS[unit] for n, unit in _parts(text)))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    return ((found[1], found[2]) for found in _PART.finditer(text))


def _reset(headers: Mapping[str, str], now: float) -> float | None:
    """Of the limits that are used up the last to come back; where that is not said, the first of all."""
    used, other = list[float](), list[float]()
    for name, value in headers.items():
        found = _RESET.fullmatch(name)
        delay = _moment(value, now) if found else None
        if delay is None:
            continue
        left = _number(headers.get(name.replace("-reset", "-remaining"), ""))
        (used if left is not None and left <= 0 else other).append(delay)
    policy = _POLICY.search(headers.get("ratelimit", ""))
    if policy and not used and not other:
        return duration(policy[1])
    return max(used) if used else min(other, default=None)


def _moment(text: str, now: float) -> float | None:
    """Seconds until a date, a time since the epoch, or for a duration."""
    if not text:
        return None
    number = _number(text)
    if number is not None and number >= _EPOCH_MILLISECONDS:
        return _bounded(max(0.0, number / 1000 - now))
    if number is not None and number >= _EPOCH:
        return _bounded(max(0.0, number - now))
    delay = duration(text)
    if delay is not None or number is not None:
        return delay
    return _until_date(text, now)


def _until_date(text: str, now: float) -> float | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            return _bounded(max(0.0, read(text).timestamp() - now))
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
    return None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value.replace(",", ".") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None


def _bounded(value: float | None, scale: float = 1) -> float | None:
    """A delay that can be meant: not negative, finite, at most a day."""
    if value is None or not math.isfinite(value) or value < 0:
        return None
    return min(value * scale, float(DAY_SECONDS))
