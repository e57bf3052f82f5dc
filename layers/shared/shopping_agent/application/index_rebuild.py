"""A source whose texts are not in the index of the present embedding model is written anew, and the index served once all are.

The manifest says what is live; the index itself says which sources it holds whole. So a new model, a new schema, an
older model again and an index that was lost are all one case, and nothing has to be told when one of them happens.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from shopping_agent.application.chunking import product_chunks
from shopping_agent.application.index_batches import ChunkIndexer, batches
from shopping_agent.application.source_work import Settlement, SourceWork
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import sequencer_of_time
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.observability import logger
from shopping_agent.ports import (
    CatalogManifest,
    IndexWriter,
    ObjectStore,
    ProductIndex,
    StoredObject,
)

REINDEX: Final = "reindex"
"""Metadata of an object that was copied onto itself to be written anew: when it was uploaded, an ISO time."""
_SOURCES_MAX: Final = 10_000
_CARRIED_MAX: Final = 1000
_BATCH: Final = 50
_UNSETTLED: Final = ("", "")


class IndexRebuild:
    """Keeps the index of the present model complete.

    Args:
        prefixes: of the keys whose objects are indexed.
        is_source: whether an object of a key is read.
    """

    def __init__(
        self,
        *,
        objects: ObjectStore,
        manifest: CatalogManifest,
        index: ProductIndex,
        writer: IndexWriter,
        indexer: ChunkIndexer,
        vocabulary: Vocabulary,
        prefixes: tuple[str, ...],
        is_source: Callable[[str], bool],
    ) -> None:
        self._objects = objects
        self._manifest = manifest
        self._index = index
        self._writer = writer
        self._indexer = indexer
        self._vocabulary = vocabulary
        self._prefixes = prefixes
        self._is_source = is_source

    def fit(self, work: SourceWork, stored: StoredObject) -> SourceWork:
        """The work as it is to be diffed: nothing counts as written where the index does not hold the source.

        A copy of an object is as old as the object: it overrules no inventory file that came after that.
        """
        copied = age_of_copy(stored.metadata)
        work = replace(work, age=copied) if copied else work
        # A later attempt finds in the manifest what an earlier one wrote.
        first = work.claim.step == 0
        if not first or not work.state.hashes:
            return work
        if not copied and self._writer.held([work.source], work.deadline):
            return work
        logger.info("a source is written anew", source=work.source, entries=len(work.state.hashes))
        anew = dict.fromkeys(work.state.hashes, _UNSETTLED)
        return replace(work, state=replace(work.state, hashes=anew))

    def finish(self, work: SourceWork, settlement: Settlement) -> None:
        """All of a source is written and about to be settled; what was the last one lets searches read the index."""
        deadline = work.deadline
        if not self._writer.held([work.source], deadline):
            known = self._manifest.read(work.source, deadline).hashes
            self._carry([i for i, hashes in known.items() if not any(hashes)], work)
            kept = {*known, *settlement.changed}.difference(settlement.removed)
            self._writer.complete(work.source, kept, deadline)
        if not self._writer.is_served(deadline) and not self._is_lacking(work.bucket, deadline):
            self._writer.publish(deadline)
            logger.info("searches read the index of the present model", source=work.source)

    def _carry(self, ids: Sequence[str], work: SourceWork) -> None:
        """Live products whose rows are invalid now stay as searches know them; their next valid row writes them anew."""
        for batch in batches(ids[:_CARRIED_MAX], _BATCH):
            products = self._index.products(batch, work.deadline)
            chunks = [
                chunk
                for product in products.values()
                for chunk in product_chunks(product, work.source, self._vocabulary)
            ]
            self._indexer.index(chunks, work.deadline, may_write=work.renew)

    def _is_lacking(self, bucket: str, deadline: Deadline) -> bool:
        """Whether something that is live is not in the index yet."""
        sources = [key for _, key in zip(range(_SOURCES_MAX), self._keys(bucket, deadline))]  # noqa: B905
        held = self._writer.held(sources, deadline)
        return any(
            self._manifest.read(source, deadline).hashes for source in sources if source not in held
        )

    def _keys(self, bucket: str, deadline: Deadline) -> Iterator[str]:
        for prefix in self._prefixes:
            for key in self._objects.keys(bucket, prefix, deadline):
                if self._is_source(key):
                    yield key


def age_of_copy(metadata: Mapping[str, str]) -> str:
    """The sequencer by which a copy is older or newer than other files; empty where the object is no copy."""
    try:
        moment = datetime.fromisoformat(metadata[REINDEX])
    except (KeyError, ValueError):
        return ""
    return sequencer_of_time(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
