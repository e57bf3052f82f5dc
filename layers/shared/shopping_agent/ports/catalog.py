"""What is sold: live facts, what inventory files say, and what ingestion keeps of each source."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Literal, Protocol

from shopping_agent.domain.catalog import LiveFacts
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import InventoryRow
from shopping_agent.domain.values import frozen


class LiveCatalog(Protocol):
    """Live product facts: price, stock, name. The only source of what may be sold."""

    def get(self, ids: Sequence[str], deadline: Deadline) -> dict[str, LiveFacts]:
        """Facts of the ids that exist; one round trip."""
        ...

    def on_sale(self, now: float, deadline: Deadline) -> list[LiveFacts]:
        """Facts of the products with a sale price at `now` (seconds since the epoch), a bounded number; one round trip."""
        ...

    def put(
        self,
        facts: Sequence[LiveFacts],
        deadline: Deadline,
        *,
        source: str = "",
        uncounted: Collection[str] = (),
    ) -> list[str]:
        """Facts of a catalog file; an older file of the same source changes nothing.

        Args:
            source: the file's object key; the facts' revision is its age.
            uncounted: ids of which the file does not say the stock.

        Returns:
            The ids whose price or stock a newer inventory file decides: their facts are not those given.
        """
        ...

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None: ...


Restocked = Literal["unknown", "changed", "unchanged"]
"""What an inventory row did: nothing is live under its id, its facts changed, or they are as they were."""


@frozen
class Overtaken:
    """Which of a product's inventory facts are older than some revision."""

    price: bool
    stock: bool


class Inventory(Protocol):
    """Prices and stocks of inventory files, laid over those of the catalogs: of each the newer upload holds.

    Revisions are as those of live facts. What is said of a product that is not live is kept for when it becomes so.
    """

    def restock(
        self, rows: Sequence[InventoryRow], revision: int, deadline: Deadline
    ) -> list[Restocked]:
        """Apply rows of a file of this age; one word a row. Repeating it changes nothing."""
        ...

    def overtaken(self, revision: int, deadline: Deadline) -> dict[str, Overtaken]:
        """Products with inventory facts older than a catalog file of this age."""
        ...

    def advance(self, source: str, revision: int, deadline: Deadline) -> None:
        """From now on inventory files that are older than this one of a catalog lose against it, whatever it changes."""
        ...


@frozen
class SourceState:
    """What the last ingestion of one catalog source left behind.

    Attributes:
        sequencer: the S3 sequencer of the event that was applied last: the fencing token.
        latest: the newest event that began to write, finished or not, when the reading began.
        hashes: product (or guide) id -> (hash of the embedded text, hash of price and stock).
    """

    sequencer: str = ""
    etag: str = ""
    hashes: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    latest: str = ""


class CatalogManifest(Protocol):
    """Per source (object key): what is live and which event made it so."""

    def read(self, source: str, deadline: Deadline) -> SourceState: ...

    def begin(
        self, source: str, sequencer: str, deadline: Deadline, *, seen: str | None = None
    ) -> bool:
        """Take the source for this event; False when a newer (or this very, finished) event was applied.

        Args:
            seen: `SourceState.latest`; False also when another event began since then.
        """
        ...

    def entries(
        self, source: str, ids: Sequence[str], deadline: Deadline
    ) -> dict[str, tuple[str, str]]:
        """The hashes of those of the ids that the source has."""
        ...

    def doubt(self, source: str, ids: Sequence[str], deadline: Deadline) -> None:
        """What is live of these products of the source may be another file's: its next upload writes them anew."""
        ...

    def record(
        self,
        source: str,
        sequencer: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
        *,
        embedded: int = 0,
    ) -> bool:
        """Record changed and removed ids of an event that goes on; False when it lost the source.

        Args:
            embedded: texts that were embedded for them, added to the plan's.
        """
        ...

    def commit(
        self,
        source: str,
        sequencer: str,
        etag: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
    ) -> None:
        """Record the changed and removed ids and finish the event, if it still holds the source."""
        ...


@frozen
class IngestionPlan:
    """What the event that holds a source set out to do.

    Attributes:
        token: of the attempt that does it.
        parts: into how many messages the work was split; 0: it is done where it was planned.
        folder: prefix of the keys of their objects.
        counts: of the report, as far as planning knows them.
        embedded: texts that were embedded so far, by all attempts.
        sent: whether all parts are in the queue.
        done: how many of them are finished.
    """

    sequencer: str
    token: str
    started_at: float
    parts: int = 0
    folder: str = ""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    embedded: int = 0
    sent: bool = False
    done: int = 0


class PartLedger(Protocol):
    """The plan of the event that holds a source, or held it last."""

    def open(self, source: str, token: str, plan: IngestionPlan, deadline: Deadline) -> bool:
        """Write the plan down, no part of it done; False when the attempt lost the source."""
        ...

    def sent(self, source: str, token: str, deadline: Deadline) -> bool:
        """All parts are in the queue."""
        ...

    def done(self, source: str, token: str, number: int, deadline: Deadline) -> int | None:
        """One part is finished, however often that is said: how many are; None when the attempt lost the source."""
        ...

    def find(self, source: str, deadline: Deadline) -> IngestionPlan | None: ...
