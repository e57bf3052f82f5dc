"""A shop in memory for ingestion: every part counts its calls and can be made to fail at any one of them."""

import hashlib
import io
import json
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast
from uuid import uuid4

import pytest
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.inventory import RedisInventory
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.adapters.redis.manifest import RedisManifest
from shopping_agent.adapters.redis.part_ledger import RedisPartLedger
from shopping_agent.application.catalog_parts import Part
from shopping_agent.application.ingestion import IngestionService
from shopping_agent.application.ingestion_report import IngestionReport
from shopping_agent.domain.catalog import LiveFacts, Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import InventoryRow, ObjectEvent
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import (
    Chunk,
    IndexedChunk,
    IngestionPlan,
    Overtaken,
    SourceState,
    StoredObject,
)

CATALOG = "catalog/perfumes.jsonl"
NOW = 1_796_000_000.0


@dataclass
class Faults:
    """Counts the writes of a run; the one with the number `fail_at` fails, before or after it took effect."""

    fail_at: int = 0
    after: bool = False
    calls: int = 0

    def write(self, change: Any) -> None:
        self.calls += 1
        failing = self.calls == self.fail_at
        if failing and not self.after:
            raise StateUnavailableError("down")
        change()
        if failing:
            raise StateUnavailableError("answer lost")


@dataclass
class Objects:
    """A bucket that keeps versions: `versions` holds every body that an event may still name."""

    faults: Faults
    bodies: dict[str, bytes] = field(default_factory=dict)
    versions: dict[str, bytes] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)

    def open(
        self, bucket: str, key: str, deadline: Deadline, *, version: str | None = None
    ) -> StoredObject | None:
        body = self.versions.get(version) if version else self.bodies.get(key)
        if body is None:
            return None
        etag = hashlib.md5(body).hexdigest()
        return StoredObject(io.BytesIO(body), etag, len(body), self.metadata)

    def delete(self, bucket: str, keys: Sequence[str], deadline: Deadline) -> None:
        self.faults.write(lambda: [self.bodies.pop(key, None) for key in keys])

    def put(
        self, bucket: str, key: str, body: bytes, deadline: Deadline, *, content_type: str
    ) -> None:
        self.faults.write(lambda: self.bodies.update({key: body}))

    def keys(self, bucket: str, prefix: str, deadline: Deadline) -> Iterable[str]:
        return sorted(key for key in self.bodies if key.startswith(prefix))


