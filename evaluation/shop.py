"""The shop that the measured process talks to: Redis and the index as `make run` has them, filled by our own ingestion."""

import contextlib
import io
from collections.abc import Generator, Iterable, Sequence
from hashlib import md5
from pathlib import Path

from shopping_agent import bootstrap
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.application.ingestion import IngestionService
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import ObjectEvent
from shopping_agent.ports import StoredObject
from shopping_agent.settings import Settings

from functions.local.backends import Backends
from functions.local.children import Supervisor
from functions.local.data_folder import DataFolder
from functions.local.variables import LOCAL_REDIS_TOKEN, StandIns, stand_in_aws

SECONDS = 60.0


class FileObjects:
    """The catalog bucket, from files by their keys; reports that are put there are forgotten."""

    def __init__(self, files: dict[str, Path]) -> None:
        self._files = files

    def open(
        self, bucket: str, key: str, deadline: Deadline, *, version: str | None = None
    ) -> StoredObject | None:
        del bucket, deadline, version
        body = self._files[key].read_bytes()
        return StoredObject(io.BytesIO(body), md5(body).hexdigest(), len(body))

    def put(
        self, bucket: str, key: str, body: bytes, deadline: Deadline, *, content_type: str
    ) -> None:
        del bucket, key, body, deadline, content_type

    def delete(self, bucket: str, keys: Sequence[str], deadline: Deadline) -> None:
        del bucket, keys, deadline

    def keys(self, bucket: str, prefix: str, deadline: Deadline) -> Iterable[str]:
        del bucket, deadline
        return sorted(key for key in self._files if key.startswith(prefix))


def _unsaid(line: str) -> None:
    """What happens to the stand-ins is in their logs."""
    del line


@contextlib.contextmanager
def shop(data: Path, files: dict[str, Path], *, aws: bool = False) -> Generator[dict[str, str]]:
    """The variables of a running shop that sells what the files say, by object key; search is without embeddings.

    Args:
        aws: with an empty bucket and a queue.
    """
    needed = StandIns(redis=True, qdrant=True, embeddings=False, aws=aws)
    supervisor = Supervisor(logs=data / "logs", report=_unsaid)
    try:
        backends = Backends(data=DataFolder(data), needed=needed, bucket="catalog")
        supervisor.wait_ready([supervisor.add(spec) for spec in backends.specs], SECONDS)
        variables = {
            "UPSTASH_REDIS_REST_URL": backends.endpoints["redis"],
            "UPSTASH_REDIS_REST_TOKEN": LOCAL_REDIS_TOKEN,
            "QDRANT_URL": backends.endpoints["qdrant"],
            "EMBEDDING_PROVIDER": "none",
            "SESSION_SECRET": "bench:only-for-the-benchmark",
        }
        variables |= stand_in_aws(backends.endpoints) if aws else {}
        ingest(Settings.from_mapping(variables), files)
        yield variables
    finally:
        supervisor.stop()


def ingest(settings: Settings, files: dict[str, Path]) -> None:
    """Bring the files in as the ingest function does."""
    service = IngestionService(
        objects=FileObjects(files),
        manifest=bootstrap.manifest(settings),
        ledger=bootstrap.part_ledger(settings),
        live=bootstrap.live_catalog(settings),
        inventory=bootstrap.inventory(settings),
        index=bootstrap.product_index(settings),
        writer=bootstrap.index_writer(settings),
        embedder=None,
        reader=CatalogFileReader(currency=settings.store_currency),
        vocabulary=bootstrap.store_pack(settings).vocabulary,
        max_delete_ratio=1.0,
    )
    for number, key in enumerate(files, start=1):
        event = ObjectEvent(bucket="catalog", key=key, sequencer=f"{number:016x}")
        report = service.apply(event, Deadline.after(SECONDS))
        if report.status != "applied":
            raise RuntimeError(f"{key} was not brought in: {report.status}")
