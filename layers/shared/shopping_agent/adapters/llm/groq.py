"""Groq through its SDK, which is loaded with this module only.

The SDK sends and authenticates; time, size and retries are ours (`max_retries=0`, our transport), and so is reading
the reply: its models would cost each reply more than they tell. A call that Groq itself refuses comes back as
`failed_generation`, from which it is recovered where it is whole and of a declared tool.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

import groq
import httpx

from shopping_agent.adapters.llm.calls import calls_in_text
from shopping_agent.adapters.llm.chat_http import MAX_REPLY_BYTES, header_key
from shopping_agent.adapters.llm.chat_usage import usage_of
from shopping_agent.adapters.llm.chat_wire import read_body, reply_of, request_body
from shopping_agent.adapters.llm.faults import fault_of, transport_fault
from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline

DEFAULT_BASE_URL: Final = "https://api.groq.com"
_PATH: Final = "/openai/v1/chat/completions"
_OK: Final = 200
# By the beginning of a model's name: reasoning is kept short and left out of the reply.
_REASONING: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("openai/gpt-oss", {"include_reasoning": False, "reasoning_effort": "low"}),
    ("qwen/qwen3", {"reasoning_format": "hidden", "reasoning_effort": "none"}),
)
# Reasoning counts against the limit of a reply, and the limit against the tokens per minute: not more than it needs.
_REASONING_TOKENS: Final = 512


class GroqModel:
    """`LanguageModel` over Groq's chat completions.

    Args:
        base_url: bare, without `/openai/v1`; empty for Groq's own.
    """

    name = "groq"

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        temperature: float,
        max_tokens: int,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.model = model
        self._temperature = temperature
        self._max_tokens = max_tokens
        self._reasoning = next(
            (options for prefix, options in _REASONING if model.startswith(prefix)), None
        )
        self._client = groq.Groq(
            api_key=header_key(api_key),
            base_url=(base_url or DEFAULT_BASE_URL).rstrip("/"),
            max_retries=0,
            http_client=deadline_client(
                max_bytes=MAX_REPLY_BYTES, repeat_stale=True, transport=transport
            ),
        )

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        """One attempt. Raises `LanguageModelError`."""
        try:
            with limit(deadline):
                reply = self._client.post(_PATH, cast_to=httpx.Response, body=self._body(request))
        except groq.APIStatusError as error:
            refused = error.response
            recovered = self._recovered(refused.content, request)
            if recovered is not None:
                return recovered
            raise fault_of(
                refused.status_code, refused.headers, refused.content, provider=self.name
            ) from error
        except (groq.GroqError, httpx.HTTPError, httpx.InvalidURL) as error:
            raise transport_fault(error) from error
        if reply.status_code != _OK:
            raise fault_of(reply.status_code, reply.headers, reply.content, provider=self.name)
        body = read_body(reply.content, self.name)
        return self._recovered(body, request) or reply_of(
            body, request, self.name, model=self.model
        )

    def close(self) -> None:
        self._client.close()

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        body = request_body(
            request,
            model=self.model,
            dialect="groq",
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            token_word="max_completion_tokens",  # noqa: S106  (no password)
        )
        if self._reasoning:
            body["max_completion_tokens"] += _REASONING_TOKENS
            if not request.plain:
                body |= self._reasoning
        return body

    def _recovered(
        self, body: bytes | Mapping[str, Any], request: ModelRequest
    ) -> ModelReply | None:
        """The calls of a generation that Groq refused, where every one of them can be run."""
        generation = _failed_generation(body)
        if not generation or request.tool_choice == "none":
            return None
        text, calls = calls_in_text(generation, request.tools)
        if not calls or any(call.fault for call in calls):
            return None
        usage = usage_of(body if isinstance(body, Mapping) else {}, self.name)
        return ModelReply(
            text=text,
            tool_calls=calls,
            finish="tool_calls",
            usage=usage,
            provider=self.name,
            model=self.model,
        )


def _failed_generation(body: bytes | Mapping[str, Any]) -> str:
    if isinstance(body, bytes):
        try:
            body = json.loads(body, strict=False)
        except (ValueError, RecursionError):
            return ""
    error = body.get("error") if isinstance(body, Mapping) else None
    text = (
        cast(Mapping[str, Any], error).get("failed_generation") if isinstance(error, dict) else ""
    )
    return text if isinstance(text, str) else ""
