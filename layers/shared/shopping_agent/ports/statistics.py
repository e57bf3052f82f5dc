"""What operators are told: the shop's days, and what became of its files."""

from collections.abc import Sequence
from typing import Protocol

from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.statistics import Day, Tally


class Statistics(Protocol):
    """Counts of days, for some weeks. Those of a turn are added as the turn is saved (`TurnStore.save`)."""

    def add(self, tally: Tally, deadline: Deadline) -> None:
        """Add to the day that it is."""
        ...

    def days(self, count: int, deadline: Deadline) -> Sequence[Day]:
        """The last days, oldest first, today's last; days on which nothing happened too."""
        ...

    def keep_report(self, source: str, report: JsonObject, deadline: Deadline) -> None:
        """Keep what became of a file last, in the place of what was known of it."""
        ...

    def reports(self, deadline: Deadline) -> Sequence[JsonObject]:
        """The last report of every file, newest first."""
        ...
