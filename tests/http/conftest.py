from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def event() -> Callable[..., dict[str, Any]]:
    """An HTTP API event (payload 2.0)."""

    def make(method: str = "GET", path: str = "/", body: Any = None, **fields: Any):
        stage = fields.pop("stage", "$default")
        return {
            "version": "2.0",
            "rawPath": path,
            "headers": {"Host": "x.example"},
            "requestContext": {
                "requestId": "req-1",
                "stage": stage,
                "http": {"method": method, "path": path},
            },
            "body": body,
            "isBase64Encoded": False,
            **fields,
        }

    return make
