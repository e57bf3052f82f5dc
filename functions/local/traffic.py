"""Counts what a stand-in is asked, for who measures a turn: requests, and the bytes of their bodies and replies."""

from collections import Counter

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATH = "/__traffic"


class Traffic:
    """ASGI middleware; `GET /__traffic`, a route that no real server has, tells the sums since the start.

    Args:
        counts: `requests`, `bytesIn` and `bytesOut` are added up here, beside what the server itself counts.
    """

    def __init__(self, app: ASGIApp, counts: "Counter[str]") -> None:
        self._app = app
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] == PATH:
            await JSONResponse(dict(self._counts))(scope, receive, send)
            return

        async def received() -> Message:
            message = await receive()
            self._counts["bytesIn"] += len(message.get("body", b""))
            return message

        async def sent(message: Message) -> None:
            self._counts["bytesOut"] += len(message.get("body", b""))
            await send(message)

        self._counts["requests"] += 1
        await self._app(scope, received, sent)
