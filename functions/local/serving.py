"""One of our small HTTP servers inside this process, on a free port: for tests and for tools that need it briefly."""

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

_START_SECONDS = 10.0


@contextmanager
def serving(app: ASGIApp) -> Generator[str]:
    """The application on 127.0.0.1; yields its address.

    Raises:
        RuntimeError: when it does not start.
    """
    config = uvicorn.Config(
        app, log_level="error", lifespan="off", ws="none", timeout_keep_alive=75
    )
    server = uvicorn.Server(config)
    # With the protocol named asyncio sets TCP_NODELAY; without, each answer waits 40 ms for an acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        _wait_until_started(server, thread)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        server.force_exit = True
        thread.join(_START_SECONDS)
        listener.close()


def _wait_until_started(server: uvicorn.Server, thread: threading.Thread) -> None:
    until = time.monotonic() + _START_SECONDS
    while not server.started:
        if not thread.is_alive() or time.monotonic() > until:
            raise RuntimeError("the server did not start")
        time.sleep(0.005)
