"""How long a search takes in a shop of 10,000 products on the embedded defaults, and which stage of it takes how much.

Qdrant's stand-in and Redis are processes of their own, as `make run` has them, and queries are embedded by the local
model. The products' dense vectors are made up: what a search costs does not depend on where they point.
"""

import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from shopping_agent import bootstrap
from shopping_agent.adapters.embedding.local import LocalEmbedder
from shopping_agent.adapters.index.qdrant import QdrantIndex
from shopping_agent.adapters.index.qdrant_rest import QdrantRestIndex
from shopping_agent.application.chunking import product_chunks
from shopping_agent.application.index_batches import ChunkIndexer, batches
from shopping_agent.application.search import SearchService
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.understanding import understand
from shopping_agent.settings import Settings

from evaluation.retrieval_perfumes import perfume_set
from evaluation.shop import shop

PRODUCTS: Final = 10_000
QUERIES: Final = 60
STAGES: Final[tuple[str, ...]] = ("embedding", "index", "live facts")
_SECONDS: Final = 600.0
_LIVE_BATCH: Final = 500
Port = TypeVar("Port")
Spent = dict[str, float]
"""Seconds by stage."""


class MadeUpVectors:
    """`Embedder` whose passages point anywhere; queries are embedded for real."""

    model = LocalEmbedder.model
    dimensions = LocalEmbedder.dimensions

    def __init__(self) -> None:
        self._draw = random.Random(1)
        self._real = LocalEmbedder()

    def embed_query(self, text: str, deadline: Deadline) -> list[float]:
        return self._real.embed_query(text, deadline)

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        del deadline
        return [
            [round(self._draw.uniform(-1, 1), 2) for _ in range(self.dimensions)] for _ in texts
        ]


class _Timed:
    """A port whose calls are timed."""

    def __init__(self, port: Any, stage: str, spent: Spent) -> None:
        self._port = port
        self._stage = stage
        self._spent = spent

    def __getattr__(self, name: str) -> Any:
        there = getattr(self._port, name)
        if not callable(there):
            return there

        def timed(*given: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return there(*given, **named)
            finally:
                self._spent[self._stage] += time.perf_counter() - started

        return timed


def timed(port: Port, stage: str, spent: Spent) -> Port:
    """A port that adds what its calls take to a stage."""
    return cast(Port, _Timed(port, stage, spent))


def speed_lines(count: int = PRODUCTS) -> Iterator[str]:
    """The table, in words."""
    with tempfile.TemporaryDirectory() as folder, shop(Path(folder), {}) as variables:
        settings = Settings.from_mapping(variables)
        vectors = MadeUpVectors()
        products = _many(count)
        _fill(settings, products, vectors)
        spent: Spent = dict.fromkeys(STAGES, 0.0)
        index = QdrantRestIndex(
            url=settings.qdrant_url,
            api_key="",
            collection=settings.qdrant_collection,
            model=vectors.model,
            dimensions=vectors.dimensions,
        )
        pack = bootstrap.store_pack(settings)
        search = SearchService(
            index=timed(index, "index", spent),
            embedder=timed(vectors, "embedding", spent),
            live=timed(bootstrap.live_catalog(settings), "live facts", spent),
            vocabulary=pack.vocabulary,
            currency=pack.currency,
        )
        queries = [q.text for q in perfume_set().queries if q.kind in ("attributes", "price")]
        asked = random.Random(2).sample(queries, 2 * QUERIES)
        yield f"search in {count} products, milliseconds, p50 over {QUERIES} searches (p95)"
        wanted = [
            Constraints.of(
                understand(text, vocabulary=pack.vocabulary, currency=pack.currency).query
            )
            for text in asked[QUERIES:]
        ]
        search.find_products("warm", Constraints(), limit=5, deadline=_soon(), now=time.time())
        plain = _measured(search, asked[:QUERIES], [Constraints()] * QUERIES, spent)
        held = [replace(w, max_price=70_000, in_stock=True) for w in wanted]
        filtered = _measured(search, asked[QUERIES:], held, spent)
        yield _row("without filters", plain)
        yield _row("with filters", filtered)
        ratio = _median(filtered, "all") / _median(plain, "all")
        yield f"filters take {ratio:.2f} of the time without them (limit: 10)"
        index.close()


def _many(count: int) -> list[Product]:
    """The invented perfumes again and again, each time as others."""
    known = perfume_set().products
    return [
        replace(
            known[i % len(known)],
            id=f"many-{i}",
            name=f"{known[i % len(known)].name} {i // len(known)}",
            description=f"{known[i % len(known)].description} {i // len(known)}",
            variant_of=None,
        )
        for i in range(count)
    ]


def _fill(settings: Settings, products: Sequence[Product], vectors: MadeUpVectors) -> None:
    vocabulary = bootstrap.store_pack(settings).vocabulary
    writer = QdrantIndex(
        url=settings.qdrant_url,
        path="",
        api_key="",
        collection=settings.qdrant_collection,
        model=vectors.model,
        dimensions=vectors.dimensions,
    )
    try:
        writer.prepare(_soon())
        indexer = ChunkIndexer(writer=writer, embedder=vectors)
        live = bootstrap.live_catalog(settings)
        for some in batches(products, _LIVE_BATCH):
            chunks = [chunk for one in some for chunk in product_chunks(one, "", vocabulary)]
            indexer.index(chunks, _soon())
            live.put([one.live_facts(revision=1) for one in some], _soon())
        writer.publish(_soon())
    finally:
        writer.close()


def _measured(
    search: SearchService,
    texts: Sequence[str],
    wanted: Sequence[Constraints],
    spent: Spent,
) -> list[Mapping[str, float]]:
    """Milliseconds by stage, of each search."""
    rows: list[Mapping[str, float]] = []
    for text, constraints in zip(texts, wanted, strict=True):
        spent.update((stage, 0.0) for stage in STAGES)
        started = time.perf_counter()
        search.find_products(text, constraints, limit=5, deadline=_soon(), now=time.time())
        whole = time.perf_counter() - started
        own = {"reading and ranking": whole - sum(spent.values()), "all": whole}
        rows.append({stage: 1000 * seconds for stage, seconds in {**spent, **own}.items()})
    return rows


def _row(title: str, rows: Sequence[Mapping[str, float]]) -> str:
    whole = _median(rows, "all")
    high = statistics.quantiles([row["all"] for row in rows], n=20)[-1]
    stages = ", ".join(
        f"{stage} {_median(rows, stage):.1f} ({100 * _median(rows, stage) / whole:.0f} %)"
        for stage in (*STAGES, "reading and ranking")
    )
    return f"{title}: {whole:.0f} ({high:.0f}): {stages}"


def _median(rows: Sequence[Mapping[str, float]], stage: str) -> float:
    return statistics.median(row[stage] for row in rows)


def _soon() -> Deadline:
    return Deadline.after(_SECONDS)
