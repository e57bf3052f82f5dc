"""A reply before it becomes what API Gateway reads."""

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime
from typing import Any, Final

from shopping_agent.domain.values import frozen

LEAST_COMPRESSED: Final = 1024
"""Bytes below which compressing costs more than it saves."""


@frozen
class Response:
    """A reply.

    Attributes:
        compress: gzip is allowed where the client reads it.
        kept: what may be stored in place of the body, where that is not the body itself.
    """

    status: int
    body: str | bytes = ""
    content_type: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    compress: bool = False
    kept: str | None = None

    def answer(self, headers: Mapping[str, str], accepts: str = "") -> dict[str, Any]:
        """The reply in API Gateway's payload 2.0.

        Args:
            headers: of every reply; the reply's own win.
            accepts: the request's Accept-Encoding.
        """
        all_headers = {**headers, **self.headers}
        if self.content_type:
            all_headers["Content-Type"] = self.content_type
        body = self.body
        if self.compress:
            all_headers["Vary"] = "Accept-Encoding"
            raw = body.encode() if isinstance(body, str) else body
            if "gzip" in accepts and len(raw) >= LEAST_COMPRESSED:
                body = _gzip(raw)
                all_headers["Content-Encoding"] = "gzip"
        binary = isinstance(body, bytes)
        return {
            "statusCode": self.status,
            "headers": all_headers,
            "body": b64encode(body).decode() if isinstance(body, bytes) else body,
            "isBase64Encoded": binary,
            "cookies": [],
        }


def json_reply(
    body: Any,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    kept: str | None = None,
) -> Response:
    """A JSON reply."""
    return Response(
        status=status,
        content_type="application/json",
        body=json_text(body),
        headers=headers or {},
        kept=kept,
    )


def json_text(body: Any) -> str:
    """Compact JSON in UTF-8 (not escaped: half the bytes in Arabic)."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def utc_time(seconds: float) -> str:
    """Seconds since the epoch as ISO 8601: `2026-11-30T20:00:00Z`."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _gzip(raw: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return packer.compress(raw) + packer.flush()
