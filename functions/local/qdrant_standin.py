"""Qdrant's operations over qdrant-client's local mode: what the stand-in server does with each request."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from qdrant_client import QdrantClient, models

from functions.local import qdrant_speed
from functions.local.qdrant_rules import RefusalError, check_filters, parse, refusal_of


class Call(NamedTuple):
    """One request: the collection its path names, the last part of the path where it varies, the body."""

    collection: str
    item: str
    body: bytes


class QdrantStandIn:
    """The server without its HTTP: `answer` maps a request to a result or a `RefusalError`."""

    def __init__(self, path: str = "", api_key: str = "") -> None:
        self.api_key = api_key
        self.fault = "none"
        self.fault_seconds = 1.0
        self.requests: list[tuple[str, str]] = []
        self._lock = threading.RLock()
        qdrant_speed.install()
        self._client = (
            QdrantClient(path=path, force_disable_check_same_thread=True)
            if path
            else QdrantClient(location=":memory:")
        )
        self._index_file = Path(path) / "payload_indexes.json" if path else None
        self._indexes: dict[str, dict[str, str]] = {}
        if self._index_file and self._index_file.exists():
            self._indexes = json.loads(self._index_file.read_text())
        self._routes = self._build_routes()
        self._write_lazily()

    def close(self) -> None:
        with self._lock:
            self._client.close()

    def answer(self, method: str, path: str, body: bytes) -> Any:
        """The `result` of a request.

        Raises:
            RefusalError: with the status and words of the server.
        """
        for wanted, pattern, handler in self._routes:
            found = pattern.fullmatch(path)
            if wanted == method and found:
                parts = found.groupdict()
                call = Call(parts.get("collection") or "", parts.get("item") or "", body)
                with self._lock:
                    try:
                        return handler(call)
                    except (ValueError, NotImplementedError) as error:
                        raise refusal_of(error, call.collection) from error
        raise RefusalError(404, "")

    def _build_routes(self) -> list[tuple[str, re.Pattern[str], Callable[[Call], Any]]]:
        one = r"/collections/(?P<collection>[^/]+)"
        table: list[tuple[str, str, Callable[[Call], Any]]] = [
            ("GET", "/collections", lambda _: self._client.get_collections()),
            ("GET", "/aliases", lambda _: self._client.get_aliases()),
            ("POST", "/collections/aliases", self._change_aliases),
            ("GET", f"{one}/aliases", lambda c: self._client.get_collection_aliases(c.collection)),
            ("GET", f"{one}/exists", self._exists),
            ("GET", one, self._info),
            ("PUT", one, self._create),
            ("DELETE", one, self._drop),
            ("PUT", f"{one}/index", self._create_index),
            ("DELETE", rf"{one}/index/(?P<item>[^/]+)", self._drop_index),
            ("PUT", f"{one}/points", self._upsert),
            ("POST", f"{one}/points", self._retrieve),
            ("GET", rf"{one}/points/(?P<item>[^/]+)", self._point),
            ("POST", f"{one}/points/query", self._query),
            ("POST", f"{one}/points/query/batch", self._query_batch),
            ("POST", f"{one}/points/scroll", self._scroll),
            ("POST", f"{one}/points/count", self._count),
            ("POST", f"{one}/points/delete", self._delete),
            ("POST", f"{one}/points/payload", self._set_payload),
            ("POST", f"{one}/points/batch", self._batch),
        ]
        return [(method, re.compile(pattern), handler) for method, pattern, handler in table]

    def _write_lazily(self) -> None:
        """SQLite without a disk flush for each point: a power cut may cost what the next ingestion writes again."""
        local: Any = getattr(self._client, "_client")  # noqa: B009  (qdrant-client offers no option)
        for collection in local.collections.values():
            if collection.storage is not None:
                collection.storage.storage.execute("PRAGMA synchronous = OFF")

    # --- collections --------------------------------------------------------------------------

    def _exists(self, call: Call) -> Any:
        return {"exists": self._client.collection_exists(call.collection)}

    def _info(self, call: Call) -> Any:
        info = self._client.get_collection(call.collection).model_dump(mode="json")
        fields = self._indexes.get(self._resolved(call.collection), {})
        schema = {f: {"data_type": t, "points": info["points_count"]} for f, t in fields.items()}
        return {**info, "payload_schema": schema}

    def _create(self, call: Call) -> bool:
        wanted: models.CreateCollection = parse(models.CreateCollection, call.body)
        self._indexes.pop(call.collection, None)
        created = self._client.create_collection(
            call.collection,
            vectors_config=wanted.vectors,
            sparse_vectors_config=wanted.sparse_vectors,
        )
        self._write_lazily()
        return created

    def _drop(self, call: Call) -> bool:
        self._indexes.pop(call.collection, None)
        self._save_indexes()
        return self._client.delete_collection(call.collection)

    def _change_aliases(self, call: Call) -> bool:
        wanted: models.ChangeAliasesOperation = parse(models.ChangeAliasesOperation, call.body)
        return self._client.update_collection_aliases(wanted.actions)

    def _create_index(self, call: Call) -> Any:
        wanted: models.CreateFieldIndex = parse(models.CreateFieldIndex, call.body)
        schema = wanted.field_schema
        if schema is None:
            raise RefusalError(400, "Wrong input: a field schema is needed")
        kind = schema if isinstance(schema, models.PayloadSchemaType) else schema.type
        self._client.get_collection(call.collection)
        self._indexes.setdefault(self._resolved(call.collection), {})[wanted.field_name] = str(
            kind.value
        )
        self._save_indexes()
        return _done()

    def _drop_index(self, call: Call) -> Any:
        self._client.get_collection(call.collection)
        self._indexes.get(self._resolved(call.collection), {}).pop(call.item, None)
        self._save_indexes()
        return _done()

    def _resolved(self, name: str) -> str:
        aliases = self._client.get_aliases().aliases
        return next((a.collection_name for a in aliases if a.alias_name == name), name)

    def _save_indexes(self) -> None:
        if self._index_file:
            self._index_file.write_text(json.dumps(self._indexes))

    # --- points -------------------------------------------------------------------------------

    def _parsed(self, kind: Any, call: Call) -> Any:
        """The body, its filters checked against the collection's payload indexes."""
        self._client.get_collection(call.collection)
        request = parse(kind, call.body)
        check_filters(request, self._indexes.get(self._resolved(call.collection), {}))
        return request

    def _upsert(self, call: Call) -> Any:
        wanted = self._parsed(models.PointInsertOperations, call)
        points = wanted.batch if isinstance(wanted, models.PointsBatch) else wanted.points
        return self._client.upsert(call.collection, points)

    def _retrieve(self, call: Call) -> Any:
        wanted: models.PointRequest = self._parsed(models.PointRequest, call)
        return self._client.retrieve(
            call.collection,
            wanted.ids,
            with_payload=True if wanted.with_payload is None else wanted.with_payload,
            with_vectors=wanted.with_vector or False,
        )

    def _point(self, call: Call) -> Any:
        key = int(call.item) if call.item.isdigit() else call.item
        found = self._client.retrieve(call.collection, [key], with_vectors=True)
        if not found:
            raise RefusalError(404, f"Not found: Point with id {call.item} does not exists!")
        return found[0]

    def _query(self, call: Call) -> Any:
        return self._run_query(call.collection, self._parsed(models.QueryRequest, call))

    def _query_batch(self, call: Call) -> Any:
        wanted: models.QueryRequestBatch = self._parsed(models.QueryRequestBatch, call)
        return [self._run_query(call.collection, request) for request in wanted.searches]

    def _run_query(self, collection: str, request: models.QueryRequest) -> Any:
        # The server's default is no payload, local mode's is all of it.
        asked = request.model_copy(update={"with_payload": request.with_payload or False})
        return self._client.query_batch_points(collection, [asked])[0]

    def _scroll(self, call: Call) -> Any:
        wanted: models.ScrollRequest = self._parsed(models.ScrollRequest, call)
        records, after = self._client.scroll(
            call.collection,
            scroll_filter=wanted.filter,
            limit=10 if wanted.limit is None else wanted.limit,
            order_by=wanted.order_by,
            offset=wanted.offset,
            with_payload=True if wanted.with_payload is None else wanted.with_payload,
            with_vectors=wanted.with_vector or False,
        )
        return {"points": [dumped(r) for r in records], "next_page_offset": after}

    def _count(self, call: Call) -> Any:
        wanted: models.CountRequest = self._parsed(models.CountRequest, call)
        return self._client.count(call.collection, wanted.filter)

    def _delete(self, call: Call) -> Any:
        return self._client.delete(call.collection, self._parsed(models.PointsSelector, call))

    def _set_payload(self, call: Call) -> Any:
        wanted: models.SetPayload = self._parsed(models.SetPayload, call)
        selector: Any = wanted.filter if wanted.points is None else wanted.points
        if selector is None:
            raise RefusalError(422, "Validation error: points or filter must be specified")
        return self._client.set_payload(call.collection, wanted.payload, selector, key=wanted.key)

    def _batch(self, call: Call) -> Any:
        wanted: models.UpdateOperations = self._parsed(models.UpdateOperations, call)
        return self._client.batch_update_points(call.collection, wanted.operations)


def _done() -> Any:
    return {"operation_id": 0, "status": "completed"}


def dumped(result: Any) -> Any:
    """A result as JSON."""
    if isinstance(result, list):
        return [dumped(item) for item in result]
    return result.model_dump(mode="json") if hasattr(result, "model_dump") else result
