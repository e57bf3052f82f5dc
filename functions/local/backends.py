"""The local stand-ins of the cloud's parts as child processes: Valkey and its bridge, Qdrant, embeddings, AWS."""

import http.client
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial

from functions.local.children import ChildSpec, accepts_connections, free_port
from functions.local.data_folder import DataFolder
from functions.local.redis_bridge import valkey_command
from functions.local.variables import LOCAL_REDIS_TOKEN, StandIns

SERVER_TIER, BRIDGE_TIER = 0, 1
PROBE_SECONDS = 1.0


def python_module(name: str, *arguments: object) -> list[str]:
    """The command that runs one of our modules."""
    return [sys.executable, "-m", f"functions.local.{name}", *map(str, arguments)]


def machine_variables() -> dict[str, str]:
    """The environment of a stand-in: the caller's, one thread per model and output that is not held back."""
    return {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}


def answers(port: int, path: str) -> bool:
    """Whether an HTTP server answers a GET with any status below 500."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PROBE_SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Backends:
    """The stand-ins that the caller's settings call for, with their addresses."""

    def __init__(self, *, data: DataFolder, needed: StandIns, bucket: str) -> None:
        self.endpoints: dict[str, str] = {}
        self.specs: list[ChildSpec] = []
        self._data = data
        if needed.redis:
            self._redis()
        if needed.qdrant:
            self._qdrant()
        if needed.embeddings:
            self._embeddings()
        if needed.aws:
            self._aws(bucket)

    def _add(
        self,
        name: str,
        port: int,
        command: list[str],
        *,
        ready: Callable[[], bool],
        tier: int = SERVER_TIER,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.specs.append(
            ChildSpec(
                name=name,
                command=command,
                environment=machine_variables() | dict(variables or {}),
                ready=ready,
                port=port,
                tier=tier,
            )
        )

    def _redis(self) -> None:
        valkey, bridge = free_port(), free_port()
        command = valkey_command(valkey, self._data.folder("valkey"))
        self._add("valkey", valkey, command, ready=partial(accepts_connections, valkey))
        command = python_module("redis_bridge", "--port", bridge, "--valkey-port", valkey)
        command += ["--token", LOCAL_REDIS_TOKEN]
        ready = partial(accepts_connections, bridge)
        self._add("redis", bridge, command, ready=ready, tier=BRIDGE_TIER)
        self.endpoints["redis"] = f"http://127.0.0.1:{bridge}"

    def _qdrant(self) -> None:
        port = free_port()
        command = python_module("qdrant_server", "--port", port, "--path")
        command.append(str(self._data.folder("qdrant")))
        self._add("qdrant", port, command, ready=partial(answers, port, "/readyz"))
        self.endpoints["qdrant"] = f"http://127.0.0.1:{port}"

    def _embeddings(self) -> None:
        port = free_port()
        command = python_module("embedding_server", "--port", port)
        self._add("embeddings", port, command, ready=partial(accepts_connections, port))
        self.endpoints["embeddings"] = f"http://127.0.0.1:{port}/v1"

    def _aws(self, bucket: str) -> None:
        port = free_port()
        command = python_module("aws_server", "--port", port, "--bucket", bucket)
        command += ["--data", str(self._data.folder("aws"))]
        self._add("aws", port, command, ready=partial(answers, port, "/moto-api/"))
        self.endpoints["aws"] = f"http://127.0.0.1:{port}"
