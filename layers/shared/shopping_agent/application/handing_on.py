"""When a worker's time is over, or a dependency fails, after a part of the work is settled: the rest is another's."""

from typing import Final

RESERVE_SECONDS: Final = 20.0
"""With less than this left no further batch is begun: one with a slow embedding model takes some seconds."""


class HandOnError(Exception):
    """Deliver the message again, soon and as a new one: what is settled stays, and no try was wasted.

    Args:
        delay_seconds: before it is worth going on.
    """

    def __init__(self, reason: str, *, delay_seconds: int = 0) -> None:
        super().__init__(reason)
        self.delay_seconds = delay_seconds
