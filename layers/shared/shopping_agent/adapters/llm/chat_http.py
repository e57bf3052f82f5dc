"""One POST to a chat-completions server over our bounded transport: a body of JSON in, the bytes of a 200 out."""

import json
from collections.abc import Mapping
from typing import Any, Final

import httpx

from shopping_agent.adapters.llm.faults import fault_of, transport_fault
from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.deadline import Deadline

MAX_REPLY_BYTES: Final = 4 * 1024 * 1024
_OK: Final = 200


class ChatEndpoint:
    """`POST {base_url}/chat/completions`, once per call. A kept connection found dead is replaced at once."""

    def __init__(
        self, provider: str, *, base_url: str, api_key: str, transport: httpx.BaseTransport | None
    ) -> None:
        headers = {"content-type": "application/json", **authorization(api_key)}
        self._provider = provider
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._client = deadline_client(
            headers=headers, max_bytes=MAX_REPLY_BYTES, repeat_stale=True, transport=transport
        )

    def post(self, body: Mapping[str, Any], deadline: Deadline) -> bytes:
        """The body of a 200.

        Raises:
            LanguageModelError: anything else.
        """
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            with limit(deadline):
                reply = self._client.post(self._url, content=content)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise transport_fault(error) from error
        if reply.status_code != _OK:
            raise fault_of(reply.status_code, reply.headers, reply.content, provider=self._provider)
        return reply.content

    def close(self) -> None:
        self._client.close()


def authorization(api_key: str) -> dict[str, str]:
    """The header of a key; none for servers that want none."""
    key = header_key(api_key)
    return {"authorization": f"Bearer {key}"} if key else {}


def header_key(api_key: str) -> str:
    """A key as a header can hold it: a wrong one is for the provider to refuse."""
    return api_key.strip().encode("ascii", "replace").decode()
