"""How long an attempt at a provider may take, and what a second one would change."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.application.shrinking import smaller
from shopping_agent.domain.conversation import ModelRequest, UserMessage
from shopping_agent.errors import LanguageModelError

MOST_ATTEMPTS: Final = 2
MOST_SECONDS: Final = 12.0
"""Of one attempt while there is a provider left to ask."""
_RESERVE: Final = (0.5, 0.1)
"""Kept for the turn's end: seconds, or a share of what is left where that is less."""
_LOCAL: Final = (1.0, 0.25)
"""Kept for a model of our own, in the same way."""
_FALLBACK_SECONDS: Final = 6.0
"""Kept for each provider that may still be asked; an equal share of the time where that is less."""
_LONGEST_WAIT: Final = 1.5
_WAIT_SHARE: Final = 0.2
"""Of the time left, that a wait may take."""
_PAUSE: Final = (0.1, 0.4)
_HOPELESS: Final = frozenset(
    {"auth", "model_gone", "quota_exhausted", "timeout", "content_refused"}
)


def allowed_seconds(remaining: float, later: Sequence[str], local: str) -> float:
    """What one attempt may take of the `remaining` seconds.

    With nobody left to ask, all but the reserve. Else `usable - kept for each of the later ones`, at most
    `MOST_SECONDS`: a second for our own model, and for each provider 6 seconds or, when that is less, the share it would
    have if all were given the same.

    Args:
        later: names of those who are asked next.
        local: name of the model of our own, which needs no network.
    """
    usable = remaining - min(_RESERVE[0], _RESERVE[1] * remaining)
    if not later:
        return usable
    providers = sum(name != local for name in later)
    if local in later:
        usable -= min(_LOCAL[0], _LOCAL[1] * usable)
    kept = min(_FALLBACK_SECONDS, usable / (providers + 1))
    return max(0.0, min(MOST_SECONDS, usable - kept * providers))


def next_attempt(
    error: LanguageModelError,
    request: ModelRequest,
    *,
    alone: bool,
    remaining: float,
    jitter: float,
) -> tuple[ModelRequest, float] | None:
    """What to send at a second attempt, and the seconds to wait before; None when there should be none.

    Args:
        alone: nobody else is left to ask.
        jitter: from 0 to 1.
    """
    if error.kind in _HOPELESS:
        return None
    wait = _wait(error, alone, jitter)
    if wait is None or wait > _WAIT_SHARE * remaining:
        return None
    changed = request if error.kind == "rate_limited" else _changed(error, request)
    return None if changed is None else (changed, wait)


def _changed(error: LanguageModelError, request: ModelRequest) -> ModelRequest | None:
    match error.remedy:
        case "smaller":
            return smaller(request)
        case "plain":
            return None if request.plain else replace(request, plain=True)
        case "again" if error.kind == "malformed":
            hint = (UserMessage(error.hint),) if error.hint else ()
            return replace(request, messages=(*request.messages, *hint), temperature=0.0)
        case "again":
            return request
        case _:
            return None


def _wait(error: LanguageModelError, alone: bool, jitter: float) -> float | None:
    """Seconds before a second attempt; None when it would have to wait for longer than somebody else needs to answer."""
    asked = error.retry_after
    if error.kind == "rate_limited":
        return asked if alone and asked is not None and asked <= _LONGEST_WAIT else None
    pause = 0.0
    if error.kind == "overloaded":
        pause = _PAUSE[0] + jitter * (_PAUSE[1] - _PAUSE[0])
    if asked is None or asked <= pause:
        return pause
    return asked if alone and asked <= _LONGEST_WAIT else None
