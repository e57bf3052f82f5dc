"""One event's hold on one source: first what will change is recorded as unsettled, then it is written, then settled.

A crash leaves unsettled entries behind, and whichever event comes next, this one again or a newer one,
writes them anew. A file is read before the source is taken for it, so that one that is refused takes it from nobody: what
an older event that still writes may settle in the meantime is unsettled in what was read. Each attempt has two tokens, the event's sequencer followed by an even number (planning) and by the odd
one after it (writing), so that the manifest's single fencing token orders events and the steps of one event.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from shopping_agent.application.handing_on import HandOnError
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

    def begin(self, deadline: Deadline) -> bool:
        """Take the source if this event is the newest one."""
        return self._begin(0, deadline)

    def is_finished(self, deadline: Deadline) -> bool:
        """Whether this very event was applied last."""
        return self._reached(self._manifest.read(self._source, deadline)) is not None

    def take(self, deadline: Deadline) -> SourceState | None:
        """What is live from this source; None when there is nothing to do for this event. `plan` takes the source."""
        state = self._manifest.read(self._source, deadline)
        reached = self._reached(state)
        if reached is not None and reached % 2:
            return None
        self._step = 0 if reached is None else reached + 2
        return None if state.latest > self.token else state

    @property
    def step(self) -> int:
        return self._step

    @property
    def token(self) -> str:
        """Of this attempt's present step."""
        return f"{self._prefix}{self._step:0{_STEP}X}"

    def join(self, step: int, deadline: Deadline) -> None:
        """Take a part in the step of another worker. Raises `SupersededError`."""
        self._step = step
        self.renew(deadline)

    def plan(self, state: SourceState, marks: Mapping[str, tuple[str, str]], deadline: Deadline):  # noqa: ANN201
        """Take the source as it was read, and record the entries that are about to be written.

        Raises:
            HandOnError: another event began since the source was read.
            SupersededError: a newer event took the source.
        """
        if not self._manifest.begin(self._source, self.token, deadline, seen=state.latest):
            raise HandOnError("another upload of this file began meanwhile")
        # Without marks too: it is by what was recorded that another delivery of the event knows where this one died.
        self._commit(state.etag, marks, (), deadline)
        if not self._begin(self._step + 1, deadline):
            raise SupersededError(self._source)

    def renew(self, deadline: Deadline) -> None:
        """Raises `SupersededError` when a newer event took the source."""
        if not self._begin(self._step, deadline):
            raise SupersededError(self._source)

    def record(
        self,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
        *,
        embedded: int = 0,
    ) -> None:
        """These are written for good, whatever happens to the rest. Raises `SupersededError`."""
        held = self._manifest.record(
            self._source, self.token, changed, removed, deadline, embedded=embedded
        )
        if not held:
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
        return self._manifest.begin(self._source, self.token, deadline)

    def _commit(
        self,
        etag: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
    ) -> None:
        self._manifest.commit(self._source, self.token, etag, changed, removed, deadline)

    def _reached(self, state: SourceState) -> int | None:
        """The last step that this event finished; None when it finished none."""
        if not state.sequencer.startswith(self._prefix):
            return None
        step = state.sequencer[len(self._prefix) :]
        return int(step, 16) if len(step) == _STEP else None
