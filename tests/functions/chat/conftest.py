"""The real chat handler with the offline model, on a real Redis and a strict Qdrant stand-in that hold the demo store."""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.adapters.index.qdrant import QdrantIndex
from shopping_agent.application.chunking import guide_chunks, product_chunks
from shopping_agent.application.index_batches import ChunkIndexer
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import ProductRow
from shopping_agent.settings import Settings

from evaluation.client import ChatClient
from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.serving import serving

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def qdrant() -> Generator[tuple[str, QdrantStandIn]]:
    stand_in = QdrantStandIn(api_key="")
    with serving(build_app(stand_in)) as url:
        yield url, stand_in
    stand_in.close()


@pytest.fixture(scope="session")
def settings(qdrant, redis_stack) -> Settings:
    """Settings of the demo store, ingested, in a keyspace of its own."""
    url, _ = qdrant
    settings = Settings.from_mapping(
        {
            "QDRANT_URL": url,
            "EMBEDDING_PROVIDER": "none",
            "UPSTASH_REDIS_REST_URL": redis_stack.url,
            "UPSTASH_REDIS_REST_TOKEN": redis_stack.token,
            "REDIS_PREFIX": f"c{uuid4().hex[:10]}",
            "SESSION_SECRET": "test:only-for-tests",
        }
    )
    fill(settings)
    return settings


def fill(settings: Settings) -> None:
    deadline = Deadline.after(60)
    vocabulary = bootstrap.store_pack(settings).vocabulary
    with (ROOT / "demo/catalog.jsonl").open("rb") as file:
        rows = CatalogFileReader(currency="MAD").read(file)
        products = [row.product for row in rows if isinstance(row, ProductRow)]
    chunks = [c for p in products for c in product_chunks(p, "catalog/catalog.jsonl", vocabulary)]
    for guide in sorted((ROOT / "demo/guides").glob("*.md")):
        chunks += guide_chunks(f"guides/{guide.name}", guide.read_text("utf-8"))
    writer = QdrantIndex(
        url=settings.qdrant_url,
        path="",
        api_key="",
        collection=settings.qdrant_collection,
        model="none",
        dimensions=0,
    )
    writer.prepare(deadline)
    ChunkIndexer(writer=writer, embedder=None).index(chunks, deadline)
    writer.close()
    bootstrap.live_catalog(settings).put([p.live_facts() for p in products], deadline)


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[Settings], None]:
    """Makes the handler read these settings."""
    return lambda settings: monkeypatch.setattr(bootstrap, "settings", lambda: settings)


@pytest.fixture
def say(
    settings: Settings,
    use: Callable[[Settings], None],
    new_shopper: Callable[[], ChatClient],
) -> ChatClient:
    """A new shopper."""
    use(settings)
    return new_shopper()


@pytest.fixture
def new_shopper(documented: Any) -> Callable[[], ChatClient]:
    return partial(ChatClient, documented)
