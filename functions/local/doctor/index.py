"""Qdrant: is the right collection served, with the embedder's dimension and every payload index; does Redis know its products."""

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from shopping_agent.adapters.index import payload
from shopping_agent.adapters.index.qdrant_connection import QdrantConnection
from shopping_agent.adapters.index.qdrant_rest import QdrantRestIndex
from shopping_agent.adapters.index.qdrant_versions import Versions
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.ports import IndexFilter
from shopping_agent.settings import Settings

from functions.local.doctor.findings import Check, Status
from functions.local.doctor.service import soon
from functions.local.doctor.state import redis_of
from functions.local.doctor.subject import Subject

SAMPLE = 50
REBUILD = "shopping-agent reindex --bucket NAME builds it, and serves it when it is whole"
_FIX = "QDRANT_URL (with its port) and QDRANT_API_KEY: the cluster's page has both"


def checks(subject: Subject) -> list[Check]:
    return [
        Check("index", lambda: _index(subject), _FIX),
        Check("catalog in the shop", lambda: _agreement(subject), "first what redis and index say"),
    ]


def _index(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    settings = subject.needs("QDRANT_URL")
    connection = QdrantConnection(
        url=settings.qdrant_url, path="", api_key=settings.qdrant_api_key.get_secret_value()
    )
    deadline = soon(subject)
    alias = settings.qdrant_collection
    with closing(connection):
        versions = Versions(connection, alias=alias).all(deadline)
        served = next((version for version in versions if version.served), None)
        if served is None:
            there = ", ".join(version.name for version in versions)
            said = f"the alias {alias} points at nothing of ours" + (
                there and f"; there is {there}"
            )
            yield "fail", said, "upload a catalog, or shopping-agent index --serve NAME"
            return
        with connection.using(deadline) as client:
            facts = client.get_collection(served.name).model_dump(mode="json")
    wanted = _collection_of(settings)
    if served.name == wanted:
        yield "ok", f"{alias} serves {served.name}, {served.points} points", ""
    else:
        building = any(version.name == wanted for version in versions)
        said = f"{alias} serves {served.name}, the settings write {wanted}" + (
            ", which is being built" if building else ", which is not there"
        )
        yield "warn", said, f"until then searches go by words alone; {REBUILD}"
    yield from _vectors(settings, facts)
    yield from _payload_indexes(facts)
    if not served.points:
        yield "fail", "it is empty", "upload a catalog: shopping-agent upload FILE --bucket NAME"


def _collection_of(settings: Settings) -> str:
    none = settings.embedding_provider == "none"
    return payload.collection_name(
        settings.qdrant_collection,
        "none" if none else settings.embedding_model,
        0 if none else settings.embedding_dimensions,
    )


def _vectors(settings: Settings, facts: dict[str, Any]) -> Iterator[tuple[Status, str, str]]:
    """Whether the collection has the vectors that queries name, as long as the embedder's."""
    held: dict[str, Any] = facts["config"]["params"].get("vectors") or {}
    if settings.embedding_provider == "none":
        if payload.SPARSE in (facts["config"]["params"].get("sparse_vectors") or {}):
            yield "ok", "searches go by words alone (EMBEDDING_PROVIDER=none)", ""
        else:
            yield "fail", "it has no sparse vectors", REBUILD
        return
    length = settings.embedding_dimensions
    name = payload.dense_name(settings.embedding_model, length)
    size = (held.get(name) or {}).get("size") if name in held else None
    if size == length:
        yield "ok", f"its vectors are {settings.embedding_model}'s, {length} long", ""
    elif size is None:
        there = ", ".join(held) or "none"
        yield "warn", f"it has no vectors {name} (it has: {there})", REBUILD
    else:
        yield "fail", f"its vectors {name} are {size} long, the embedder's {length}", REBUILD


def _payload_indexes(facts: dict[str, Any]) -> Iterator[tuple[Status, str, str]]:
    there = {
        field: re.sub(r"^integer.*", "integer", str((schema or {}).get("data_type")))
        for field, schema in (facts.get("payload_schema") or {}).items()
    }
    wrong = [
        f"{field} ({kind})"
        for field, kind in payload.PAYLOAD_INDEXES.items()
        if there.get(field) != kind
    ]
    if wrong:
        fix = (
            "searches with these filters are refused; the next upload, or shopping-agent reindex, makes what is "
            "missing; one of another kind has to be deleted first (DELETE /collections/NAME/index/FIELD)"
        )
        yield "fail", f"no payload index on {', '.join(wrong)}", fix
    else:
        yield "ok", f"all {len(payload.PAYLOAD_INDEXES)} filtered fields have a payload index", ""


def _agreement(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    """A sample of the index's products: each must have a live price and stock in Redis."""
    settings = subject.needs("QDRANT_URL", "UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN")
    deadline = soon(subject)
    index = QdrantRestIndex(
        url=settings.qdrant_url,
        api_key=settings.qdrant_api_key.get_secret_value(),
        collection=settings.qdrant_collection,
    )
    with closing(index):
        page = index.browse(IndexFilter(), limit=SAMPLE, cursor=None, deadline=deadline)
    ids = [product.id for product in page.products]
    if not ids:
        yield "warn", "no products yet", "shopping-agent upload FILE --bucket NAME"
        return
    with closing(redis_of(settings)) as redis:
        live = RedisLiveCatalog(connection=redis).get(ids, deadline)
    lost = [product_id for product_id in ids if product_id not in live]
    if lost:
        said = (
            f"{len(lost)} of {len(ids)} indexed products have no live price: {', '.join(lost[:5])}"
        )
        fix = (
            "they cannot be sold. Same REDIS_PREFIX as the functions'? else shopping-agent reindex"
        )
        yield "fail", said, fix
        return
    foreign = sorted({f.price.currency for f in live.values()} - {settings.store_currency})
    if foreign:
        said = f"prices in {', '.join(foreign)}, the store counts in {settings.store_currency}"
        yield "fail", said, "STORE_CURRENCY, or a catalog with its own prices"
        return
    yield "ok", f"{len(ids)} indexed products looked up: all have a live price", ""
