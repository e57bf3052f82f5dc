"""The real chat handler, Redis bridge and index, in front of the fake provider: every pitfall happens over real HTTP."""

import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from shopping_agent import bootstrap
from shopping_agent.settings import Settings

from evaluation.client import ChatClient
from evaluation.shop import shop
from functions.local.fake_provider import FakeProvider, fake_provider
from functions.local.fake_provider.script import Dialect
from tests.functions.conftest import check
from tests.pitfalls.turns import FLAGSHIP, MODELS

ROOT = Path(__file__).resolve().parents[2]
Talk = Callable[..., ChatClient]


@pytest.fixture(scope="session")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, str]]:
    """The variables of a running shop that holds the demo store."""
    files = {"catalog/catalog.jsonl": ROOT / "demo/catalog.jsonl"}
    files |= {f"guides/{f.name}": f for f in sorted((ROOT / "demo/guides").glob("*.md"))}
    with shop(tmp_path_factory.mktemp("shop"), files) as running:
        yield running


@pytest.fixture(scope="session")
def server() -> Generator[FakeProvider]:
    with fake_provider() as running:
        yield running


@pytest.fixture
def fake(server: FakeProvider) -> FakeProvider:
    """The provider, with nothing scripted and no request seen."""
    server.reset()
    return server


@pytest.fixture
def talk(variables: dict[str, str], fake: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """A new shopper of a shop with this provider: `talk("groq", "http503@2", LLM_FALLBACKS="none")`."""

    def start(provider: Dialect, *switches: str, **more: Any) -> ChatClient:
        settings = Settings.from_mapping(
            {
                **variables,
                **_endpoints(fake, provider, switches),
                "LLM_PROVIDER": provider,
                "CIRCUIT_BREAKER": "off",
                **{name: str(value) for name, value in more.items()},
            }
        )
        monkeypatch.setattr(bootstrap, "settings", lambda: settings)
        return ChatClient(check)

    return start


def _endpoints(fake: FakeProvider, first: Dialect, switches: tuple[str, ...]) -> dict[str, str]:
    """Where all providers are; only the first one's address has the faults."""
    endpoints: dict[str, str] = {}
    for name, model in MODELS.items():
        upper = name.upper()
        endpoints[f"{upper}_API_KEY"] = "a-key"
        endpoints[f"{upper}_MODEL"] = model
        endpoints[f"{upper}_BASE_URL"] = fake.base_url(name, *(switches if name == first else ()))
    return endpoints


@pytest.fixture(scope="session")
def best(variables: dict[str, str]) -> str:
    """The product that the flagship message means, as our own planner finds it."""
    with pytest.MonkeyPatch.context() as patch:
        settings = Settings.from_mapping({**variables, "LLM_PROVIDER": "offline"})
        patch.setattr(bootstrap, "settings", lambda: settings)
        answer = ChatClient(check)(FLAGSHIP)
    [product] = answer.cart
    return product


@pytest.fixture
def turn_id() -> str:
    return f"t-{uuid4().hex}"


@pytest.fixture
def body_of() -> Callable[..., str]:
    return lambda message, **fields: json.dumps({"message": message, **fields})
