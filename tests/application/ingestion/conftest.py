"""A shop in memory for ingestion: every part counts its calls and can be made to fail at any one of them."""

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.application.ingestion import IngestionService
from shopping_agent.application.ingestion_report import IngestionReport
from shopping_agent.domain.catalog import LiveFacts, Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import ObjectEvent
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import Chunk, IndexedChunk, SourceState, StoredObject

CATALOG = "catalog/perfumes.jsonl"


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
    faults: Faults
    bodies: dict[str, bytes] = field(default_factory=dict)

    def open(
        self, bucket: str, key: str, deadline: Deadline, *, version: str | None = None
    ) -> StoredObject | None:
        if key not in self.bodies:
            return None
        body = self.bodies[key]
        return StoredObject(io.BytesIO(body), hashlib.md5(body).hexdigest(), len(body))

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

    def read(self, source: str, deadline: Deadline) -> SourceState:
        return self.states.get(source, SourceState())

    def begin(self, source: str, sequencer: str, deadline: Deadline) -> bool:
        if sequencer <= self.read(source, deadline).sequencer:
            return False
        if sequencer < self.holders.get(source, ""):
            return False
        self.holders[source] = sequencer
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


@dataclass
class Live:
    faults: Faults
    facts: dict[str, LiveFacts] = field(default_factory=dict)

    def get(self, ids: Sequence[str], deadline: Deadline) -> dict[str, LiveFacts]:
        return {i: self.facts[i] for i in ids if i in self.facts}

    def on_sale(self, now: float, deadline: Deadline) -> list[LiveFacts]:
        return [f for f in self.facts.values() if f.price.compare_at(now) is not None]

    def put(self, facts: Sequence[LiveFacts], deadline: Deadline) -> None:
        self.faults.write(lambda: self.facts.update({fact.id: fact for fact in facts}))

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        self.faults.write(lambda: [self.facts.pop(i, None) for i in ids])


@dataclass
class Index:
    faults: Faults
    chunks: dict[str, Chunk] = field(default_factory=dict)
    dense: dict[str, Sequence[float] | None] = field(default_factory=dict)
    products: dict[str, Product] = field(default_factory=dict)
    prepared: bool = False

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
    """Uploads and deletions, each followed by its event."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.objects = Objects(self.faults)
        self.manifest = Manifest(self.faults)
        self.live = Live(self.faults)
        self.index = Index(self.faults)
        self.embedder = CountingEmbedder()
        self.sequence = 0x006B0DB0000000000000

    def service(
        self, *, embedder: CountingEmbedder | None = None, ratio: float = 0.5
    ) -> IngestionService:
        return IngestionService(
            objects=self.objects,
            manifest=self.manifest,
            live=self.live,
            writer=self.index,
            embedder=embedder or self.embedder,
            reader=CatalogFileReader(currency="MAD"),
            vocabulary=VOCABULARY,
            max_delete_ratio=ratio,
        )

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
