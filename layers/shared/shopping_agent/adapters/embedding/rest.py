"""An embedding service over HTTP: JSON in, JSON out, and every failure as one error that says what would help."""

from collections.abc import Mapping
from typing import Any, Final

import httpx

from shopping_agent.adapters.llm.faults import fault_of, transport_fault
from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import EmbeddingUnavailableError, LanguageModelError, LanguageModelFault

_OK: Final = 200
_REFUSED: Final = (400, 413, 422)


class EmbeddingRequestError(EmbeddingUnavailableError):
    """One request that failed. Its message holds nothing that the server wrote.

    Attributes:
        kind: as a language model's failures are told apart: the providers are the same.
        retry_after: seconds that the server asked us to wait, where it said so.
        too_much: whether fewer texts in one request may do: limits are worded in too many ways to tell for sure.
    """

    def __init__(self, fault: LanguageModelError, *, status: int = 0) -> None:
        super().__init__(f"embeddings: {fault.kind}" + (f", status {status}" if status else ""))
        self.kind: LanguageModelFault = fault.kind
        self.retry_after = fault.retry_after
        self.too_much = fault.kind == "too_large" or (
            fault.kind == "bad_request" and status in _REFUSED
        )


class EmbeddingServer:
    """One service and the way to it. Safe to share between threads."""

    def __init__(
        self,
        *,
        base_url: str,
        headers: Mapping[str, str],
        provider: str,
        transport: httpx.BaseTransport | None,
    ) -> None:
        self._provider = provider
        self._client = deadline_client(base_url=base_url, headers=headers, transport=transport)

    def close(self) -> None:
        self._client.close()

    def post(self, path: str, body: Mapping[str, Any], deadline: Deadline) -> Any:
        """The JSON of a reply with status 200.

        Raises:
            EmbeddingRequestError: for anything else.
        """
        try:
            with limit(deadline):
                reply = self._client.post(path, json=body)
        except httpx.HTTPError as error:
            raise EmbeddingRequestError(transport_fault(error)) from error
        if reply.status_code != _OK:
            fault = fault_of(
                reply.status_code, reply.headers, reply.content, provider=self._provider
            )
            raise EmbeddingRequestError(fault, status=reply.status_code)
        try:
            return reply.json()
        except (ValueError, RecursionError) as error:
            raise EmbeddingUnavailableError("embeddings: no JSON") from error
