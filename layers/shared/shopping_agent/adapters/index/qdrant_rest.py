"""Qdrant's REST API over httpx: the query side of the index for chat and store, without loading qdrant-client."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import httpx

from shopping_agent.adapters.index import payload as points
from shopping_agent.adapters.index import queries
from shopping_agent.adapters.index.served_model import RefusedError, ServedModel
from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IndexUnavailableError
from shopping_agent.ports import Chunk, IndexFilter, ProductPage, ScoredChunk

# What one call may take: a hang must leave room for an honest answer.
_CALL_SECONDS: Final = 6.0


class QdrantRestIndex:
    """`ProductIndex` over REST. A collection that does not exist yet answers as an empty one.

    Args:
        collection: the alias.
        model: of the queries' vectors, `dimensions` long; without them searches go by words.
    """

    def __init__(
        self,
        *,
        url: str,
        api_key: str,
        collection: str,
        model: str = "",
        dimensions: int = 0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._client = deadline_client(
            base_url=url,
            headers={"api-key": api_key} if api_key else None,
            transport=transport,
        )
        self._served = ServedModel(points.dense_name(model, dimensions))
        self._path = f"/collections/{collection}"

    def close(self) -> None:
        self._client.close()

    def search(
        self,
        *,
        dense: Sequence[float] | None,
        sparse: Mapping[int, float],
        where: IndexFilter,
        limit: int,
        deadline: Deadline,
    ) -> list[ScoredChunk]:
        def send(body: queries.Json) -> list[ScoredChunk]:
            result = self._call("POST", "/points/query", body, deadline)
            with points.reading_payloads():
                return [points.scored_chunk(p) for p in _found(result)]

        return self._served.search(send, dense=dense, sparse=sparse, where=where, limit=limit)

    def products(self, ids: Sequence[str], deadline: Deadline) -> dict[str, Product]:
        if not ids:
            return {}
        body = {"ids": [points.card_id(i) for i in dict.fromkeys(ids)], "with_payload": True}
        result = self._call("POST", "/points", body, deadline)
        with points.reading_payloads():
            found = [
                points.product_from_payload(p["payload"])
                for p in cast(list[points.Json], [] if result is None else result)
            ]
        return {product.id: product for product in found}

    def chunks_of(self, product_ids: Sequence[str], deadline: Deadline) -> list[Chunk]:
        if not product_ids:
            return []
        where = IndexFilter(product_ids=tuple(product_ids))
        body = {
            "filter": queries.filter_json(where),
            "limit": points.CHUNKS_MAX,
            "with_payload": True,
        }
        result = self._call("POST", "/points/scroll", body, deadline)
        with points.reading_payloads():
            return [points.chunk_from_payload(p["payload"]) for p in _found(result)]

    def browse(
        self, where: IndexFilter, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> ProductPage:
        start = points.read_cursor(cursor)
        body: dict[str, Any] = {
            "filter": queries.filter_json(where, kinds=(points.CARD,)),
            "limit": limit,
            "with_payload": True,
            **({"offset": start} if start else {}),
        }
        result = self._call("POST", "/points/scroll", body, deadline)
        if result is None:
            return ProductPage(())
        with points.reading_payloads():
            return ProductPage(
                tuple(points.product_from_payload(p["payload"]) for p in _found(result)),
                result.get("next_page_offset"),
            )

    def ready(self, deadline: Deadline) -> None:
        if self._call("GET", "", None, deadline) is None:
            raise IndexUnavailableError("no such collection yet")

    def _call(self, method: str, path: str, body: Any, deadline: Deadline) -> Any:
        """The `result` of a call, or None when the collection does not exist.

        Raises:
            IndexUnavailableError: on any other failure; its message holds neither a key nor a body.
        """
        try:
            with limit(deadline.capped(_CALL_SECONDS)):
                reply = self._client.request(method, f"{self._path}{path}", json=body)
            if reply.status_code == 404:
                return None
            reply.raise_for_status()
            result = cast(dict[str, Any], reply.json())["result"]
            if result is None:
                raise ValueError("no result")
            return result
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            kind = RefusedError if status == 400 else IndexUnavailableError
            raise kind(f"qdrant answered {status}") from error
        except httpx.HTTPError as error:
            raise IndexUnavailableError(f"qdrant: {type(error).__name__}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise IndexUnavailableError("qdrant answered something else than JSON") from error


def _found(result: Any) -> list[points.Json]:
    return [] if result is None else result["points"]
