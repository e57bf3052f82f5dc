"""A circuit breaker for each provider, in this process: one that is down is spared, and so is the shopper's time."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from shopping_agent.errors import LanguageModelError, LanguageModelFault

_LONGEST_SECONDS: Final = 600.0
REFUSED_SECONDS: Final = 60.0
"""After a refused key, a model that is gone, or a quota that is used up: nothing that a minute changes."""
LIMITED_SECONDS: Final = 5.0
"""After a rate limit that does not say how long."""
_FIRST_SECONDS: Final = 5.0
_HANG_SECONDS: Final = 15.0
"""After a hang: longer than what it left of its turn, so that no turn hangs twice at the same provider."""
_MOST_SECONDS: Final = 60.0
_FAILURES: Final = 3
_TRIAL_SECONDS: Final = 30.0
"""A trial whose end nobody told us of is given up after this long."""

_REFUSALS: Final = frozenset({"auth", "model_gone", "quota_exhausted"})
_OUTAGES: Final = frozenset({"timeout", "overloaded", "connection"})


@dataclass(slots=True)
class _Circuit:
    """What is known of one provider.

    Attributes:
        failures: outages in a row.
        openings: times in a row that it was opened for an outage.
        until: when one call may try it again, on the clock.
        kind: what it was opened for; None while it is closed.
        trial: until when the one call that tries it has it for itself.
        asked: until when it asked us to wait; we may try it sooner, and do not tell a client to.
    """

    failures: int = 0
    openings: int = 0
    until: float = 0.0
    kind: LanguageModelFault | None = None
    trial: float = 0.0
    asked: float = 0.0


class Breaker:
    """Which providers may be asked. Safe to share between threads.

    Args:
        enabled: False is a breaker that never opens.
        clock: seconds, never going back.
    """

    def __init__(
        self, *, enabled: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._enabled = enabled
        self._clock = clock
        self._lock = threading.Lock()
        self._circuits: dict[str, _Circuit] = {}

    def admits(self, provider: str) -> bool:
        """Whether a provider may be asked now. Of one whose time is over, exactly one call at a time is a trial.

        Whoever was admitted tells how it ended: `succeeded`, `failed` or `released`.
        """
        with self._lock:
            circuit = self._circuits.get(provider)
            if circuit is None or circuit.kind is None:
                return True
            now = self._clock()
            if now < circuit.until or now < circuit.trial:
                return False
            circuit.trial = now + _TRIAL_SECONDS
            return True

    def opened_for(self, provider: str) -> LanguageModelFault | None:
        """Why a provider is spared; None when it is not."""
        with self._lock:
            circuit = self._circuits.get(provider)
            return circuit.kind if circuit else None

    def remaining(self, provider: str) -> float:
        """Seconds until a provider may be tried again."""
        with self._lock:
            circuit = self._circuits.get(provider)
            return max(0.0, circuit.until - self._clock()) if circuit and circuit.kind else 0.0

    def wait(self, provider: str) -> float:
        """Seconds that whoever asks should be told to wait."""
        with self._lock:
            circuit = self._circuits.get(provider)
            if circuit is None or not circuit.kind:
                return 0.0
            return max(0.0, max(circuit.until, circuit.asked) - self._clock())

    def succeeded(self, provider: str) -> None:
        """It answered: whatever was wrong is over."""
        if provider in self._circuits:
            with self._lock:
                self._circuits.pop(provider, None)

    def released(self, provider: str) -> None:
        """It was admitted and could not be asked, or not for long enough to tell anything."""
        with self._lock:
            circuit = self._circuits.get(provider)
            if circuit is not None:
                circuit.trial = 0.0

    def failed(self, provider: str, error: LanguageModelError) -> bool:
        """It failed; True when that opened its circuit.

        A reply that we cannot use (a malformed one, a refused content or request) is an answer: it is up.
        """
        if not self._enabled:
            return False
        with self._lock:
            circuit = self._circuits.setdefault(provider, _Circuit())
            now, was_open = self._clock(), circuit.kind is not None and circuit.trial == 0.0
            circuit.trial = 0.0
            seconds = self._seconds(circuit, error, was_open=was_open and now < circuit.until)
            if seconds is None:
                return False
            opened = circuit.kind is None
            circuit.kind = error.kind
            circuit.until = max(circuit.until, now + seconds)
            circuit.asked = now + (error.retry_after or 0.0)
            return opened

    def _seconds(
        self, circuit: _Circuit, error: LanguageModelError, *, was_open: bool
    ) -> float | None:
        """How long to open a circuit; None leaves it as it is."""
        if error.kind == "rate_limited":
            asked = error.retry_after
            return min(LIMITED_SECONDS if asked is None else asked, _LONGEST_SECONDS)
        if error.kind in _REFUSALS:
            return min(max(error.retry_after or 0.0, REFUSED_SECONDS), _LONGEST_SECONDS)
        if error.kind not in _OUTAGES:
            circuit.failures = circuit.openings = 0
            circuit.kind, circuit.until = None, 0.0
            return None
        circuit.failures += 1
        if error.kind != "timeout" and circuit.failures < _FAILURES:
            return None
        if was_open:
            return 0.0  # one of several calls that were under way when it opened: counted once
        circuit.openings += 1
        first = _HANG_SECONDS if error.kind == "timeout" else _FIRST_SECONDS
        return min(first * 2 ** min(circuit.openings - 1, 8), _MOST_SECONDS)
