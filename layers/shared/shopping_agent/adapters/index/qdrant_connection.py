"""One qdrant-client, remote or local, with our deadlines and our errors around every use."""

from collections.abc import Generator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final

import httpx
from qdrant_client import QdrantClient
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from shopping_agent.adapters.index.served_model import RefusedError
from shopping_agent.adapters.transport import DeadlineTransport, limit
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IndexUnavailableError

_HEADERS: Final = {"accept-encoding": "identity"}


class CollectionMissingError(IndexUnavailableError):
    """The collection or its alias does not exist: nothing was ever indexed."""


class QdrantConnection:
    """A client behind `using`. Local mode is not thread safe, so one call at a time runs there."""

    def __init__(self, *, url: str, path: str, api_key: str) -> None:
        self.remote = bool(url)
        self._client = _remote(url, api_key) if url else _local(path)
        self._lock = RLock()

    @contextmanager
    def using(self, deadline: Deadline) -> Generator[QdrantClient]:
        """The client, for calls that end by the deadline.

        Raises:
            CollectionMissingError: when the collection does not exist.
            IndexUnavailableError: on any other failure.
        """
        if self.remote:
            with _our_errors(), limit(deadline):
                yield self._client
            return
        if not self._lock.acquire(timeout=deadline.remaining()):
            raise IndexUnavailableError("the local index is busy")
        try:
            with _our_errors():
                yield self._client
        finally:
            self._lock.release()

    def close(self) -> None:
        with self._lock:
            self._client.close()


def _remote(url: str, api_key: str) -> QdrantClient:
    # The key goes as a header of ours: given as `api_key`, qdrant-client warns about a plain-http stand-in.
    headers = _HEADERS | ({"api-key": api_key} if api_key else {})
    options: dict[str, Any] = {
        "transport": DeadlineTransport(),
        "event_hooks": {"response": [_let_go]},
    }
    return QdrantClient(url=url, check_compatibility=False, headers=headers, **options)


def _let_go(response: httpx.Response) -> None:
    """Read a response and cut it from its stream: the two hold each other, and with them a large request's body.

    Such a circle is found only when Python next looks for circles, after hundreds of requests.
    """
    response.read()
    response.stream = httpx.ByteStream(b"")


def _local(path: str) -> QdrantClient:
    if path:
        return QdrantClient(path=path, force_disable_check_same_thread=True)
    return QdrantClient(location=":memory:")


@contextmanager
def _our_errors() -> Generator[None]:
    try:
        yield
    except UnexpectedResponse as error:
        if error.status_code == 404:
            raise CollectionMissingError("no such collection yet") from error
        if error.status_code == 400:
            raise RefusedError("qdrant answered 400") from error
        raise IndexUnavailableError(f"qdrant answered {error.status_code}") from error
    except (ApiException, QdrantException) as error:
        raise IndexUnavailableError(f"qdrant: {type(error).__name__}") from error
    except ValueError as error:
        # Local mode's way to say what the server says with a status.
        if str(error).startswith("Collection ") and str(error).endswith("not found"):
            raise CollectionMissingError("no such collection yet") from error
        raise RefusedError(f"qdrant refused: {str(error)[:200]}") from error
