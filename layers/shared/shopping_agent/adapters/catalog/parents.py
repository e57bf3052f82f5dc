"""The parents of variants on disk: memory holds their keys only, since a parent may stand anywhere in the file."""

import json
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Final, cast

from shopping_agent.adapters.catalog.described import Described, described
from shopping_agent.domain.values import frozen

_IN_MEMORY: Final = 4 * 1024 * 1024
_KEPT: Final = 64


@frozen
class Parent:
    """A parent: its values under our column names, and what it lends."""

    values: Mapping[str, Any]
    lent: Described


class Parents(AbstractContextManager["Parents"]):
    """Parents by key. The last one put under a key counts."""

    def __init__(self) -> None:
        self._spool = tempfile.SpooledTemporaryFile[bytes](max_size=_IN_MEMORY)
        self._at: dict[str, int] = {}
        self._end = 0
        self._read: dict[str, Parent] = {}

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._spool.close()

    def __contains__(self, key: str) -> bool:
        return key in self._at

    def put(self, keys: tuple[str, ...], values: Mapping[str, Any]) -> None:
        """Keep a parent under each of its keys."""
        line = json.dumps(values, ensure_ascii=True).encode() + b"\n"
        self._spool.seek(self._end)
        self._spool.write(line)
        for key in keys:
            self._at[key] = self._end
            self._read.pop(key, None)
        self._end += len(line)

    def values(self, key: str) -> dict[str, Any] | None:
        """The values of a parent, None without one."""
        if key not in self._at:
            return None
        self._spool.seek(self._at[key])
        return cast(dict[str, Any], json.loads(self._spool.readline()))

    def get(self, key: str) -> Parent | None:
        """A parent, None without one."""
        found = self._read.get(key)
        values = None if found else self.values(key)
        if values is not None:
            while len(self._read) >= _KEPT:
                del self._read[next(iter(self._read))]
            found = self._read[key] = Parent(values, described(values))
        return found
