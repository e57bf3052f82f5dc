"""The demo shop as its stack keeps it, with the local embedder: what a question gets through the whole turn."""

import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from shopping_agent import bootstrap
from shopping_agent.application.chunking import guide_chunks
from shopping_agent.application.turn import Turn
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.settings import Settings

GUIDES = Path(__file__).resolve().parents[4] / "demo/guides"


@pytest.fixture(scope="session")
def shop(stack) -> Settings:
    """Settings that use the stack's own index, embeddings and Redis from this process."""
    endpoints = stack.endpoints
    return Settings.from_mapping(
        {
            "QDRANT_URL": endpoints["qdrant"],
            "EMBEDDING_PROVIDER": "openai",
            "EMBEDDING_BASE_URL": endpoints["embeddings"],
            "UPSTASH_REDIS_REST_URL": endpoints["redis"],
            "SESSION_SECRET": "test:only-for-tests",
        }
    )


@pytest.fixture(scope="session")
def ask(shop: Settings) -> Callable[[str], Turn]:
    """The turn of a question by a new shopper."""

    def turn(question: str) -> Turn:
        shopper = Shopper(f"g_{secrets.token_hex(8)}", f"s_{secrets.token_hex(8)}")
        return bootstrap.assistant(shop).reply(
            question, shopper=shopper, turn_id=secrets.token_hex(8), deadline=Deadline.after(25)
        )

    return turn


@pytest.fixture(scope="session")
def headings() -> dict[str, set[str]]:
    """The heading of every section in every language -> `<guide>#<place in it>`."""
    found: dict[str, set[str]] = {}
    for guide in sorted(GUIDES.glob("*.md")):
        for chunk in guide_chunks(f"guides/{guide.name}", guide.read_text("utf-8")):
            place = chunk.id.rpartition("/")[2]
            found.setdefault(chunk.heading, set()).add(f"{chunk.guide}#{place}")
    return found
