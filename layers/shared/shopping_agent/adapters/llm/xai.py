"""xAI's Grok over httpx. It is sent no penalty, stop word or reasoning effort: its reasoning models refuse them."""

from typing import Final

import httpx

from shopping_agent.adapters.llm.chat_http import ChatEndpoint
from shopping_agent.adapters.llm.chat_wire import reply_of, request_body
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline

DEFAULT_BASE_URL: Final = "https://api.x.ai/v1"
# Reasoning counts against the limit of a reply, and cannot be turned off: what it gets beside the answer.
_REASONING_TOKENS: Final = 1024


class XaiModel:
    """`LanguageModel` over xAI's chat completions.

    Args:
        base_url: with `/v1`; empty for xAI's own.
    """

    name = "xai"

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
        self._room = 0 if "non-reasoning" in model else _REASONING_TOKENS
        self._endpoint = ChatEndpoint(
            self.name, base_url=base_url or DEFAULT_BASE_URL, api_key=api_key, transport=transport
        )

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        """One attempt. Raises `LanguageModelError`."""
        body = request_body(
            request,
            model=self.model,
            dialect="xai",
            temperature=self._temperature,
            max_tokens=self._max_tokens,
        )
        body["max_tokens"] += self._room
        reply = self._endpoint.post(body, deadline)
        return reply_of(reply, request, self.name, model=self.model)

    def close(self) -> None:
        self._endpoint.close()
