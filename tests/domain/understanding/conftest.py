"""The default store's vocabulary and a short way to understand a message."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import shopping_agent
from shopping_agent.domain.query import ShownProduct, Understanding
from shopping_agent.domain.understanding import understand
from shopping_agent.domain.vocabulary import Vocabulary

Understand = Callable[..., Understanding]

SHOWN = (
    ShownProduct("p1", "Dune Claire", 42000, 50),
    ShownProduct("p2", "Minuit Argan", 65000, 50),
    ShownProduct("p3", "Sel de Mogador", 28000, 30),
)


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    pack = Path(shopping_agent.__file__).parent / "store_pack" / "vocabulary.json"
    return Vocabulary.from_document(json.loads(pack.read_text(encoding="utf-8")))


@pytest.fixture
def reading(vocabulary: Vocabulary) -> Understand:
    """`understand` with the default vocabulary and the store's currency."""

    def of(text: str, **context: object) -> Understanding:
        return understand(text, vocabulary=vocabulary, currency="MAD", **context)  # type: ignore[arg-type]

    return of


@pytest.fixture
def shown() -> tuple[ShownProduct, ...]:
    """Three products that were shown before."""
    return SHOWN
