"""Runs what a model proposes: finds the tool, coerces the arguments, and turns every failure into an observation."""

from collections.abc import Sequence
from typing import Final

from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.arguments import InvalidArgumentsError, parse_arguments
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.application.tools.registry import OFFERED, Tool
from shopping_agent.domain.conversation import JsonObject, ToolCall, ToolSpec
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import Intent
from shopping_agent.errors import (
    DeadlineExceededError,
    DependencyError,
    StateUnavailableError,
)
from shopping_agent.observability import count, logger

# A tool that hangs must leave time for an answer.
TOOL_SECONDS: Final = 8.0


class Dispatcher:
    """The toolbox of one turn: offers the tools of an intent, runs any declared one."""

    def __init__(self, tools: Sequence[Tool], *, intent: Intent, observed: Observations) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._observed = observed
        self.specs: Sequence[ToolSpec] = tuple(
            self._tools[name].spec() for name in OFFERED[intent] if name in self._tools
        )

    def writes(self, name: str) -> bool:
        tool = self._tools.get(name)
        return tool is not None and tool.writes

    def canonical(self, call: ToolCall) -> JsonObject:
        """The arguments with the tool's defaults; as they are where the tool cannot read them."""
        tool = self._tools.get(call.name)
        if tool is None or call.fault:
            return call.arguments
        try:
            return parse_arguments(tool.arguments, call.arguments).model_dump(mode="json")
        except InvalidArgumentsError:
            return call.arguments

    def run(self, call: ToolCall, deadline: Deadline) -> JsonObject:
        """The observation for a call.

        Raises:
            StateUnavailableError: Redis is down: no turn can go on without its cart.
        """
        tool = self._tools.get(call.name)
        if call.fault:
            return refusal("invalid_arguments" if tool else "unknown_tool", call.fault)
        if tool is None:
            return self._unknown(call.name)
        try:
            arguments = parse_arguments(tool.arguments, call.arguments)
            result = tool.run(arguments, deadline.capped(TOOL_SECONDS))
        except InvalidArgumentsError as error:
            return refusal("invalid_arguments", str(error))
        except StateUnavailableError:
            raise
        except (DependencyError, DeadlineExceededError) as error:
            return _unavailable(tool, error)
        except Exception as error:  # noqa: BLE001  (a bug of one tool costs its call, not the turn)
            count("ToolsCrashed")
            return _unavailable(tool, error)
        # What the shopper did not ask for is no news to them, and nothing that a "yes" may settle.
        if tool.writes and result.get("ok") is False and result["error"]["code"] != "not_asked":
            proposed = arguments.model_dump(mode="json", by_alias=True)
            self._observed.refused({"tool": tool.name, "arguments": proposed}, result["error"])
        return result

    def _unknown(self, name: str) -> JsonObject:
        available = ", ".join(spec.name for spec in self.specs)
        return refusal("unknown_tool", f"No tool {name[:64]!r}. Available: {available}.")


def _unavailable(tool: Tool, error: Exception) -> JsonObject:
    logger.warning("tool failed", tool=tool.name, error=type(error).__name__)
    return refusal("tool_unavailable", "This tool does not answer at the moment.")