@dataclass
class Manifest:
    faults: Faults
    states: dict[str, SourceState] = field(default_factory=dict)
    holders: dict[str, str] = field(default_factory=dict)
    plans: dict[str, IngestionPlan] = field(default_factory=dict)
    parts: dict[str, set[int]] = field(default_factory=dict)
    embedded: dict[str, int] = field(default_factory=dict)

    def read(self, source: str, deadline: Deadline) -> SourceState:
        state = self.states.get(source, SourceState())
        return replace(state, latest=max(state.sequencer, self.holders.get(source, "")))

    def begin(
        self, source: str, sequencer: str, deadline: Deadline, *, seen: str | None = None
    ) -> bool:
        if seen is not None and seen != self.read(source, deadline).latest:
            return False
        if sequencer <= self.read(source, deadline).sequencer:
            return False
        if sequencer < self.holders.get(source, ""):
            return False
        self.holders[source] = sequencer
        return True

    def entries(
        self, source: str, ids: Sequence[str], deadline: Deadline
    ) -> dict[str, tuple[str, str]]:
        hashes = self.read(source, deadline).hashes
        return {i: hashes[i] for i in ids if i in hashes}

    def doubt(self, source: str, ids: Sequence[str], deadline: Deadline) -> None:
        state = self.read(source, deadline)
        doubted = dict.fromkeys(state.hashes.keys() & set(ids), ("", ""))
        self.states[source] = replace(state, hashes={**state.hashes, **doubted})

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
        def change() -> None:
            state = self.read(source, deadline)
            hashes = {i: h for i, h in {**state.hashes, **changed}.items() if i not in removed}
            self.states[source] = replace(state, hashes=hashes)
            self.embedded[source] = self.embedded.get(source, 0) + embedded

        if self.holders.get(source) != sequencer:
            return False
        self.faults.write(change)
        return True

    def commit(
        self,
        source: str,
        sequencer: str,
        etag: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
    ) -> None:
        def change() -> None:
            if self.holders.get(source) != sequencer:
                return
            hashes = {**self.read(source, deadline).hashes, **changed}
            for gone in removed:
                hashes.pop(gone, None)
            self.states[source] = SourceState(sequencer=sequencer, etag=etag, hashes=hashes)
            del self.holders[source]

        self.faults.write(change)

    # The ledger, as far as one worker after the other can tell.

    def open(self, source: str, token: str, plan: IngestionPlan, deadline: Deadline) -> bool:
        if self.holders.get(source) != token:
            return False
        before = self.plans.get(source)
        if before is None or before.sequencer != plan.sequencer:
            self.embedded[source] = 0
        self.parts[source] = set()
        self.plans[source] = replace(plan, counts=dict(plan.counts))
        return True

    def sent(self, source: str, token: str, deadline: Deadline) -> bool:
        if self.holders.get(source) != token or source not in self.plans:
            return False
        self.plans[source] = replace(self.plans[source], sent=True)
        return True

    def done(self, source: str, token: str, number: int, deadline: Deadline) -> int | None:
        if self.holders.get(source) != token:
            return None
        self.parts[source].add(number)
        return len(self.parts[source])

    def find(self, source: str, deadline: Deadline) -> IngestionPlan | None:
        plan = self.plans.get(source)
        done = len(self.parts.get(source, ()))
        return plan and replace(plan, embedded=self.embedded.get(source, 0), done=done)


@dataclass
class Live:
    faults: Faults
    facts: dict[str, LiveFacts] = field(default_factory=dict)

    def get(self, ids: Sequence[str], deadline: Deadline) -> dict[str, LiveFacts]:
        return {i: self.facts[i] for i in ids if i in self.facts}

    def on_sale(self, now: float, deadline: Deadline) -> list[LiveFacts]:
        return [f for f in self.facts.values() if f.price.compare_at(now) is not None]

    def put(
        self,
        facts: Sequence[LiveFacts],
        deadline: Deadline,
        *,
        source: str = "",
        uncounted: Collection[str] = (),
    ) -> list[str]:
        self.faults.write(lambda: self.facts.update({fact.id: fact for fact in facts}))
        return []

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        self.faults.write(lambda: [self.facts.pop(i, None) for i in ids])


class NoInventory:
    """No inventory file was ever uploaded."""

    def restock(self, rows: Sequence[InventoryRow], revision: int, deadline: Deadline) -> list[Any]:
        raise AssertionError("tests of inventory files have a Redis")

    def overtaken(self, revision: int, deadline: Deadline) -> dict[str, Overtaken]:
        return {}

    def advance(self, source: str, revision: int, deadline: Deadline) -> None:
        """Nobody asks."""


@dataclass
class Queue:
    """Messages that wait."""

    faults: Faults
    waiting: list[str] = field(default_factory=list)

    def send(self, bodies: Sequence[str], deadline: Deadline, *, delay_seconds: int = 0) -> None:
        self.faults.write(lambda: self.waiting.extend(bodies))


class IndexReader:
    """What inventory files read of the index."""

    def __init__(self, index: "Index") -> None:
        self._index = index

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"ingestion does not {name}")

    def products(self, ids: Sequence[str], deadline: Deadline) -> dict[str, Product]:
        return {i: self._index.products[i] for i in ids if i in self._index.products}


