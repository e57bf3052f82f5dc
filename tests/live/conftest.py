"""The real providers whose keys are in the environment; without a key a test says which one it wants."""

import os
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from shopping_agent import bootstrap
from shopping_agent.settings import Settings

from evaluation.client import ChatClient
from evaluation.shop import shop
from functions.local.fake_provider.script import Dialect
from tests.functions.conftest import check

ROOT = Path(__file__).resolve().parents[2]
NEEDED = {
    "gemini": ("GEMINI_API_KEY",),
    "groq": ("GROQ_API_KEY",),
    "xai": ("XAI_API_KEY",),
    "openai": ("OPENAI_BASE_URL", "OPENAI_MODEL"),
}


@pytest.fixture(params=sorted(NEEDED))
def provider(request: pytest.FixtureRequest) -> Dialect:
    """Each provider in turn, skipped where its key is not there."""
    missing = [name for name in NEEDED[request.param] if not os.environ.get(name)]
    if missing:
        pytest.skip(f"asks the real API: needs {' and '.join(missing)}")
    return request.param


@pytest.fixture(scope="session")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, str]]:
    """The variables of a running shop that holds the demo store."""
    files = {"catalog/catalog.jsonl": ROOT / "demo/catalog.jsonl"}
    files |= {f"guides/{f.name}": f for f in sorted((ROOT / "demo/guides").glob("*.md"))}
    with shop(tmp_path_factory.mktemp("shop"), files) as running:
        yield running


@pytest.fixture
def say(
    provider: Dialect, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., ChatClient]:
    """A new shopper of a shop with this provider and no other."""
    variables: dict[str, str] = request.getfixturevalue("variables")
    keys = ("API_KEY", "BASE_URL", "MODEL")
    own = {
        name: os.environ[name]
        for name in (f"{provider.upper()}_{key}" for key in keys)
        if os.environ.get(name)
    }
    settings = Settings.from_mapping(
        {**variables, **own, "LLM_PROVIDER": provider, "LLM_FALLBACKS": "none"}
    )
    monkeypatch.setattr(bootstrap, "settings", lambda: settings)
    return lambda: ChatClient(check)
