"""The queue of ingestion work over boto3, which is imported with the first use only."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import QueueUnavailableError

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_CONNECT_SECONDS: Final = 3
_READ_SECONDS: Final = 10
_ATTEMPTS: Final = 3
_AT_ONCE: Final = 10


class SqsQueue:
    """`WorkQueue` of SQS.

    Args:
        url: of the queue.
        endpoint_url: a stand-in's address; "" is AWS itself.
    """

    def __init__(self, *, url: str, endpoint_url: str = "") -> None:
        self._url = url
        self._endpoint_url = endpoint_url

    def send(self, bodies: Sequence[str], deadline: Deadline, *, delay_seconds: int = 0) -> None:
        from botocore.exceptions import BotoCoreError, ClientError

        for start in range(0, len(bodies), _AT_ONCE):
            deadline.check()
            batch: list[Any] = [
                {"Id": str(number), "MessageBody": body, "DelaySeconds": delay_seconds}
                for number, body in enumerate(bodies[start : start + _AT_ONCE])
            ]
            try:
                reply = self._client.send_message_batch(QueueUrl=self._url, Entries=batch)
            except ClientError as error:
                code = error.response.get("Error", {}).get("Code", "unknown")
                raise QueueUnavailableError(f"the queue answered {code}") from error
            except (BotoCoreError, OSError) as error:
                raise QueueUnavailableError(
                    f"the queue did not answer: {type(error).__name__}"
                ) from error
            if failed := reply.get("Failed"):
                raise QueueUnavailableError(f"the queue answered {failed[0].get('Code')}")

    @cached_property
    def _client(self) -> "SQSClient":
        import boto3
        from botocore.config import Config

        config = Config(
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=_READ_SECONDS,
            retries={"total_max_attempts": _ATTEMPTS, "mode": "standard"},
        )
        return cast(Any, boto3).client(
            "sqs", endpoint_url=self._endpoint_url or None, config=config
        )
