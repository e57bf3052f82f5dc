"""What OpenAI, Groq and xAI refuse in a chat completion request, in their words."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from functions.local.fake_provider.refusals import RefusedError
from functions.local.fake_provider.script import Dialect

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PARAMETERS: Final = frozenset(
    [
        "model",
        "messages",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "temperature",
        "top_p",
        "n",
        "max_tokens",
        "max_completion_tokens",
        "stop",
        "stream",
        "stream_options",
        "seed",
        "user",
        "response_format",
        "presence_penalty",
        "frequency_penalty",
        "logprobs",
        "top_logprobs",
        "reasoning_effort",
        "service_tier",
        "metadata",
        "store",
    ]
)
_OF_GROQ: Final = frozenset(
    {"reasoning_format", "include_reasoning", "disable_tool_validation", "documents"}
)
_MESSAGE: Final = {
    "system": {"role", "content", "name"},
    "developer": {"role", "content", "name"},
    "user": {"role", "content", "name"},
    "assistant": {"role", "content", "name", "tool_calls", "refusal"},
    "tool": {"role", "content", "tool_call_id", "name"},
}
_REASONING_MODEL: Final = re.compile(r"gpt-oss|qwen")
# https://docs.x.ai: reasoning models take none of these.
_NOT_FOR_GROK: Final = ("presence_penalty", "frequency_penalty", "stop", "reasoning_effort")


def check(dialect: Dialect, body: Mapping[str, Any]) -> None:
    """Hold a request to the wire's contract.

    Raises:
        RefusedError: with the provider's words.
    """
    if not isinstance(body.get("model"), str) or not body["model"]:
        raise RefusedError("you must provide a model parameter")
    _parameters(dialect, body)
    _tools(body)
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise RefusedError("'messages' : minimum number of items is 1")
    for index, message in enumerate(messages):
        _message(dialect, str(body["model"]), index, message)
    _order(messages)


def _parameters(dialect: Dialect, body: Mapping[str, Any]) -> None:
    known = _PARAMETERS | (_OF_GROQ if dialect == "groq" else frozenset())
    for name, value in body.items():
        if name not in known:
            raise RefusedError(f"property '{name}' is unsupported")
        if value is None:
            raise RefusedError(f"'{name}' : value must not be null")
    if body.get("stream"):
        raise RefusedError("this server does not stream")
    _token_limit(dialect, body)
    if dialect == "xai":
        refused = next((name for name in _NOT_FOR_GROK if name in body), None)
        if refused:
            raise RefusedError(f"Model {body['model']} does not support parameter {refused}.")
    if dialect == "groq" and body.get("reasoning_format") == "raw" and body.get("tools"):
        raise RefusedError("`reasoning_format` must be `parsed` or `hidden` when using tools")
    if "reasoning_format" in body and "include_reasoning" in body:
        raise RefusedError("`reasoning_format` and `include_reasoning` are mutually exclusive")


def _token_limit(dialect: Dialect, body: Mapping[str, Any]) -> None:
    for name in ("max_tokens", "max_completion_tokens"):
        if name in body and (type(body[name]) is not int or body[name] < 1):
            raise RefusedError(f"'{name}' : value must be an integer of at least 1")
    if (
        dialect == "openai"
        and "max_tokens" in body
        and re.match(r"gpt-5|o\d", str(body.get("model")))
    ):
        raise RefusedError(
            "Unsupported parameter: 'max_tokens' is not supported with this model."
            " Use 'max_completion_tokens' instead.",
            code="unsupported_parameter",
        )


def _tools(body: Mapping[str, Any]) -> None:
    tools = body.get("tools")
    choice = body.get("tool_choice")
    if tools is None:
        if choice not in (None, "none"):
            raise RefusedError("'tool_choice' is only allowed when 'tools' are specified.")
        return
    if not isinstance(tools, list) or not tools:
        raise RefusedError("'tools' : minimum number of items is 1")
    names = [_tool(index, tool) for index, tool in enumerate(tools)]
    if len(set(names)) < len(names):
        raise RefusedError("Tool names must be unique.")
    if isinstance(choice, dict) and choice.get("function", {}).get("name") not in names:
        raise RefusedError("The requested tool does not exist in 'tools'")
    if isinstance(choice, str) and choice not in ("none", "auto", "required"):
        raise RefusedError(f"'tool_choice' : value '{choice}' is not one of none, auto, required")


def _tool(index: int, tool: Any) -> str:
    at = f"'tools.{index}'"
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict) or tool.get("type") != "function":
        raise RefusedError(f"{at} : a function tool is expected")
    name = function.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise RefusedError(f"{at} : function.name: invalid or empty string")
    if not isinstance(function.get("description", ""), str):
        raise RefusedError(f"{at} : function.description must be a string")
    parameters = function.get("parameters", {"type": "object", "properties": {}})
    if (
        not isinstance(parameters, dict)
        or parameters.get("type") != "object"
        or not isinstance(parameters.get("properties"), dict)
    ):
        raise RefusedError(f"Invalid schema for function '{name}': properties must be an object")
    return name


def _message(dialect: Dialect, model: str, index: int, message: Any) -> None:
    at = f"messages.{index}"
    if not isinstance(message, dict) or message.get("role") not in _MESSAGE:
        raise RefusedError(f"'{at}.role' : must be one of {sorted(_MESSAGE)}")
    role = str(message["role"])
    allowed = set(_MESSAGE[role])
    if role == "assistant":
        allowed |= {"reasoning_content"} if dialect == "xai" else set()
        allowed |= {"reasoning"} if dialect == "groq" and _REASONING_MODEL.search(model) else set()
    for name in message:
        if name not in allowed:
            raise RefusedError(
                f"'{at}' : for 'role:{role}' the following must be satisfied"
                f"[('{at}' : property '{name}' is unsupported)]"
            )
    content = message.get("content", "" if message.get("tool_calls") else None)
    if not isinstance(content, str) and not (role == "user" and isinstance(content, list)):
        raise RefusedError(f"'{at}.content' : value must be a string")
    if not content and not message.get("tool_calls"):
        raise RefusedError(f"'{at}.content' : must not be empty")
    if "tool_calls" in message:
        _calls(at, message["tool_calls"])


def _calls(at: str, calls: Any) -> None:
    if not isinstance(calls, list) or not calls:
        raise RefusedError(f"'{at}.tool_calls' : minimum number of items is 1")
    for position, call in enumerate(calls):
        where = f"{at}.tool_calls.{position}"
        function = call.get("function", {})
        if not isinstance(call.get("id"), str) or not call["id"] or call.get("type") != "function":
            raise RefusedError(f"'{where}' : id and type are required")
        if not isinstance(function.get("name"), str) or not _NAME.fullmatch(function["name"]):
            raise RefusedError(f"'{where}.function.name': empty string")
        if not _is_object(function.get("arguments")):
            raise RefusedError(f"'{where}.function.arguments' : must be the text of a JSON object")
    ids = [call["id"] for call in calls]
    if len(set(ids)) < len(ids):
        raise RefusedError(f"'{at}.tool_calls' : duplicate tool call ids")


def _is_object(arguments: Any) -> bool:
    try:
        return isinstance(arguments, str) and isinstance(json.loads(arguments), dict)
    except ValueError:
        return False


def _order(messages: Sequence[Mapping[str, Any]]) -> None:
    """Each call has its result, right after it; nothing else comes between; the model does not speak last."""
    waiting: list[str] = []
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            if message.get("tool_call_id") not in waiting:
                raise RefusedError(
                    "Invalid parameter: messages with role 'tool' must be a response to a preceding"
                    " message with 'tool_calls'."
                )
            waiting.remove(str(message["tool_call_id"]))
            continue
        _all_answered(index, waiting)
        waiting = [str(call["id"]) for call in message.get("tool_calls") or ()]
    _all_answered(len(messages), waiting)
    if messages[-1]["role"] == "assistant":
        raise RefusedError("The last message must not be the assistant's.")


def _all_answered(index: int, waiting: Sequence[str]) -> None:
    if waiting:
        raise RefusedError(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to"
            f" each 'tool_call_id'. The following did not have response messages: {', '.join(waiting)}"
            f" (messages.{index})"
        )
