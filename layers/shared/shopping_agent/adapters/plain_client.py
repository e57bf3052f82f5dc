"""httpx's client without what none of our calls needs: cookies, redirects, authentication, event hooks.

They cost more processor time than the request itself; a turn makes seven. What is not a plain request goes the long way.
"""

import json as standard_json
from collections.abc import Mapping
from typing import Any, Final

import httpx

_KNOWN_ADDRESSES: Final = 64
_UNSAID: Final = (None, httpx.USE_CLIENT_DEFAULT)


class PlainClient(httpx.Client):
    """An `httpx.Client` over a transport of its own, with a short way for requests that are only sent and answered.

    A reply's cookies are forgotten, a redirect is an answer like any other.
    """

    def __init__(self, *, transport: httpx.BaseTransport, **options: Any) -> None:
        super().__init__(transport=transport, **options)
        self._wire = transport
        self._fields = [(name.lower(), held) for name, held in self.headers.multi_items()]
        self._addresses: dict[str, httpx.URL] = {}

    def request(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        method: str,
        url: httpx.URL | str,
        *,
        content: Any = None,
        json: Any = None,
        headers: Any = None,
        **other: Any,
    ) -> httpx.Response:
        unusual = any(value not in _UNSAID for value in other.values())
        if unusual or not isinstance(url, str) or not isinstance(content, bytes | None):
            return super().request(
                method, url, content=content, json=json, headers=headers, **other
            )
        own = _pairs(headers)
        if json is not None:
            content = standard_json.dumps(
                json, ensure_ascii=False, separators=(",", ":"), allow_nan=False
            ).encode()
            own.setdefault("content-type", "application/json")
        address = self._address(url)
        host = ("host", address.netloc.decode())
        fields = [host, *((n, v) for n, v in self._fields if n not in own), *own.items()]
        # Given as a stream the body is taken as it is; the transport states its length.
        body = httpx.ByteStream(content or b"")
        request = httpx.Request(method, address, headers=fields, stream=body)
        reply = self._wire.handle_request(request)
        reply.request = request
        reply.read()
        return reply

    def _address(self, url: str) -> httpx.URL:
        """The whole address of a path; the few that a client is used with are worked out once."""
        known = self._addresses.get(url)
        if known is None:
            if len(self._addresses) >= _KNOWN_ADDRESSES:
                self._addresses.clear()
            known = self._addresses[url] = self.build_request("GET", url).url
        return known


def _pairs(headers: Mapping[str, str] | None) -> dict[str, str]:
    return {name.lower(): value for name, value in (headers or {}).items()}
