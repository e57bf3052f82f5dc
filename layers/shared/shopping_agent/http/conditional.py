"""Optimistic concurrency: the version of the cart that a client has seen, in `If-Match` or stated as `version`."""

import re
from collections.abc import Mapping
from typing import Any, Final

from shopping_agent.errors import InvalidFieldError

_ETAG: Final = re.compile(r'(?:W/)?"?([0-9]{1,15})"?')


def expected_version(headers: Mapping[str, Any], stated: int | None = None) -> int | None:
    """The version that the cart must still have; None when the client does not care.

    Args:
        headers: the event's, names in lower case. A gateway or a cache may have weakened the ETag: it is still ours.
        stated: the request's own `version`.

    Raises:
        InvalidFieldError: not a cart's ETag, or not the version that is stated as well.
    """
    # An empty one is no precondition that a client can have meant: it is refused, like any other nonsense.
    given = str(headers.get("if-match", "*")).strip()
    if given == "*":
        return stated
    match = _ETAG.fullmatch(given)
    if match is None:
        raise InvalidFieldError('If-Match: a cart\'s ETag, such as "3".', field="If-Match")
    version = int(match[1])
    if stated not in (None, version):
        raise InvalidFieldError("If-Match: another version than `version`.", field="If-Match")
    return version


def etag_of(version: int) -> str:
    """The ETag of a cart's version. Prices are live: two replies of one version may state different ones."""
    return f'"{version}"'
