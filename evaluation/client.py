"""A shopper's client of the real handlers: events as API Gateway sends them, replies as it gets them."""

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from functions.chat import app as chat
from functions.local.sample_events import as_of_now
from functions.store import app as store

ROOT = Path(__file__).resolve().parents[1]
Check = Callable[[str, str, dict[str, Any]], None]


def unchecked(method: str, path: str, answer: Mapping[str, Any]) -> None:
    """No check of a reply beyond its use."""


class Context:
    """Lambda's context: what is left of the function's time."""

    aws_request_id = "a-request"

    def __init__(self, seconds: float = 29.0) -> None:
        self._until = time.monotonic() + seconds

    def get_remaining_time_in_millis(self) -> int:
        return int(max(0.0, self._until - time.monotonic()) * 1000)


class ChatAnswer:
    """A handler's reply."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.status: int = raw["statusCode"]
        self.headers: dict[str, str] = raw["headers"]
        self.text: str = raw["body"]

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def code(self) -> str:
        """Of a problem document."""
        if self.headers["Content-Type"] != "application/problem+json":
            raise AssertionError(f"not a problem: {self.status} {self.text}")
        return self.json["code"]

    @property
    def cart(self) -> dict[str, int]:
        return {item["productId"]: item["quantity"] for item in self.json["cart"]["items"]}


class ChatClient:
    """Calls the handlers with the token that the first reply minted.

    Args:
        check: of every reply, by method, path and the handler's answer.
    """

    def __init__(self, check: Check = unchecked) -> None:
        self.token = ""
        self._check = check

    def __call__(self, message: Any, **fields: Any) -> ChatAnswer:
        return self.send(json.dumps({"message": message, **fields}))

    def send(
        self,
        body: str | None,
        *,
        method: str = "POST",
        path: str = "/api/v1/ai/cart",
        seconds: float = 29.0,
        **event: Any,
    ) -> ChatAnswer:
        """One request to the chat function."""
        return self.invoke({**self._request(body, method, path), **event}, seconds)

    def at_store(
        self, method: str, path: str, body: Any = None, *, query: Mapping[str, str] | None = None
    ) -> ChatAnswer:
        """One request to the store function."""
        request = self._request(None if body is None else json.dumps(body), method, path)
        if query:
            request["queryStringParameters"] = dict(query)
        return self._answer(request, store.lambda_handler(request, Context()))

    def event(self, name: str) -> ChatAnswer:
        """One of the sample events, as if it happened now."""
        event = as_of_now(json.loads((ROOT / "events" / f"{name}.json").read_text("utf-8")))
        if self.token:
            event["headers"]["authorization"] = f"Bearer {self.token}"
        return self.invoke(event)

    def invoke(self, event: dict[str, Any], seconds: float = 29.0) -> ChatAnswer:
        return self._answer(event, chat.lambda_handler(event, Context(seconds)))

    def _request(self, body: str | None, method: str, path: str) -> dict[str, Any]:
        headers = {"host": "shop.example", "content-type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return {
            "version": "2.0",
            "rawPath": path,
            "headers": headers,
            "requestContext": {
                "requestId": "r1",
                "stage": "$default",
                "timeEpoch": int(time.time() * 1000),
                "http": {"method": method, "path": path},
            },
            "body": body,
            "isBase64Encoded": False,
        }

    def _answer(self, event: dict[str, Any], raw: dict[str, Any]) -> ChatAnswer:
        self._check(event["requestContext"]["http"]["method"], event["rawPath"], raw)
        answer = ChatAnswer(raw)
        if answer.status < 300 and '"sessionToken"' in answer.text:
            self.token = answer.json.get("sessionToken", self.token)
        return answer
