"""The real chat handler with the offline model, on a real Redis and a strict Qdrant stand-in that hold the demo store."""

import json
import time
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

from functions.chat import app as chat
from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.sample_events import as_of_now
from functions.local.serving import serving

ROOT = Path(__file__).resolve().parents[3]


class Context:
    """Lambda's context: what is left of the function's time."""

    aws_request_id = "a-request"

    def __init__(self, seconds: float = 29.0) -> None:
        self._until = time.monotonic() + seconds

    def get_remaining_time_in_millis(self) -> int:
        return int(max(0.0, self._until - time.monotonic()) * 1000)


class ChatAnswer:
    def __init__(self, raw: dict[str, Any]) -> None:
        self.status: int = raw["statusCode"]
        self.headers: dict[str, str] = raw["headers"]
        self.text: str = raw["body"]

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def code(self) -> str:
        assert self.headers["Content-Type"] == "application/problem+json"
        return self.json["code"]

    @property
    def cart(self) -> dict[str, int]:
        return {item["productId"]: item["quantity"] for item in self.json["cart"]["items"]}


class ChatClient:
    """Calls the handler as API Gateway does, with the token that the first reply minted."""

    def __init__(self, documented: Callable[[str, str, dict[str, Any]], None]) -> None:
        self.token = ""
        self._documented = documented

    def __call__(self, message: Any, **fields: Any) -> ChatAnswer:
        return self.send(json.dumps({"message": message, **fields}))

    def send(
        self,
        body: str | None,
        *,
        method: str = "POST",
        path: str = "/api/v1/ai/cart",
        seconds: float = 29.0,
        **event: Any,
    ) -> ChatAnswer:
        headers = {"host": "shop.example", "content-type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = {
            "version": "2.0",
            "rawPath": path,
            "headers": headers,
            "requestContext": {
                "requestId": "r1",
                "stage": "$default",
                "timeEpoch": int(time.time() * 1000),
                "http": {"method": method, "path": path},
            },
            "body": body,
            "isBase64Encoded": False,
            **event,
        }
        return self.invoke(request, seconds)

    def event(self, name: str) -> ChatAnswer:
        """One of the sample events, as if it happened now."""
        event = as_of_now(json.loads((ROOT / "events" / f"{name}.json").read_text("utf-8")))
        if self.token:
            event["headers"]["authorization"] = f"Bearer {self.token}"
        return self.invoke(event)

    def invoke(self, event: dict[str, Any], seconds: float = 29.0) -> ChatAnswer:
        raw = chat.lambda_handler(event, Context(seconds))
        self._documented(event["requestContext"]["http"]["method"], event["rawPath"], raw)
        answer = ChatAnswer(raw)
        if answer.status == 200 and "sessionToken" in answer.json:
            self.token = answer.json["sessionToken"]
        return answer


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
