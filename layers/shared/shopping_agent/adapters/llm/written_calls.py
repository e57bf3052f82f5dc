"""Finds tool calls that a model wrote into its text, in the spellings of many model families.

A call begins with an opener (a tag, a token, a phrase), names a tool, and gives its arguments as a JSON object, as
Python keyword arguments, or as tags. Only calls of known tools are taken; a call that ends too early is cut out unread.
"""

import ast
import json
import re
from collections.abc import Callable
from typing import Any, Final, cast

from shopping_agent.adapters.llm.arguments import literal, parsed_python
from shopping_agent.adapters.llm.reply_text import CALLED_BY, GIVEN_BY
from shopping_agent.domain.patterns import late
from shopping_agent.domain.values import frozen

WRITTEN: Final = re.compile(r"<[A-Za-z/|｜]|\w\(|\{\s*[\"']|\[TOOL_CALLS|Action Input:", re.I)
"""What every written call has something of."""

_MOST_CALLS: Final = 16
_SCANNER: Final = json.JSONDecoder(strict=False)
_NAME: Final = r"(?:(?:default_api|functions?|tools?|api)\s*[.:/]+\s*)?[A-Za-z_][\w.-]{0,80}"
_NAMED: Final = late(_NAME)
# A strong opener is markup by itself; a weak one is ordinary text unless a known tool's call follows.
_STRONG: Final = late(
    r"(?:<function\s*[=(:/]\s*[\"']?|<function\s+name\s*=\s*[\"']?"
    r"|<(?:[\w-]+:)?(?:invoke|function_calls?|tool_calls?|tool_use|tool)\s+name\s*=\s*[\"']?"
    r"|<(?:[\w-]+:)?(?:tool_calls?|function_calls?|tool[_-]use|tools|tool_code)>\s*(?:print\(\s*)?"
    r"|\[TOOL_CALLS\]\s*|<\|python_tag\|>\s*|<\|tool_call(?:s_section)?_begin\|>\s*"
    r"|<｜tool▁calls?▁begin｜>\s*(?:function<｜tool▁sep｜>)?"
    r"|Malformed function call:\s*(?:print\(\s*)?"
    r"|```\s*(?:tool_code|tool_calls?)\s+(?:print\(\s*)?"
    r"|(?:print\(\s*)?(?=default_api[.:])"
    r"|<\|channel\|>\s*\w+\s+to=)+",
    re.I,
)
_WEAK: Final = late(
    r"\A\s*\[?(?:print\(\s*)?(?=[A-Za-z_][\w.]*(?:\(|\s?\{))"  # the whole text is Python-like
    r"|```\s*(?:python|py)?\s*\n\s*(?:print\(\s*)?"
    r"|(?:```(?:json)?\s*)?(?=[\[{][\s{]*\"(?:type|id|name|tool|tool_name|tool_calls?|function|function_name"
    r"|arguments|parameters)\"\s*:)"
    r"|(?<![\w.])(?=[A-Za-z_][\w.]{0,80}\s*\{[^\n]*\}\s*</function)"
    r"|<(?=[a-z]+_\w+\s*>)|\bto=(?=functions\.)|(?:^\s*Thought:[^\n]*\n)?^\s*Action:\s*(?=[^\n]*\n\s*Action Input:)",
    re.I | re.M,
)
_BRIDGE: Final = late(
    r"[\"']?(?::\d+)?(?:<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|<\|constrain\|>\s*\w*|<\|message\|>"
    r"|<\|channel\|>\s*\w*|\[ARGS\]|Action Input:|```(?:json)?|json\b|\.call(?=\()|[\s,>):;]|\((?=\s*\{))*"
)
_PARAMETER: Final = late(
    r"\s*(?:<(?:[\w-]+:)?parameter(?:\s+name)?\s*=\s*[\"']?(?P<a>[\w-]+)[\"']?[^<>]*>(?P<va>.*?)"
    r"</(?:[\w-]+:)?parameter\s*>"
    r"|<arg_key>\s*(?P<b>[\w-]+)\s*</arg_key>\s*<arg_value>(?P<vb>.*?)</arg_value>"
    r"|<(?P<c>[A-Za-z]\w*)>(?P<vc>[^<>]*)</(?P=c)>)",
    re.S | re.I,
)
_AFTER: Final = late(
    r"(?:\s*(?:[)\]};,]+(?=\s*(?:</|```|<[|｜]|-{3,}|\Z|[)\]};,]))|,?\s*-{3,}|```|<\|(?:call|end|tool_call_end"
    r"|tool_calls_section_end|eom_id|eot_id|im_end|return)\|>|<｜tool▁calls?▁end｜>"
    r"|</(?:[\w-]+:)?(?:function|invoke|tool_calls?|function_calls?|tool[_-]use|tools|tool|tool_code|\w+_\w+)\s*>|/>))*"
)
_CLOSING: Final = late(
    r"\s*(?:/>|</(?:[\w-]+:)?(?:function|invoke|tool_calls?|function_calls?|\w+_\w+)\s*>)"
)

