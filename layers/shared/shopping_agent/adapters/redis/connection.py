"""The one door to Redis: Upstash's SDK over a client with a total deadline, every failure a `StateUnavailableError`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import httpx
from upstash_redis.client import Pipeline
from upstash_redis.errors import UpstashError
from upstash_redis.http import SyncHttpClient, make_headers

from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError

CALL_SECONDS: Final = 4.0
"""What one call may take, however much time the request has left."""

# Upstash locks the whole database for a script that does not say this; with it, only the declared keys.
_LOCKS_ITS_KEYS: Final = "#!lua flags=allow-key-locking\n"
_READS_ITS_KEYS: Final = "#!lua flags=no-writes,allow-key-locking\n"

Command = Sequence[str | int | float]


class RedisConnection:
    """Commands, pipelines and scripts; each is one round trip and ends by the deadline.

    Every request must bear being sent twice: a kept connection that died is replaced and the request repeated.

    Args:
        prefix: starts every key, so that several stores can share a database.
    """

    def __init__(
        self,
        *,
        url: str,
        token: str,
        prefix: str,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._prefix = prefix
        self._url = url
        self._headers: dict[str, str] = make_headers(token, "base64", allow_telemetry=False)
        self._client = deadline_client(timeout=CALL_SECONDS, transport=transport)
        self._sync_token = ""
        self._http = _BoundedHttp(self._client, self._remember)

    def key(self, *parts: str) -> str:
        """A key of ours: the prefix and the parts, with colons between."""
        return ":".join((self._prefix, *parts))

    def run(self, command: Command, deadline: Deadline) -> Any:
        """One command's result."""
        return self.pipeline([command], deadline)[0]

    def pipeline(self, commands: Sequence[Command], deadline: Deadline) -> list[Any]:
        """The results of several commands, in order, in one round trip (not a transaction)."""
        pipeline = Pipeline(
            self._url, self._headers, self._http, "pipeline", self._ask_for_own_writes, None
        )
        for command in commands:
            pipeline.execute(list(command))  # pyright: ignore[reportUnknownMemberType]
        try:
            with limit(deadline.capped(CALL_SECONDS)):
                results = cast(list[Any], pipeline.exec())  # pyright: ignore[reportUnknownMemberType]
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise StateUnavailableError(f"redis did not answer: {type(error).__name__}") from error
        except UpstashError as error:
            raise StateUnavailableError(f"redis refused: {str(error)[:200]}") from error
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            # What the SDK raises on a body that is not JSON, or not of the protocol's shape.
            raise StateUnavailableError("redis answered something unreadable") from error
        if len(results) != len(commands):
            raise StateUnavailableError("redis answered only a part")
        return results

    def close(self) -> None:
        self._client.close()

    def _remember(self, token: str) -> None:
        self._sync_token = token

    def _ask_for_own_writes(self, headers: dict[str, str]) -> None:
        headers["Upstash-Sync-Token"] = self._sync_token

    def ping(self, deadline: Deadline) -> None:
        """Raises `StateUnavailableError` when Redis does not answer."""
        self.run(["PING"], deadline)


class _BoundedHttp(SyncHttpClient):
    """The SDK's protocol without its client, which has no time-out and costs 20 ms to make, and without its retries."""

    def __init__(self, client: httpx.Client, remember: Callable[[str], None]) -> None:
        self._encoding = "base64"
        self._retries = 0
        self._retry_interval = 0.0
        self._sync_token_cb = remember
        self._client = client


def script(code: str, keys: Sequence[str], arguments: Sequence[str | int | float]) -> Command:
    """EVAL of a script that may write. `keys` are all the keys it touches."""
    return ["EVAL", _LOCKS_ITS_KEYS + code, len(keys), *keys, *arguments]


def reading_script(
    code: str, keys: Sequence[str], arguments: Sequence[str | int | float]
) -> Command:
    """EVAL of a script that only reads: readers of the same keys run side by side."""
    return ["EVAL", _READS_ITS_KEYS + code, len(keys), *keys, *arguments]


def pairs(flat: Any) -> dict[str, str]:
    """A reply of alternating fields and values, which the SDK may already have paired."""
    if isinstance(flat, Mapping):
        return dict(cast(Mapping[str, str], flat))
    items = cast(Sequence[str], flat)
    return dict(zip(items[::2], items[1::2], strict=True))
