"""The one door to Redis: Upstash's SDK over a client with a total deadline, every failure a `StateUnavailableError`."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import httpx
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
        self._http = _BoundedHttp(self._client)

    def key(self, *parts: str) -> str:
        """A key of ours: the prefix and the parts, with colons between."""
        return ":".join((self._prefix, *parts))

    def run(self, command: Command, deadline: Deadline) -> Any:
        """One command's result."""
        return self._call("", list(command), deadline)

    def pipeline(self, commands: Sequence[Command], deadline: Deadline) -> list[Any]:
        """The results of several commands, in order, in one round trip (not a transaction)."""
        results = self._call("/pipeline", [list(command) for command in commands], deadline)
        if len(results) != len(commands):
            raise StateUnavailableError("redis answered only a part")
        return results

    def _call(self, path: str, body: list[Any], deadline: Deadline) -> Any:
        self._headers["Upstash-Sync-Token"] = self._http.sync_token
        try:
            with limit(deadline.capped(CALL_SECONDS)):
                ask = cast(Callable[..., Any], self._http.execute)  # pyright: ignore[reportUnknownMemberType]
                return ask(self._url + path, self._headers, body, from_pipeline=path != "")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise StateUnavailableError(f"redis did not answer: {type(error).__name__}") from error
        except UpstashError as error:
            raise StateUnavailableError(f"redis refused: {_reason(error)}") from None
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
            # What the SDK raises on a body that is not JSON, or not of the protocol's shape.
            raise StateUnavailableError("redis answered something unreadable") from error

    def close(self) -> None:
        self._client.close()

    def ping(self, deadline: Deadline) -> None:
        """Raises `StateUnavailableError` when Redis does not answer."""
        self.run(["PING"], deadline)


class _BoundedHttp(SyncHttpClient):
    """The SDK's protocol without its client, which has no time-out and costs 20 ms to make, and without its retries."""

    def __init__(self, client: httpx.Client) -> None:
        self._encoding = "base64"
        self._retries = 0
        self._retry_interval = 0.0
        self._sync_token_cb = self._remember
        self._client = client
        self.sync_token = ""

    def _remember(self, token: str) -> None:
        """Upstash's replicas use it to show a client its own writes."""
        self.sync_token = token


def _reason(error: UpstashError) -> str:
    """Why Redis refused. Upstash repeats the command behind it, and there may be what a shopper said."""
    return re.split(r",? ?command was", str(error), maxsplit=1, flags=re.IGNORECASE)[0][:120]


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
