"""Any server that speaks OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp, OpenRouter. No SDK is needed.

OpenAI's own servers call the token limit `max_completion_tokens` and their reasoning models take no temperature; the
others know `max_tokens`. A plain request uses the newer word and sends no temperature, wherever it goes.
"""

import re
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from shopping_agent.adapters.llm.chat_http import ChatEndpoint
from shopping_agent.adapters.llm.chat_wire import reply_of, request_body
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
_OWN_HOSTS: Final = ("api.openai.com", "openai.azure.com")
_REASONING: Final = re.compile(r"(?:o\d|gpt-(?:[5-9]|\d\d))(?![\d.]*-chat)")
# Reasoning counts against the limit of a reply: what it gets beside the answer.
_REASONING_TOKENS: Final = 2048


class OpenAIModel:
    """`LanguageModel` over any compatible server.

    Args:
        base_url: with `/v1`; empty for OpenAI's own.
        api_key: empty for servers that want none.
    """

    name = "openai"

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
        url = base_url or DEFAULT_BASE_URL
        self.model = model
        host = urlsplit(url).hostname or ""
        self._own = any(host == own or host.endswith("." + own) for own in _OWN_HOSTS)
        self._reasons = self._own and bool(_REASONING.match(model))
        self._temperature = None if self._reasons else temperature
        self._max_tokens = max_tokens
        self._endpoint = ChatEndpoint(self.name, base_url=url, api_key=api_key, transport=transport)

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        """One attempt. Raises `LanguageModelError`."""
        reply = self._endpoint.post(self._body(request), deadline)
        return reply_of(reply, request, self.name, model=self.model)

    def close(self) -> None:
        self._endpoint.close()

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        word = "max_completion_tokens" if self._own or request.plain else "max_tokens"
        body = request_body(
            request,
            model=self.model,
            dialect="openai",
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            token_word=word,
        )
        if self._reasons:
            body[word] += _REASONING_TOKENS
            body.pop("temperature", None)
        return body