@dataclass
class Index:
    faults: Faults
    chunks: dict[str, Chunk] = field(default_factory=dict)
    dense: dict[str, Sequence[float] | None] = field(default_factory=dict)
    products: dict[str, Product] = field(default_factory=dict)
    prepared: bool = False
    marks: set[str] = field(default_factory=set)
    served: bool = True

    def prepare(self, deadline: Deadline) -> None:
        self.prepared = True

    def upsert(self, chunks: Sequence[IndexedChunk], deadline: Deadline) -> None:
        assert self.prepared

        def change() -> None:
            for indexed in chunks:
                chunk = indexed.chunk
                assert indexed.sparse
                self.chunks[chunk.id] = chunk
                self.dense[chunk.id] = indexed.dense
                if chunk.product:
                    self.products[chunk.product.id] = chunk.product

        self.faults.write(change)

    def refresh(self, products: Sequence[Product], deadline: Deadline) -> None:
        def change() -> None:
            for product in products:
                self.products[product.id] = product

        self.faults.write(change)

    def remove_products(self, ids: Sequence[str], deadline: Deadline) -> None:
        def change() -> None:
            for product_id in ids:
                self.products.pop(product_id, None)
            self.chunks = {
                i: c for i, c in self.chunks.items() if not c.product or c.product.id not in ids
            }

        self.faults.write(change)

    def remove_chunks(self, ids: Sequence[str], deadline: Deadline) -> None:
        self.faults.write(lambda: [self.chunks.pop(i, None) for i in ids])

    def held(self, sources: Sequence[str], deadline: Deadline) -> set[str]:
        return self.marks.intersection(sources)

    def complete(self, source: str, kept: Collection[str], deadline: Deadline) -> None:
        def change() -> None:
            for chunk_id, chunk in list(self.chunks.items()):
                owner = chunk.product.id if chunk.product else chunk_id
                if chunk.source == source and owner not in kept:
                    del self.chunks[chunk_id]
                    self.products.pop(owner, None)
            self.marks.add(source)

        self.faults.write(change)

    def is_served(self, deadline: Deadline) -> bool:
        return self.served

    def publish(self, deadline: Deadline) -> None:
        self.served = True


@dataclass
class CountingEmbedder:
    model: str = "counting/1"
    dimensions: int = 2
    texts: list[str] = field(default_factory=list)

    def embed_query(self, text: str, deadline: Deadline) -> list[float]:
        return [1.0, 0.0]

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        self.texts += texts
        return [[float(len(text)), 1.0] for text in texts]


VOCABULARY = load_store_pack().vocabulary


