"""The tea shop behind the real handlers: found, recommended, asked about and answered from its guides, with nothing but its files."""

from collections.abc import Iterator
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

TEA = Path(__file__).with_name("tea")


@pytest.fixture(scope="module")
def settings(redis_stack: Any) -> Iterator[Settings]:
    """Settings of the tea shop, its catalog and its guide ingested."""
    stand_in = QdrantStandIn(api_key="")
    with serving(build_app(stand_in)) as url:
        settings = Settings.from_mapping(
            {
                "STORE_PACK": str(TEA),
                "QDRANT_URL": url,
                "EMBEDDING_PROVIDER": "none",
                "UPSTASH_REDIS_REST_URL": redis_stack.url,
                "UPSTASH_REDIS_REST_TOKEN": redis_stack.token,
                "REDIS_PREFIX": f"t{uuid4().hex[:10]}",
                "SESSION_SECRET": "test:only-for-tests",
            }
        )
        fill(settings)
        yield settings
    stand_in.close()


def fill(settings: Settings) -> None:
    deadline = Deadline.after(30)
    vocabulary = bootstrap.store_pack(settings).vocabulary
    with (TEA / "catalog.jsonl").open("rb") as file:
        rows = CatalogFileReader(currency="MAD").read(file)
        products = [row.product for row in rows if isinstance(row, ProductRow)]
    chunks = [c for p in products for c in product_chunks(p, "catalog/catalog.jsonl", vocabulary)]
    guide = TEA / "brewing.en.md"
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
def say(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> ChatClient:
    monkeypatch.setattr(bootstrap, "settings", lambda: settings)
    return ChatClient()


def test_its_words_find_its_products(say) -> None:
    found = say.at_store("GET", "/api/v1/products", query={"query": "thé fumé"}).json["products"]
    assert found[0]["id"] == "lapsang"
    listed = say.at_store("GET", "/api/v1/products", query={"query": "camomille"}).json["products"]
    assert [product["id"] for product in listed][:1] == ["evening"]


def test_its_rules_recommend_and_explain(say) -> None:
    body = {"profile": {"moment": "night"}, "locale": "fr"}
    answer = say.at_store("POST", "/api/v1/recommendations", body).json
    assert answer["products"][0]["id"] == "evening"
    texts = {r["text"] for r in answer["products"][0]["reasons"]}
    assert "Le soir, une tasse calme laisse dormir." in texts
    refused = say.at_store("POST", "/api/v1/recommendations", {"profile": {"climate": "hot"}})
    assert (refused.status, refused.json["field"]) == (422, "profile.climate")
    assert "health, moment, taste" in refused.json["detail"]


def test_a_shopper_of_tea_is_understood_and_answered_by_its_rules(say) -> None:
    reply = say("something for breakfast, caffeine keeps me awake").json
    assert [product["id"] for product in reply["products"]] == ["evening"]
    assert "no caffeine" in reply["answer"]
    assert "morning" in reply["answer"]
    left_out = say.at_store("GET", "/api/v1/sessions/current/export").text
    assert "no-caffeine" not in left_out
    assert "rule “no caffeine”" in say("why not Mate Verde?").json["answer"]


def test_its_questions_are_its_own(say) -> None:
    reply = say("something smoky").json
    assert reply["products"][0]["id"] == "lapsang"
    assert any("Smoked leaves taste of it." in text for text in reply["products"][0]["reasons"])
    assert set(reply["suggestions"]) <= {"morning", "night"}


def test_its_guide_answers_and_its_cart_sells(say) -> None:
    answer = say("which temperature should the water have?").json["answer"]
    assert "75 degrees" in answer
    added = say("add Lapsang Souchong to my cart")
    assert added.cart == {"lapsang": 1}
