"""Ids and names of the calls of one turn, as every provider takes them back."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.domain.conversation import ToolCall

# Names of the model's own making round a declared tool's, and what no provider takes in a name.
_PREFIX: Final = re.compile(r"^(?:default_api|functions|tools)\s*[.:/]\s*", re.IGNORECASE)
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST: Final = 64
_UNNAMED: Final = "unnamed"


class CallNames:
    """Names calls; its ids are unique over all steps of a turn."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def named(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """The calls with ids of their own (some providers send none, or the same twice) and names without decoration.

        A call without a name cannot be run: it gets one to be answered under.
        """
        return [self._named(call) for call in calls]

    def _named(self, call: ToolCall) -> ToolCall:
        call_id = call.id
        number = len(self._ids)
        while not call_id or call_id in self._ids:
            number += 1
            call_id = f"call_{number}"
        self._ids.add(call_id)
        name = _NOT_IN_A_NAME.sub("_", _PREFIX.sub("", call.name.strip()))[:_LONGEST].strip("_")
        if name:
            return replace(call, id=call_id, name=name)
        return ToolCall(call_id, _UNNAMED, {}, fault="A call without a tool's name.")