class Shop:
    """Uploads and deletions, each followed by its event.

    Args:
        connection: to a Redis that holds live facts, inventory, manifest and plans in place of the memory.
    """

    def __init__(self, connection: RedisConnection | None = None) -> None:
        self.faults = Faults()
        self.objects = Objects(self.faults)
        memory = Manifest(self.faults)
        self.manifest: Any = RedisManifest(connection=connection) if connection else memory
        self.ledger: Any = RedisPartLedger(connection=connection) if connection else memory
        self.live: Any = (
            RedisLiveCatalog(connection=connection) if connection else Live(self.faults)
        )
        self.inventory: Any = RedisInventory(connection=connection) if connection else NoInventory()
        self.index = Index(self.faults)
        self.embedder = CountingEmbedder()
        self.queue = Queue(self.faults)
        self.part_size = 0
        self.sequence = 0x0055AED6DCD90281E5

    def service(
        self, *, embedder: CountingEmbedder | None = None, ratio: float = 0.5
    ) -> IngestionService:
        return IngestionService(
            objects=self.objects,
            manifest=self.manifest,
            ledger=self.ledger,
            live=self.live,
            inventory=self.inventory,
            index=cast(Any, IndexReader(self.index)),
            writer=self.index,
            embedder=embedder or self.embedder,
            reader=CatalogFileReader(currency="MAD"),
            vocabulary=VOCABULARY,
            max_delete_ratio=ratio,
            queue=self.queue if self.part_size else None,
            part_size=self.part_size or 1000,
        )

    def work(self, body: str, seconds: float = 30) -> IngestionReport:
        """Do one message of a part."""
        part = Part.of(json.loads(body))
        assert part
        return self.service().apply_part(part, Deadline.after(seconds))

    def drain(self) -> list[IngestionReport]:
        """Do all messages that wait."""
        reports: list[IngestionReport] = []
        while self.queue.waiting:
            reports.append(self.work(self.queue.waiting.pop(0)))
        return reports

    def event(self, key: str = CATALOG, *, removed: bool = False) -> ObjectEvent:
        """A new event, later than every one before."""
        self.sequence += 0x1000_0000
        return ObjectEvent("catalog", key, f"{self.sequence:018X}", removed)

    def apply(self, event: ObjectEvent, **options: Any) -> IngestionReport:
        return self.service(**options).apply(event, Deadline.after(30))

    def write(self, rows: Sequence[Mapping[str, Any] | str], key: str = CATALOG) -> None:
        """Replace a file without an event."""
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        self.objects.bodies[key] = "\n".join(lines).encode()

    def upload(
        self, rows: Sequence[Mapping[str, Any] | str], key: str = CATALOG, **options: Any
    ) -> IngestionReport:
        self.write(rows, key)
        return self.apply(self.event(key), **options)

    def upload_text(self, text: str, key: str) -> IngestionReport:
        self.objects.bodies[key] = text.encode()
        return self.apply(self.event(key))

    def facts(self, *ids: str) -> dict[str, tuple[float, int | None]]:
        """Live (price in major units, stock) of products."""
        found = self.live.get(ids, Deadline.after(10))
        return {i: (f.price.at(NOW) / 100, f.stock) for i, f in found.items()}

    def delete(self, key: str = CATALOG) -> IngestionReport:
        self.objects.bodies.pop(key, None)
        return self.apply(self.event(key, removed=True))

    def reports(self) -> list[dict[str, Any]]:
        keys = [key for key in self.objects.bodies if key.startswith("reports/")]
        return [json.loads(self.objects.bodies[key]) for key in sorted(keys)]

    def state(self) -> dict[str, Any]:
        """All that a shopper could notice, and what the next ingestion will know."""
        return {
            "prices": {i: (f.name, f.price, f.stock) for i, f in self.live.facts.items()},
            "products": dict(self.index.products),
            "texts": {i: c.text for i, c in self.index.chunks.items()},
            "hashes": {
                source: dict(state.hashes) for source, state in self.manifest.states.items()
            },
        }


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def new_shop() -> type[Shop]:
    """For tests that compare shops."""
    return Shop


@pytest.fixture
def redis_shop(redis_stack) -> Generator[Callable[[], Shop]]:
    """Makes shops whose live facts, inventory, manifest and plans are in a Redis, each in a keyspace of its own."""
    connections: list[RedisConnection] = []

    def make() -> Shop:
        connections.append(
            RedisConnection(
                url=redis_stack.url, token=redis_stack.token, prefix=f"t{uuid4().hex[:12]}"
            )
        )
        return Shop(connections[-1])

    yield make
    for connection in connections:
        connection.close()


def perfume(number: int, **other: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": f"p{number}",
        "name": f"Perfume {number}",
        "brand": "Maison Test",
        "description": f"The text of perfume number {number}.",
        "price": 100 + number,
        "stock": 5,
        "gender": "women",
        "families": ["floral"],
        "notes": {"top": ["lemon"], "heart": ["rose"], "base": ["musk"]},
        "seasons": ["summer"],
    }
    return {**row, **other}


@pytest.fixture(name="perfume")
def perfume_of_number() -> Any:
    """Makes a row: `perfume(3, price=90)`."""
    return perfume