_BETWEEN: Final = late(r"[\s,;\])]*(?:print\(\s*)?")
_BRACKETS: Final = late(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[()\[\]{}]", re.S)


@frozen
class WrittenCall:
    """`arguments` is an object, or JSON text that is still to be read."""

    name: str
    arguments: Any


Known = Callable[[str | None], bool]
_Found = tuple[list[WrittenCall], int]


def find_calls(text: str, known: Known) -> tuple[str, list[WrittenCall]]:
    """The calls of known tools in a text, and the text without them (other markup may be left in it)."""
    text = text.replace("｜DSML｜", "")
    calls: list[WrittenCall] = []
    rest: list[str] = []
    at = 0
    openers = _Openers(text)
    while len(calls) < _MOST_CALLS and (opened := openers.after(at)):
        begin, inside = opened
        found, end = _calls_at(text, inside, known)
        if found:
            rest.append(text[at:begin])
            calls += found
            at = _AFTER().match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess]  (it may be empty)
        else:  # no call: it stays, and what of it is markup is taken out of what is shown
            rest.append(text[at : max(inside, begin + 1)])
            at = max(inside, begin + 1)
    rest.append(text[at:])
    return "".join(rest), calls


class _Openers:
    """The openers of a text, each searched for once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next: list[tuple[re.Pattern[str], re.Match[str] | None]] = [
            (kind, kind.search(text)) for kind in (_STRONG(), _WEAK())
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
        between = _BETWEEN().match(text, end)
        at = between.end() if between else end
    return calls, end


def _call_at(text: str, at: int, known: Known) -> _Found:
    if text[at : at + 1] in ("{", "["):
        return _json_calls(text, at, known)
    named = _NAMED().match(text, at)
    name = named.group(0).removesuffix(".call") if named else ""
    if not named or not known(name):
        return [], at
    place = at + len(name)
    bridge = _BRIDGE().match(text, place)
    place = bridge.end() if bridge else place
    arguments, end = _arguments_at(text, place)
    return ([], at) if arguments is None else ([WrittenCall(name, arguments)], end)


def _arguments_at(text: str, at: int) -> tuple[Any, int]:
    """The arguments at a place and where they end; None when there are none that can be read."""
    sign = text[at : at + 1]
    if sign == "{":
        end = _json_end(text, at)
        return (text[at:end], end) if end else (None, at)
    if sign == "(":
        return _python_arguments(text, at)
    given: dict[str, Any] = {}
    end = at
    while parameter := _PARAMETER().match(text, end):
        kind = parameter.lastgroup or ""
        given.setdefault(parameter[kind[-1]], parameter[kind].strip())
        end = parameter.end()
    return (given, end) if _CLOSING().match(text, end) else (None, at)


def _json_end(text: str, at: int) -> int | None:
    try:
        return _SCANNER.raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return None


def _json_calls(text: str, at: int, known: Known) -> _Found:
    """Calls as `{"name": ..., "arguments": ...}`, one or a list."""
    try:
        value, end = _SCANNER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return [], at
    calls = [call for item in _items(value) if (call := _item_call(item)) and known(call.name)]
    return calls, end


def _items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        given = cast(dict[str, Any], value)
        inner = given.get("tool_calls", given.get("tool_call"))
        if isinstance(inner, dict):
            return [cast(dict[str, Any], inner)]
        return cast(list[Any], inner) if isinstance(inner, list) else [given]
    return cast(list[Any], value) if isinstance(value, list) else []


def _item_call(item: Any) -> WrittenCall | None:
    if not isinstance(item, dict):
        return None
    given = cast(dict[str, Any], item)
    inner = given.get("function")
    if isinstance(inner, dict):  # its arguments may stand inside or beside it
        given = {**given, **cast(dict[str, Any], inner)}
        given.pop("function")
    name = next((given[word] for word in CALLED_BY if isinstance(given.get(word), str)), None)
    by = next((word for word in GIVEN_BY if word in given), None)
    return WrittenCall(name, given[by]) if name and by else None


def _python_arguments(text: str, at: int) -> tuple[Any, int]:
    """The keyword arguments in the brackets at a place, each a literal."""
    end = _closing_bracket(text, at)
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


def _closing_bracket(text: str, at: int) -> int | None:
    """Where the bracket at a place is closed, texts in quotes left alone."""
    depth = 0
    for found in _BRACKETS().finditer(text, at):
        sign = found[0]
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0:
            return found.end()
    return None
