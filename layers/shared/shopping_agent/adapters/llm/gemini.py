"""Gemini through Google's SDK: one HTTP attempt per call, over our own transport with its total deadline.

The SDK brings the address, the headers and the call. The body is ours (`extra_body`) and the reply is read as it came
(`should_return_http_response`): what a model sent goes back unchanged, signatures included; a reason to finish or a
field that the SDK does not know yet fails nothing; and none of its hundreds of validators is built.
"""

import ssl
from typing import Any, Final

import httpx
from google.genai import Client
from google.genai.types import HttpOptions

from shopping_agent.adapters.llm.faults import fault_of, transport_fault
from shopping_agent.adapters.llm.gemini_reply import read_reply
from shopping_agent.adapters.llm.gemini_wire import NAME, request_body
from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import LanguageModelError

_GOOGLE: Final = "https://generativelanguage.googleapis.com"
# Signatures of thoughts and JSON schemas for tools are not in v1.
_API_VERSION: Final = "v1beta"
_OK: Final = 200


class GeminiModel:
    """`LanguageModel` over `generateContent`.

    Args:
        base_url: "" for Google's own.
        model: such as gemini-3.8-flash.
        temperature: for the families that still take one (before Gemini 3).
        max_tokens: of an answer, thoughts not counted.
        transport: takes the place of the network, for tests.
    """

    name = NAME

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
        self._http = deadline_client(transport=transport)
        self._http.event_hooks = {"response": [_raise_for_status]}
        self._client = _client(base_url or _GOOGLE, api_key, self._http)

    def close(self) -> None:
        self._http.close()

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        body = request_body(
            request,
            model=self.model,
            temperature=self._temperature,
            max_tokens=self._max_tokens,
        )
        try:
            with limit(deadline):
                text = self._send(body)
        except httpx.HTTPError as error:
            raise transport_fault(error) from error
        except (TypeError, ValueError) as error:
            raise LanguageModelError(
                "bad_request", f"{NAME}: the SDK refused the request: {type(error).__name__}"
            ) from error
        return read_reply(text, request, self.model)

    def _send(self, body: dict[str, Any]) -> str:
        models: Any = self._client.models
        reply = models.generate_content(
            model=self.model,
            contents="",  # the body's take its place
            config={
                "http_options": {"extra_body": body},
                "should_return_http_response": True,
                "automatic_function_calling": {"disable": True},
                "automatic_continuation": False,
            },
        )
        answer = reply.sdk_http_response
        return (answer.body if answer else None) or ""


def _client(base_url: str, api_key: str, http: httpx.Client) -> Client:
    """The SDK's client, with everything given that it would otherwise look up or build.

    Its asynchronous half is never used: the inert parts spare its certificates, 40 ms of a cold start.
    """
    return Client(
        vertexai=False,
        api_key=api_key.strip() or "none",  # an empty one would be looked up in the environment
        http_options=HttpOptions(
            base_url=base_url,
            api_version=_API_VERSION,
            httpx_client=http,
            httpx_async_client=httpx.AsyncClient(transport=httpx.AsyncBaseTransport()),
            async_client_args={"ssl": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)},
        ),
    )


def _raise_for_status(response: httpx.Response) -> None:
    """Before the SDK sees it: it reads an error body in its own ways, and fails on some."""
    if response.status_code != _OK:
        body = response.read()
        raise fault_of(response.status_code, response.headers, body, provider=NAME)
