"""A running demo shop for the tools that measure."""

from collections.abc import Generator

import pytest
from shopping_agent.settings import Settings

from evaluation.staging import demo_shop


@pytest.fixture(scope="session")
def shop_settings() -> Generator[Settings]:
    with demo_shop(EMBEDDING_PROVIDER="none") as settings:
        yield settings
