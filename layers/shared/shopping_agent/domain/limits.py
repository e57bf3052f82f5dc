"""How much may be asked: limits by whom they count, and what one request is charged against them."""

import re
from collections.abc import Mapping
from typing import Final, Literal, cast, get_args

from shopping_agent.domain.values import frozen

LimitName = Literal["session", "ip", "store", "turns", "tokens", "spend"]
"""Requests of a shopper, of an address, of the whole store; chat turns of a shopper; the store's tokens and money."""


@frozen
class Limit:
    """At most `count` in `seconds`, counted from the first."""

    count: int
    seconds: int


Limits = Mapping[LimitName, Limit]

DEFAULT_LIMITS: Final[Limits] = {
    "session": Limit(300, 60),
    # Mobile networks put thousands of phones behind one address.
    "ip": Limit(3_000, 60),
    "store": Limit(12_000, 60),
    "turns": Limit(500, 24 * 3600),
}
MICROS: Final = 1_000_000
DAY_SECONDS: Final = 24 * 3600

_UNITS: Final[dict[str, int]] = {"sec": 1, "min": 60, "hour": 3600, "day": DAY_SECONDS}
_RULE: Final = re.compile(r"(\d{1,12})/(sec|min|hour|day)")
_SET_ELSEWHERE: Final = "spend"


@frozen
class Charge:
    """What one request costs of one limit.

    Attributes:
        whose: what the counter is kept for: a shopper's id, an address, `all`.
    """

    name: LimitName
    whose: str
    limit: Limit
    cost: int = 1


def parse_limits(text: str) -> Limits:
    """The limits of a setting such as `session=30/min,ip=300/min,turns=500/day`; the others keep their defaults.

    `off` alone turns all of them off, `name=off` one.

    Raises:
        ValueError: saying what is accepted.
    """
    wanted = text.strip().lower()
    if wanted == "off":
        return {}
    limits = dict(DEFAULT_LIMITS)
    for part in filter(None, (part.strip() for part in wanted.split(","))):
        name, _, rule = (piece.strip() for piece in part.partition("="))
        match = _RULE.fullmatch(rule)
        if name not in get_args(LimitName) or name == _SET_ELSEWHERE:
            raise ValueError(
                "must be off, or limits such as session=30/min,ip=300/min,turns=500/day"
            )
        limit = cast(LimitName, name)
        if rule == "off":
            limits.pop(limit, None)
        elif match and int(match[1]) > 0:
            limits[limit] = Limit(int(match[1]), _UNITS[match[2]])
        else:
            raise ValueError(f"{name}: must be off, or COUNT/sec, /min, /hour or /day")
    return limits


def charges(limits: Limits, whose: Mapping[LimitName, str], cost: int = 1) -> tuple[Charge, ...]:
    """A charge for each of the limits that hold."""
    return tuple(
        Charge(name, owner, limits[name], cost) for name, owner in whose.items() if name in limits
    )
