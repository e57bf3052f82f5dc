"""One event's hold on one source: first what will change is recorded as unsettled, then it is written, then settled.

A crash leaves unsettled entries behind, and whichever event comes next, this one again or a newer one,
writes them anew. Each attempt has two tokens, the event's sequencer followed by an even number (planning) and by the odd
one after it (writing), so that the manifest's single fencing token orders events and the steps of one event.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from shopping_agent.domain.deadline import Deadline
from shopping_agent.ports import CatalogManifest, SourceState

_SEQUENCER: Final = 32
_STEP: Final = 4


class SupersededError(Exception):
    """A newer event took the source: it will write everything that this one left."""


class SourceClaim:
    """Takes a source for an event, if it is neither finished nor older than what was applied."""

    def __init__(self, *, manifest: CatalogManifest, source: str, sequencer: str) -> None:
        self._manifest = manifest
        self._source = source
        # S3: compare sequencers as strings, the shorter one padded with zeros on the right.
        self._prefix = sequencer.upper().ljust(_SEQUENCER, "0")
        self._step = 0

    def take(self, deadline: Deadline) -> SourceState | None:
        """What is live from this source; None when there is nothing to do for this event."""
        if self._begin(0, deadline):
            return self._manifest.read(self._source, deadline)
        state = self._manifest.read(self._source, deadline)
        reached = self._reached(state)
        if reached is None or reached % 2 or not self._begin(reached + 2, deadline):
            return None
        return state

    def plan(self, state: SourceState, marks: Mapping[str, tuple[str, str]], deadline: Deadline):  # noqa: ANN201
        """Record the entries that are about to be written. Raises `SupersededError`."""
        if marks:
            self._commit(state.etag, marks, (), deadline)
        if not self._begin(self._step + 1, deadline):
            raise SupersededError(self._source)

    def renew(self, deadline: Deadline) -> None:
        """Raises `SupersededError` when a newer event took the source."""
        if not self._begin(self._step, deadline):
            raise SupersededError(self._source)

    def settle(
        self,
        etag: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
    ) -> None:
        """Everything is written: finish the event."""
        self._commit(etag, changed, removed, deadline)

    def _begin(self, step: int, deadline: Deadline) -> bool:
        self._step = step
        return self._manifest.begin(self._source, self._token(), deadline)

    def _commit(
        self,
        etag: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
    ) -> None:
        self._manifest.commit(self._source, self._token(), etag, changed, removed, deadline)

    def _token(self) -> str:
        return f"{self._prefix}{self._step:0{_STEP}X}"

    def _reached(self, state: SourceState) -> int | None:
        """The last step that this event finished; None when it finished none."""
        if not state.sequencer.startswith(self._prefix):
            return None
        step = state.sequencer[len(self._prefix) :]
        return int(step, 16) if len(step) == _STEP else None
