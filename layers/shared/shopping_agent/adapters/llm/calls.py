"""A model's tool calls as ours, whichever way it wrote them: in the provider's own form or inside its text."""

import re
from collections.abc import Sequence
from typing import Any, Final

from shopping_agent.adapters.llm.arguments import UnreadableArgumentsError, read_arguments
from shopping_agent.adapters.llm.call_spellings import WRITTEN
from shopping_agent.adapters.llm.coercion import coerced, folded
from shopping_agent.adapters.llm.reasoning import spoken_text
from shopping_agent.adapters.llm.reply_text import shown_text
from shopping_agent.adapters.llm.tool_schemas import parameters_of
from shopping_agent.adapters.llm.written_calls import find_calls
from shopping_agent.domain.conversation import ToolCall, ToolSpec

_LONGEST_NAME: Final = 64
_LONGEST_TEXT: Final = 60_000
# What models put round a tool's name.
_BEFORE: Final = re.compile(
    r"\A(?:(?:default_api|functions?|tools?|api|commentary to=functions)\s*[.:/]+\s*)+", re.I
)
_AFTER: Final = re.compile(r"(?:<[|｜/].*|\(\s*\)|:\d+|\s+(?:json|code|commentary).*)\Z", re.S)


def decoded_call(
    id: str | None,  # noqa: A002  (the providers' word)
    name: str | None,
    arguments: Any,
    specs: Sequence[ToolSpec],
) -> ToolCall:
    """A call as it may be run, or with the `fault` for which it must not be.

    Args:
        id: "" or None where the provider sent none; the loop names it.
        name: with whatever a model decorates it; an unknown one is kept, for the dispatcher to answer.
        arguments: an object, its JSON text, or None.
        specs: the declared tools; their schemas coerce the arguments.
    """
    call_id = id if isinstance(id, str) else ""
    spec = declared(name, specs)
    plain = spec.name if spec else _undecorated(name)
    if not plain:
        return ToolCall(call_id, "", {}, "A call without a tool's name.")
    try:
        read = read_arguments(arguments)
    except UnreadableArgumentsError as error:
        return ToolCall(call_id, plain, {}, str(error))
    return ToolCall(call_id, plain, coerced(read, parameters_of(spec)) if spec else read)


def declared(name: str | None, specs: Sequence[ToolSpec]) -> ToolSpec | None:
    """The declared tool that a name means, if there is one."""
    plain = _undecorated(name)
    for spec in specs:
        if spec.name == plain:
            return spec
    spelled = folded(plain)
    alike = [spec for spec in specs if spelled and folded(spec.name) == spelled]
    return alike[0] if len(alike) == 1 else None


def calls_in_text(text: str, specs: Sequence[ToolSpec]) -> tuple[str, tuple[ToolCall, ...]]:
    """Calls of declared tools that a model wrote as text, in order, and what a shopper may see of the text.

    Markup is taken out of the text whether or not a call could be read from it. What the model only thought about is
    neither a call nor shown.
    """
    text = text[:_LONGEST_TEXT]
    if not specs or not WRITTEN.search(text):
        return shown_text(text), ()
    rest, written = find_calls(spoken_text(text), lambda name: declared(name, specs) is not None)
    calls = tuple(decoded_call(None, call.name, call.arguments, specs) for call in written)
    return shown_text(rest), calls


def _undecorated(name: str | None) -> str:
    plain = name.strip().strip("`'\"").strip() if isinstance(name, str) else ""
    return _AFTER.sub("", _BEFORE.sub("", plain)).strip()[:_LONGEST_NAME]
