"""Every reply of a function in these tests is held to the OpenAPI document."""

import base64
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import jsonschema
import pytest

from functions.local import openapi


@cache
def operations() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Path patterns with their methods; fixed paths first, as the functions match them."""
    paths = openapi.document()["paths"]
    return [
        (re.compile(re.sub(r"{\w+}", ".+", path)), methods)
        for path, methods in sorted(paths.items(), key=lambda item: "{" in item[0])
    ]


@cache
def validator(schema: str) -> jsonschema.Draft202012Validator:
    whole = {**json.loads(schema), "components": openapi.document()["components"]}
    return jsonschema.Draft202012Validator(whole)


def check(method: str, path: str, answer: dict[str, Any]) -> None:
    """Status, content type, headers and body are what the document says; a 500 is a bug that a test may provoke."""
    status, headers = answer["statusCode"], answer["headers"]
    found = next((methods for pattern, methods in operations() if pattern.fullmatch(path)), None)
    if status == 500 or found is None or method == "HEAD":
        return
    if method.lower() not in found:
        assert status == 405
        return
    replies = found[method.lower()]["responses"]
    assert str(status) in replies, f"{method} {path} answers {status}, which is not documented"
    assert "X-Request-Id" in headers
    reply = replies[str(status)]
    for retry in {"Retry-After"} & set(headers):
        assert retry in reply["headers"]
        assert int(headers[retry]) > 0
    told = {"Idempotency-Replayed", "X-Session-Token", "ETag"} & set(headers)
    assert status >= 300 or told <= set(reply.get("headers", {}))
    if "content" not in reply:
        assert answer["body"] == ""
        return
    [(kind, content)] = reply["content"].items()
    assert headers["Content-Type"].split(";")[0] == kind
    if "schema" in content:
        body = answer["body"]
        text = base64.b64decode(body).decode() if answer["isBase64Encoded"] else body
        validator(json.dumps(content["schema"])).validate(json.loads(text))


@pytest.fixture(scope="session")
def documented() -> Callable[[str, str, dict[str, Any]], None]:
    """Checks a reply: `documented(method, path, answer)`."""
    return check
