"""The real store handler on a real Redis and a strict Qdrant stand-in, filled with a few products."""

import json
from collections.abc import Callable, Generator
from typing import Any
from uuid import uuid4

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.index.qdrant import QdrantIndex
from shopping_agent.application.chunking import product_chunks
from shopping_agent.application.index_batches import ChunkIndexer
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.settings import Settings

from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.serving import serving
from functions.store import app as store

PRODUCTS = (
    Product(
        id="rose",
        name="Rose Zahra",
        brand="Zahra",
        description="A fresh rose with lemon.",
        price=PriceTag(50_000, "MAD"),
        stock=3,
        gender="women",
        families=("floral",),
        notes=Notes(("lemon",), ("rose",), ("musk",)),
        seasons=("spring",),
        size_ml=50,
    ),
    Product(
        id="oud",
        name="Oud Nuit",
        description="A dark oud for winter evenings.",
        price=PriceTag(120_000, "MAD", 90_000, None, 4_000_000_000),
        stock=0,
        gender="men",
        families=("woody",),
        notes=Notes(base=("oud",)),
        seasons=("winter",),
    ),
    Product(
        id="sku/7 é",
        name="Sea Salt",
        description="Marine breeze.",
        price=PriceTag(7_000, "EUR"),
        gender="unisex",
    ),
    Product(id="plain", name="Plain Water", price=PriceTag(10_050, "MAD"), stock=None),
)


class StoreClient:
    """Calls the handler as API Gateway does; every reply must be what the document says."""

    def __init__(self, documented: Callable[[str, str, dict[str, Any]], None]) -> None:
        self.token = ""
        self._documented = documented

    def __call__(self, method: str, path: str, body: Any = None, **options: Any):
        headers = {"host": "shop.example", **options.pop("headers", {})}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        event = {
            "version": "2.0",
            "rawPath": path,
            "headers": headers,
            "queryStringParameters": options.pop("query", None),
            "requestContext": {
                "requestId": "r1",
                "stage": "$default",
                "http": {
                    "method": method,
                    "path": path,
                    "sourceIp": options.pop("ip", "127.0.0.1"),
                },
            },
            "body": body if body is None or isinstance(body, str) else json.dumps(body),
            "isBase64Encoded": False,
        }
        answer = store.lambda_handler(event, None)
        json.dumps(answer)
        self._documented(method, path, answer)
        return StoreAnswer(answer)

    def sign_in(self) -> None:
        self.token = self("POST", "/api/v1/sessions").json["token"]


class StoreAnswer:
    def __init__(self, raw: dict[str, Any]) -> None:
        self.status: int = raw["statusCode"]
        self.headers: dict[str, str] = raw["headers"]
        self.body: str = raw["body"]
        self.base64: bool = raw["isBase64Encoded"]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        assert self.headers["Content-Type"] == "application/problem+json"
        return self.json["code"]


@pytest.fixture(scope="session")
def qdrant() -> Generator[tuple[str, QdrantStandIn]]:
    stand_in = QdrantStandIn(api_key="")
    with serving(build_app(stand_in)) as url:
        yield url, stand_in
    stand_in.close()


@pytest.fixture(scope="session")
def settings(qdrant, redis_stack) -> Settings:
    """Settings of a store of its own in the shared Redis, filled with `PRODUCTS`."""
    url, _ = qdrant
    settings = Settings.from_mapping(
        {
            "QDRANT_URL": url,
            "EMBEDDING_PROVIDER": "none",
            "UPSTASH_REDIS_REST_URL": redis_stack.url,
            "UPSTASH_REDIS_REST_TOKEN": redis_stack.token,
            "REDIS_PREFIX": f"s{uuid4().hex[:10]}",
            "SESSION_SECRET": "test:only-for-tests",
        }
    )
    deadline = Deadline.after(30)
    writer = QdrantIndex(
        url=url, path="", api_key="", collection="products", model="none", dimensions=0
    )
    writer.prepare(deadline)
    vocabulary = bootstrap.store_pack(settings).vocabulary
    chunks = [c for p in PRODUCTS for c in product_chunks(p, "catalog/c.jsonl", vocabulary)]
    ChunkIndexer(writer=writer, embedder=None).index(chunks, deadline)
    bootstrap.live_catalog(settings).put([p.live_facts() for p in PRODUCTS], deadline)
    writer.close()
    return settings


@pytest.fixture
def use(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Settings]:
    """Makes the handler run with other settings: `use(RATE_LIMITS="session=3/min")`; counters begin anew."""

    def change(**variables: str) -> Settings:
        plain = {
            name.upper(): getattr(value, "get_secret_value", lambda value=value: value)()
            for name, value in settings
        }
        changed = Settings.from_mapping({**plain, **variables})
        monkeypatch.setattr(bootstrap, "settings", lambda: changed)
        connection = bootstrap.redis(settings)
        connection.run(["DEL", connection.key("traffic", "store")], Deadline.after(5))
        return changed

    return change


@pytest.fixture
def call(settings: Settings, monkeypatch: pytest.MonkeyPatch, documented: Any) -> StoreClient:
    monkeypatch.setattr(bootstrap, "settings", lambda: settings)
    bootstrap.readiness.cache_clear()
    return StoreClient(documented)
