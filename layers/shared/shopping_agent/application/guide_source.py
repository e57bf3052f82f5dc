"""Guides: Markdown texts of the store, one chunk for each section, indexed for questions."""

from typing import Final

from shopping_agent.application.chunking import guide_chunks
from shopping_agent.application.content_hashes import Hashes, digest
from shopping_agent.application.index_batches import ChunkIndexer
from shopping_agent.application.source_work import Settlement, SourceWork
from shopping_agent.ports import CatalogReader, Chunk, IndexWriter, StoredObject

PREFIX: Final = "guides/"
SUFFIX: Final = ".md"


class GuideSource:
    """Applies guide files. The manifest's entries are chunks."""

    def __init__(
        self, *, writer: IndexWriter, indexer: ChunkIndexer, reader: CatalogReader, recipe: str
    ) -> None:
        self._writer = writer
        self._indexer = indexer
        self._reader = reader
        self._recipe = recipe

    def ingest(self, work: SourceWork, stored: StoredObject) -> Settlement:
        return self._write(guide_chunks(work.source, self._reader.read_text(stored.body)), work)

    def remove(self, work: SourceWork) -> Settlement:
        return self._write([], work)

    def _write(self, chunks: list[Chunk], work: SourceWork) -> Settlement:
        known = work.state.hashes
        hashes: dict[str, Hashes] = {chunk.id: (self._hash(chunk), "") for chunk in chunks}
        changed = [chunk for chunk in chunks if known.get(chunk.id) != hashes[chunk.id]]
        removed = [chunk_id for chunk_id in known if chunk_id not in hashes]
        counts = work.report.counts
        counts["read"] = counts["accepted"] = len(chunks)
        counts["added"] = sum(chunk.id not in known for chunk in changed)
        counts["updated"] = len(changed) - counts["added"]
        counts["unchanged"] = len(chunks) - len(changed)
        counts["removed"] = len(removed)
        work.plan(dict.fromkeys([*(chunk.id for chunk in changed), *removed], ("", "")))
        if changed:
            self._writer.prepare(work.deadline)
            counts["embedded"] = self._indexer.index(changed, work.deadline, may_write=work.renew)
        if removed:
            self._writer.remove_chunks(removed, work.deadline)
        return Settlement({chunk.id: hashes[chunk.id] for chunk in changed}, removed)

    def _hash(self, chunk: Chunk) -> str:
        return digest([self._recipe, chunk.text, chunk.heading, chunk.language, chunk.guide])
