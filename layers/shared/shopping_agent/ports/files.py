"""Files of the store, and the work they make."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import BinaryIO, Protocol

from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import FeedRow, InventoryRow, RejectedRow
from shopping_agent.domain.values import frozen


@frozen
class StoredObject:
    """An object opened for reading. The caller closes `body`.

    Attributes:
        metadata: what its writer said of it (`x-amz-meta-...`), by lower-case name.
    """

    body: BinaryIO
    etag: str
    size: int
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


class CatalogReader(Protocol):
    """Catalog and guide files as rows and text. Raises `CatalogFileError` for a file it cannot read."""

    def read(self, body: BinaryIO) -> Iterator[FeedRow]:
        """The rows in file order; memory does not grow with the texts.

        When a valid row repeats an id, the earlier line comes as `duplicate_id` before the row that replaces it.
        """
        ...

    def read_inventory(self, body: BinaryIO) -> Iterator[InventoryRow | RejectedRow]:
        """The rows of an inventory file (id, price, stock) in file order."""
        ...

    def read_text(self, body: BinaryIO) -> str:
        """A whole text in any encoding that catalog files have."""
        ...


class ObjectStore(Protocol):
    """The catalog bucket."""

    def open(
        self, bucket: str, key: str, deadline: Deadline, *, version: str | None = None
    ) -> StoredObject | None:
        """None when the object is gone."""
        ...

    def put(
        self, bucket: str, key: str, body: bytes, deadline: Deadline, *, content_type: str
    ) -> None: ...

    def delete(self, bucket: str, keys: Sequence[str], deadline: Deadline) -> None:
        """Delete objects; those that are gone already are no error."""
        ...

    def keys(self, bucket: str, prefix: str, deadline: Deadline) -> Iterable[str]: ...


class WorkQueue(Protocol):
    """The queue that the ingest function takes its work from."""

    def send(self, bodies: Sequence[str], deadline: Deadline, *, delay_seconds: int = 0) -> None:
        """Put messages into it; each will be delivered at least once."""
        ...
