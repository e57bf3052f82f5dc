"""Finds tool calls that a model wrote into its text, in the spellings of many model families.

A call begins with an opener (a tag, a token, a phrase), names a tool, and gives its arguments as a JSON object, as
Python keyword arguments, or as tags. Only calls of known tools are taken; a call that ends too early is cut out unread.
"""

import ast
import json
import re
from typing import Any, Final

from shopping_agent.adapters.llm import call_spellings as spelled
from shopping_agent.adapters.llm.arguments import literal, parsed_python, python_literal
from shopping_agent.adapters.llm.call_objects import (
    Known,
    WrittenCall,
    calls_of,
    closing_bracket,
    loose_object,
)

_MOST_CALLS: Final = 16
_MOST_OPENERS: Final = 400
_LONGEST_LEAD: Final = 300
_SCANNER: Final = json.JSONDecoder(strict=False)
_Found = tuple[list[WrittenCall], int]


def find_calls(text: str, known: Known) -> tuple[str, list[WrittenCall]]:
    """The calls of known tools in a text, and the text without them (other markup may be left in it)."""
    text = text.replace("｜DSML｜", "")
    calls: list[WrittenCall] = []
    rest: list[str] = []
    at = hidden = 0
    openers = _Openers(text)
    for _ in range(_MOST_OPENERS):
        opened = openers.after(at) if len(calls) < _MOST_CALLS else None
        if opened is None:
            break
        begin, inside = opened
        found, end = _calls_at(text, inside, known)
        if found:
            rest.append(_without_lead(text[max(at, hidden) : begin]))
            calls += found
            hidden = max(hidden, _fence_end(text, begin, end))
            at = spelled.AFTER().match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess]  (it may be empty)
        else:  # no call: it stays, and what of it is markup is taken out of what is shown
            rest.append(text[max(at, hidden) : max(inside, begin + 1)])
            at = max(inside, begin + 1)
    rest.append(text[max(at, hidden) :])
    return "".join(rest), calls


def _fence_end(text: str, begin: int, end: int) -> int:
    """Where the fence ends that a call stands in: what is in it besides is code too."""
    if not text.startswith("```", begin):
        return begin
    closed = text.find("```", end)
    return len(text) if closed < 0 else closed + 3


def _without_lead(before: str) -> str:
    """What stands before a call, without what only leads to it."""
    tail = before[-_LONGEST_LEAD:]
    lead = spelled.LEAD().search(tail)
    return before[: len(before) - len(tail) + lead.start()] if lead else before


class _Openers:
    """The openers of a text, each searched for once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next: list[tuple[re.Pattern[str], re.Match[str] | None]] = [
            (kind, kind.search(text)) for kind in (spelled.STRONG(), spelled.WEAK())
        ]

    def after(self, at: int) -> tuple[int, int] | None:
        """Where the first opener from a place on begins, and where it ends."""
        self._next = [
            (kind, kind.search(self._text, at) if found and found.start() < at else found)
            for kind, found in self._next
        ]
        spans = [(found.start(), -found.end()) for _, found in self._next if found]
        first = min(spans, default=None)
        return None if first is None else (first[0], -first[1])


def _calls_at(text: str, at: int, known: Known) -> _Found:
    """The calls that stand side by side at a place, and where they end."""
    calls: list[WrittenCall] = []
    end = at
    while len(calls) < _MOST_CALLS:
        found, after = _call_at(text, at, known)
        if not found:
            break
        calls += found
        end = after
        between = spelled.BETWEEN().match(text, end)
        at = between.end() if between else end
    return calls, end


def _call_at(text: str, at: int, known: Known) -> _Found:
    if text[at : at + 1] in ("{", "["):
        return _json_calls(text, at, known)
    named = spelled.NAMED().match(text, at)
    name = named.group(0).removesuffix(".call") if named else ""
    if not named or not known(name):
        return [], at
    place = at + len(name)
    arguments, end = _arguments_at(text, place)
    return ([], at) if arguments is None else ([WrittenCall(name, arguments)], end)


def _arguments_at(text: str, at: int) -> tuple[Any, int]:
    """The arguments after a name and where they end; None when there are none that can be read."""
    empty = spelled.EMPTY_INPUT().match(text, at)
    if empty:
        return {}, empty.end()
    only_named = spelled.NAME_TAG().match(text, at)  # what is given to it has a tag of its own
    bridge = spelled.BRIDGE().match(text, at)
    at = bridge.end() if bridge else at
    sign = text[at : at + 1]
    if sign == "{":
        return loose_object(text, at)
    if sign == "(":
        return _python_arguments(text, at)
    attributes = spelled.ATTRIBUTES().match(text, at)
    if attributes:
        return dict(spelled.ATTRIBUTE().findall(attributes["all"])), attributes.end()
    given: dict[str, Any] = {}
    end = at
    while parameter := spelled.PARAMETER().match(text, end):
        kind = parameter.lastgroup or ""
        given.setdefault(parameter[kind[-1]], parameter[kind].strip())
        end = parameter.end()
    closed = spelled.CLOSING().match(text, end) and (given or not only_named)
    return (given, end) if closed else (None, at)


def _json_calls(text: str, at: int, known: Known) -> _Found:
    """Calls as `{"name": ..., "arguments": ...}`, one or a list; in Python's quotes too."""
    try:
        value, end = _SCANNER.raw_decode(text, at)
    except (ValueError, RecursionError):
        closed = closing_bracket(text, at) if "'" in text[at : at + 12] else None
        if closed is None:
            return [], at
        value, end = python_literal(text[at:closed]), closed
    return calls_of(value, known), end


def _python_arguments(text: str, at: int) -> tuple[Any, int]:
    """The keyword arguments in the brackets at a place, each a literal."""
    end = closing_bracket(text, at)
    tree = parsed_python("call" + text[at:end]) if end else None
    if end is None or not isinstance(tree, ast.Call) or tree.args:
        return None, at
    given: dict[str, Any] = {}
    for keyword in tree.keywords:
        value = literal(keyword.value)
        is_none = isinstance(keyword.value, ast.Constant) and keyword.value.value is None
        if keyword.arg is None or (value is None and not is_none):
            return None, at
        given[keyword.arg] = value
    return given, end + (text[end : end + 1] == ")")  # the bracket of print(...)
