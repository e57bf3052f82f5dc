"""The one door to Redis: Upstash's SDK over a client with a total deadline, every failure a `StateUnavailableError`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import httpx
from upstash_redis import Redis
from upstash_redis.errors import UpstashError

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
        self._redis = Redis(
            url=url, token=token, rest_retries=0, rest_retry_interval=0, allow_telemetry=False
        )
        # The SDK's own client has no time-out at all, and no way to give it one.
        http = self._redis._http  # pyright: ignore[reportPrivateUsage]
        http.close()
        http._client = deadline_client(timeout=CALL_SECONDS, transport=transport)  # pyright: ignore[reportPrivateUsage]

    def key(self, *parts: str) -> str:
        """A key of ours: the prefix and the parts, with colons between."""
        return ":".join((self._prefix, *parts))

    def run(self, command: Command, deadline: Deadline) -> Any:
        """One command's result."""
        return self.pipeline([command], deadline)[0]

    def pipeline(self, commands: Sequence[Command], deadline: Deadline) -> list[Any]:
        """The results of several commands, in order, in one round trip (not a transaction)."""
        pipeline = self._redis.pipeline()
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
        self._redis.close()

    def ping(self, deadline: Deadline) -> None:
        """Raises `StateUnavailableError` when Redis does not answer."""
        self.run(["PING"], deadline)


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
