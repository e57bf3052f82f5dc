"""The patterns of tool calls in a model's text: how one begins, what stands between its parts, and what ends it."""

import re
from typing import Final

from shopping_agent.domain.patterns import late

WRITTEN: Final = re.compile(
    r"<[A-Za-z/|｜]|\w\(|\{\s*[\"'\w}]|\[TOOL_CALLS|(?:Input|Arg\w*|Param\w*)\W{0,4}:", re.I
)
"""What every written call has something of."""

_NAME: Final = r"(?:(?:default_api|functions?|tools?|api)\s*[.:/]+\s*)?[A-Za-z_][\w.-]{0,80}"
NAMED: Final = late(_NAME)
# The name of a tool as it stands in no sentence.
_SNAKE: Final = r"(?<![\w.])(?:(?:default_api|functions?|tools?|api)[.:/]{1,2})?[A-Za-z]{1,40}(?:_[A-Za-z]{1,40}){1,8}"
_LABEL: Final = (
    r"\**\s{0,3}\b(?:(?:action|tool)[ _])?(?:input|arguments|args|parameters|params)\W{0,4}:\**"
)
# A strong opener is markup by itself; a weak one is ordinary text unless a known tool's call follows.
STRONG: Final = late(
    r"(?:<function\s*[=(:/]\s*[\"']?|<function\s+name\s*=\s*[\"']?"
    r"|<(?:[\w-]+:)?(?:invoke|function_calls?|tool_calls?|tool_use|tool)\s+name\s*=\s*[\"']?"
    r"|<(?:[\w-]+:)?(?:tool_?calls?|function_calls?|tool[_-]use|tools|tool_code|execute_tool)>\s*(?:print\(\s*)?"
    r"|<(?:tool|tool_name|name|function|function_name|action)>\s*(?=[\w.:-]{1,90}\s*</)"
    r"|\[TOOL_CALLS?\]\s*|\[TOOL_REQUEST\]\s*|✿FUNCTION✿:?\s*|<\|action_start\|>\s*(?:<\|plugin\|>)?\s*"
    r"|<\|python_tag\|>\s*|<\|tool_call(?:s_section)?_begin\|>\s*|<\|tool_call\|?>\s*|<start_function_call>\s*"
    r"|<[|｜]tool▁calls?▁begin[|｜]>\s*(?:function<[|｜]tool▁sep[|｜]>)?"
    r"|Malformed function call:\s*(?:print\(\s*)?"
    r"|```\s*(?:tool_code|tool_calls?)\s+(?:print\(\s*)?"
    r"|(?:print\(\s*)?(?=default_api[.:])"
    r"|<\|channel\|>\s*\w+\s+to=)+(?:call:)?",
    re.I,
)
WEAK: Final = late(
    r"\A\s*\[?(?:print\(\s*)?(?=[A-Za-z_][\w.]*(?:\(|\s?\{))"  # the whole text is Python-like
    rf"|^[^\w\n]{{0,8}}(?:\w{{1,40}} ?= ?)?(?:print\(\s*)?(?={_SNAKE}\([^\n]*\)[^\w\n]*$)"  # a whole line is
    r"|\b(?:(?:tool|function)[ _]call|call|calling|action)(?: (?:the )?(?:tool|function))?\W{1,6}"
    rf"(?:print\(\s*)?(?={_SNAKE}\()"
    rf"|(?={_SNAKE}(?::\d{{1,3}})?[`\"'*]{{0,3}}(?:\s{{0,3}}|\s?\(\s?|:\s?| with (?:the )?(?:arguments |parameters )?"
    rf"|\s{{0,3}}{_LABEL}\s{{0,3}}(?:```(?:json)?\s{{0,3}})?)\{{)"
    r"|```\s*(?:python|py)?\s*\n\s*(?:\w+\s*=\s*)?(?:print\(\s*)?"
    r"|(?:```(?:json)?\s*)?(?=[\[{][\s{\[]{0,9}[\"'][A-Za-z_][\w-]{0,60}[\"']\s*:)"
    r"|(?<![\w.])(?=[A-Za-z_][\w.]{0,80}\s*\{[^\n]*\}\s*</function)"
    r"|<(?=[a-z]+_\w+[\s>/])|\bto=(?=functions\.)"
    r"|^[\s*]{0,4}Action\W{0,3}:[\s*]{0,4}(?=[^\n]*\n[\s*]{0,4}(?:Action )?Input\W{0,3}:)",
    re.I | re.M,
)
# What stands before a call and belongs to it.
LEAD: Final = late(
    r"(?:(?:\A\s*[)\]}`]{1,3}|```\w*|^[ \t]*Thought:[^\n]*|\bassistant|\[{1,2}|[(*`>@$/]{1,3}"
    r"|\b(?:tool|function)(?:[ _](?:call|name|use))?\W{0,3}:\**|\baction(?:[ _]name)?\W{0,3}:\**|\bcall:"
    r"|\b(?:calling|using|invoking|tool_call)(?: (?:the )?(?:tool|function))?:?)\s*)+\Z",
    re.I | re.M,
)
BRIDGE: Final = late(
    r"[\"']?(?::\d+)?(?:<\|tool_call_argument_begin\|>|<[|｜]tool▁sep[|｜]>|<\|constrain\|>\s*\w*|<\|message\|>"
    rf"|<\|channel\|>\s*\w*|\[ARGS\]|✿ARGS✿|{_LABEL}|with (?:the )?(?:arguments|parameters)?|```(?:json)?|json\b"
    r"|</(?:tool|tool_name|name|function|function_name|action)>(?=\s*(?:\{|<(?:arg|param|\w{0,7}input)))"
    r"|<(?:args|arguments|parameters|params|tool_input|input|action_input)>"
    r"|\.call(?=\()|[\s,>):;`*]|\((?=\s*\{))*",
    re.I,
)
NAME_TAG: Final = late(r"\s*</(?:tool|tool_name|name|function|function_name|action)\s*>", re.I)
EMPTY_INPUT: Final = late(rf"[\s*`]*(?:{_LABEL})[ \t*]*(?:None|null|\"\")[ \t]*(?=\n|\Z)", re.I)
PARAMETER: Final = late(
    r"\s*(?:<(?:[\w-]+:)?parameter(?:\s+name)?\s*=\s*[\"']?(?P<a>[\w-]+)[\"']?[^<>]*>(?P<va>.*?)"
    r"</(?:[\w-]+:)?parameter\s*>"
    r"|<arg_key>\s*(?P<b>[\w-]+)\s*</arg_key>\s*<arg_value>(?P<vb>.*?)</arg_value>"
    r"|<(?P<c>[A-Za-z]\w*)>(?P<vc>[^<>]*)</(?P=c)>)",
    re.S | re.I,
)
ATTRIBUTES: Final = late(r"\s*(?P<all>(?:[A-Za-z][\w-]*\s*=\s*\"[^\"<>]*\"\s*){1,20})/?>")
ATTRIBUTE: Final = late(r"([A-Za-z][\w-]*)\s*=\s*\"([^\"<>]*)\"")
AFTER: Final = late(
    r"(?:\s*(?:```|[)\]};,*`]+(?=\s*(?:</|```|<[|｜]|-{3,}|\Z|[)\]};,*`]))|,?\s*-{3,}|<\|(?:call|end|tool_call_end"
    r"|tool_calls_section_end|eom_id|eot_id|im_end|return|/tool_call|action_end)\|>|<[|｜]tool▁calls?▁end[|｜]>"
    r"|<tool_call\|>|<end_function_call>|\[/?(?:END_)?TOOL_(?:CALLS?|REQUEST)\]|✿RESULT✿.*\Z|✿RETURN✿.*\Z"
    r"|\n\s*Observation\W{0,3}:.*\Z"  # what the model imagined of the result, and all that follows from it
    r"|</(?:[\w-]+:)?(?:function|invoke|tool_?calls?|function_calls?|tool[_-]use|tools|tool|tool_code|execute_tool"
    r"|args|arguments|parameters|params|tool_input|input|action_input|\w+_\w+)\s*>|/>))*",
    re.S | re.I,
)
CLOSING: Final = late(
    r"\s*(?:/>|</(?:[\w-]+:)?(?:function|invoke|tool_?calls?|function_calls?|args|arguments|parameters|params"
    r"|input|\w+_\w+)\s*>)",
    re.I,
)
BETWEEN: Final = late(r"[\s,;\])]*(?:print\(\s*)?")
