"""The catalog bucket over boto3, which is imported with the first use only."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import ObjectsUnavailableError
from shopping_agent.ports import StoredObject

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_CONNECT_SECONDS: Final = 3
_READ_SECONDS: Final = 20
_ATTEMPTS: Final = 3
_DELETED_AT_ONCE: Final = 1000
_GONE: Final = frozenset({"NoSuchKey", "NoSuchVersion", "404", "MethodNotAllowed"})


class S3ObjectStore:
    """Objects of S3.

    Args:
        endpoint_url: a stand-in's address; "" is AWS itself.
    """

    def __init__(self, *, endpoint_url: str = "") -> None:
        self._endpoint_url = endpoint_url

    def open(
        self, bucket: str, key: str, deadline: Deadline, *, version: str | None = None
    ) -> StoredObject | None:
        """The object, or one version of it; None when it is gone (a delete marker counts as gone)."""
        with _translated(deadline):
            try:
                reply = (
                    self._client.get_object(Bucket=bucket, Key=key, VersionId=version)
                    if version
                    else self._client.get_object(Bucket=bucket, Key=key)
                )
            except self._client.exceptions.ClientError as error:
                if error.response.get("Error", {}).get("Code") in _GONE:
                    return None
                raise
        return StoredObject(
            body=cast(BinaryIO, _Body(reply["Body"])),
            etag=reply["ETag"].strip('"'),
            size=reply["ContentLength"],
            metadata={name.lower(): value for name, value in reply.get("Metadata", {}).items()},
        )

    def put(
        self, bucket: str, key: str, body: bytes, deadline: Deadline, *, content_type: str
    ) -> None:
        """Write an object whole."""
        with _translated(deadline):
            self._client.put_object(Bucket=bucket, Key=key, Body=body, ContentType=content_type)

    def delete(self, bucket: str, keys: Sequence[str], deadline: Deadline) -> None:
        """Delete objects, a request for each `_DELETED_AT_ONCE` of them."""
        for start in range(0, len(keys), _DELETED_AT_ONCE):
            gone: list[Any] = [{"Key": key} for key in keys[start : start + _DELETED_AT_ONCE]]
            with _translated(deadline):
                reply = self._client.delete_objects(
                    Bucket=bucket, Delete={"Objects": gone, "Quiet": True}
                )
            if failed := reply.get("Errors"):
                code = failed[0].get("Code", "unknown")
                raise ObjectsUnavailableError(f"the bucket answered {code} to a deletion")

    def keys(self, bucket: str, prefix: str, deadline: Deadline) -> Iterator[str]:
        """The keys below a prefix, page by page."""
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        rest = iter(pages)
        while True:
            with _translated(deadline):
                page = next(rest, None)
            if page is None:
                return
            yield from (entry.get("Key", "") for entry in page.get("Contents", []))

    @cached_property
    def _client(self) -> "S3Client":
        import boto3
        from botocore.config import Config

        config = Config(
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=_READ_SECONDS,
            retries={"total_max_attempts": _ATTEMPTS, "mode": "standard"},
            s3={"addressing_style": "path" if self._endpoint_url else "auto"},
        )
        return cast(Any, boto3).client("s3", endpoint_url=self._endpoint_url or None, config=config)


class _Body:
    """A streamed body whose read failures are ours."""

    def __init__(self, stream: object) -> None:
        self._stream = cast(BinaryIO, stream)

    def read(self, size: int = -1) -> bytes:
        with _translated(None):
            return self._stream.read(size if size >= 0 else None)  # type: ignore[arg-type]

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> "_Body":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _translated(deadline: Deadline | None) -> Generator[None]:
    """boto3's errors as `ObjectsUnavailableError`; nothing is begun after the deadline."""
    from botocore.exceptions import BotoCoreError, ClientError
    from urllib3.exceptions import HTTPError

    if deadline is not None:
        deadline.check()
    try:
        yield
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "unknown")
        raise ObjectsUnavailableError(f"the bucket answered {code}") from error
    except (BotoCoreError, HTTPError, OSError) as error:
        raise ObjectsUnavailableError(
            f"the bucket did not answer: {type(error).__name__}"
        ) from error
