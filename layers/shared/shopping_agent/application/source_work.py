"""What the handlers of sources share: the event at work, and what is to be settled when it is done."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final, Protocol

from shopping_agent.application.content_hashes import Hashes
from shopping_agent.application.ingestion_report import IngestionReport
from shopping_agent.application.source_claim import SourceClaim
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.ports import SourceState, StoredObject

_REVISION_BITS: Final = 52


def revision_of(sequencer: str) -> int:
    """A number that grows with the sequencer (S3's hold the time in front) and that a Lua number can hold."""
    digits = sequencer[:18].ljust(18, "0")
    return (int(digits, 16) >> 12) & ((1 << _REVISION_BITS) - 1)


@frozen
class SourceWork:
    """One event of one source that is being applied.

    Attributes:
        state: what is live from the source; empty where a part of the work is done.
        fresh: whether the file was uploaded with this event: then it overrules older inventory files.
        age: sequencer by which the file is older or newer than others, where it is not the event's.
    """

    bucket: str
    source: str
    sequencer: str
    claim: SourceClaim
    state: SourceState
    report: IngestionReport
    deadline: Deadline
    fresh: bool = True
    age: str = ""

    @property
    def revision(self) -> int:
        """The file's age: that of its facts."""
        return revision_of(self.age or self.sequencer)

    def renew(self) -> None:
        """Raises `SupersededError` when a newer event took the source."""
        self.claim.renew(self.deadline)

    def plan(self, marks: Mapping[str, Hashes]) -> None:
        """Record what is about to be written as unsettled; from here on the source may be written."""
        anew = {i: hashes for i, hashes in self.state.hashes.items() if not any(hashes)}
        self.claim.plan(self.state, {**anew, **marks}, self.deadline)


@frozen
class Settlement:
    """The manifest entries of what was written and removed and is not yet recorded."""

    changed: Mapping[str, Hashes] = field(default_factory=dict[str, Hashes])
    removed: Sequence[str] = ()


class SourceHandler(Protocol):
    """Applies the files of one kind. Each call plans its work before it writes."""

    def ingest(self, work: SourceWork, stored: StoredObject) -> Settlement | None:
        """Make the store as the file says; None when other workers finish it.

        Raises:
            CatalogFileError: the file is refused whole; nothing was planned or written.
        """
        ...

    def remove(self, work: SourceWork) -> Settlement | None:
        """Remove everything that came from this source."""
        ...
