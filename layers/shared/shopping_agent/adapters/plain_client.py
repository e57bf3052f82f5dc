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
        self._fields = self.headers.multi_items()
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
        if not isinstance(url, str) or any(value not in _UNSAID for value in other.values()):
            return super().request(
                method, url, content=content, json=json, headers=headers, **other
            )
        own = _pairs(headers)
        if json is not None:
            content = standard_json.dumps(
                json, ensure_ascii=False, separators=(",", ":"), allow_nan=False
            ).encode()
            own.setdefault("content-type", "application/json")
        fields = [(name, value) for name, value in self._fields if name not in own]
        request = httpx.Request(
            method, self._address(url), headers=[*fields, *own.items()], content=content
        )
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
