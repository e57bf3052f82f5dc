"""API Gateway's HTTP API: a request as an event of payload format 2.0, and a handler's answer as a response.

https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
"""

import base64
import binascii
import json
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import parse_qsl, unquote

from functions.local.runtime import ACCOUNT

API_ID = "local"
TEXT_TYPES = ("text/", "application/json", "application/javascript", "application/xml")
TEXT_SUFFIXES = ("+json", "+xml")
HOP_BY_HOP = frozenset(
    {"connection", "content-length", "keep-alive", "transfer-encoding", "upgrade", "date", "server"}
)


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it came in. `path` and `query` are as sent; header names are lower-cased."""

    method: str
    path: str
    query: str = ""
    headers: Sequence[tuple[str, str]] = ()
    body: bytes = b""
    source_ip: str = "127.0.0.1"
    protocol: str = "HTTP/1.1"

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")


@dataclass(frozen=True, slots=True)
class HttpResponse:
    status: int
    headers: Sequence[tuple[str, str]] = ()
    body: bytes = b""
    request_id: str = field(default="", compare=False)

    @classmethod
    def message(cls, status: int, text: str) -> "HttpResponse":
        """An answer of the gateway itself."""
        body = json.dumps({"message": text}, separators=(",", ":")).encode()
        return cls(status=status, headers=[("content-type", "application/json")], body=body)


class BadAnswerError(Exception):
    """A handler's answer that API Gateway cannot turn into a response."""


def event_of(request: HttpRequest, *, route: str) -> dict[str, Any]:
    """The event that the handler behind `route` gets."""
    now = time.time()
    path = unquote(request.path)
    body, is_base64 = _body_of(request)
    query = _joined(parse_qsl(request.query, keep_blank_values=True))
    cookies = [
        cookie.strip()
        for name, value in request.headers
        if name == "cookie"
        for cookie in value.split(";")
    ]
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": route,
        "rawPath": path,
        "rawQueryString": request.query,
        "cookies": cookies or None,
        "headers": _joined((n, v) for n, v in _forwarded(request) if n != "cookie"),
        "queryStringParameters": query or None,
        "requestContext": {
            "accountId": ACCOUNT,
            "apiId": API_ID,
            "domainName": request.header("host"),
            "domainPrefix": API_ID,
            "http": {
                "method": request.method,
                "path": path,
                "protocol": request.protocol,
                "sourceIp": request.source_ip,
                "userAgent": request.header("user-agent"),
            },
            "requestId": uuid.uuid4().hex[:15] + "=",
            "routeKey": route,
            "stage": "$default",
            "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
            "timeEpoch": int(now * 1000),
        },
        "body": body,
        "isBase64Encoded": is_base64,
    }
    return {name: value for name, value in event.items() if value is not None}


def response_of(answer: Any) -> HttpResponse:
    """What the client gets for a handler's answer.

    Raises:
        BadAnswerError: where API Gateway would answer 500.
    """
    if not isinstance(answer, dict) or "statusCode" not in answer:
        body = json.dumps(answer).encode()
        return HttpResponse(200, [("content-type", "application/json")], body)
    shape = cast("dict[str, Any]", answer)
    try:
        status = int(shape["statusCode"])
        headers = list(_headers_of(shape))
        body = _answer_body(shape)
    except (TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise BadAnswerError(str(error)) from error
    if not 100 <= status <= 599:
        raise BadAnswerError(f"statusCode {status}")
    if body and not any(name == "content-type" for name, _ in headers):
        headers.append(("content-type", "text/plain;charset=UTF-8"))
    return HttpResponse(status, headers, body)


def _answer_body(answer: Mapping[str, Any]) -> bytes:
    body = answer.get("body")
    if body is None:
        return b""
    if not isinstance(body, str):
        raise TypeError("body must be a string")
    return base64.b64decode(body, validate=True) if answer.get("isBase64Encoded") else body.encode()


def _headers_of(answer: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    single = [(name, value) for name, value in (answer.get("headers") or {}).items()]
    several = [
        (name, value)
        for name, values in (answer.get("multiValueHeaders") or {}).items()
        for value in values
    ]
    cookies = [("set-cookie", cookie) for cookie in answer.get("cookies") or []]
    return [
        (str(name).lower(), _one_line(value))
        for name, value in [*single, *several, *cookies]
        if str(name).lower() not in HOP_BY_HOP and value is not None
    ]


def _one_line(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if "\r" in text or "\n" in text:
        raise ValueError("line break in a header")
    return text


def _body_of(request: HttpRequest) -> tuple[str | None, bool]:
    if not request.body:
        return None, False
    media = request.header("content-type").split(";")[0].strip().lower()
    if media.startswith(TEXT_TYPES) or media.endswith(TEXT_SUFFIXES):
        try:
            return request.body.decode(), False
        except UnicodeDecodeError:
            pass
    return base64.b64encode(request.body).decode(), True


def _forwarded(request: HttpRequest) -> list[tuple[str, str]]:
    trace = f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]}"
    port = request.header("host").rpartition(":")[2]
    own = [("x-forwarded-for", request.source_ip), ("x-forwarded-proto", "http")]
    own += [("x-forwarded-port", port if port.isdigit() else "80"), ("x-amzn-trace-id", trace)]
    replaced = {"x-forwarded-proto", "x-forwarded-port", "x-amzn-trace-id"}
    return [(n, v) for n, v in request.headers if n not in replaced] + own


def _joined(pairs: Any) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined
