"""The time a turn may take: made once, passed down, never extended."""

import time

from shopping_agent.domain.values import frozen
from shopping_agent.errors import DeadlineExceededError


@frozen
class Deadline:
    """A moment on the monotonic clock.

    Attributes:
        at: seconds on `time.monotonic()`.
    """

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """The moment `seconds` from now."""
        return cls(time.monotonic() + seconds)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - time.monotonic())

    def expired(self) -> bool:
        return self.remaining() <= 0.0

    def capped(self, seconds: float) -> "Deadline":
        """The earlier of this deadline and `seconds` from now: what one call may take."""
        return Deadline(min(self.at, time.monotonic() + seconds))

    def check(self) -> None:
        """Raises:
        DeadlineExceededError: when no time is left.
        """
        if self.expired():
            raise DeadlineExceededError("no time left")
