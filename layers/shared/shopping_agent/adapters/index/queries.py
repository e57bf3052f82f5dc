"""Searches, filters and selections of points as Qdrant takes them: shared by every adapter of the index."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.index.payload import CHUNK_KINDS, MARK, SPARSE
from shopping_agent.domain.catalog import Gender
from shopping_agent.ports import IndexFilter

Json = dict[str, Any]

# Cormack, Clarke and Buettcher (2009). Qdrant's own default, 2, lets the first hit of one list beat what is in both.
_RRF_K: Final = 60
_PREFETCH_FACTOR: Final = 4
_PREFETCH_MIN: Final = 40


def filter_json(where: IndexFilter, *, kinds: Sequence[str] | None = None) -> Json:
    """A Qdrant filter. `kinds` takes the place of the filter's own (for cards)."""
    must: list[Json] = [_any("kind", kinds or where.kinds or CHUNK_KINDS)]
    must += [_value("terms", term) for term in where.terms]
    must += [_any("terms", group) for group in where.one_of]
    if where.language is not None:
        must.append(_value("language", where.language))
    if where.product_ids:
        must.append(_any("product_id", where.product_ids))
    if where.variant_of:
        must.append(_any("variant_of", where.variant_of))
    if where.currency is not None:
        must.append(_value("currency", where.currency))
    if where.gender is not None:
        must.append(_any("gender", _genders(where.gender)))
    if where.in_stock is not None:
        must.append(_value("in_stock", where.in_stock))
    if where.min_price is not None:
        must.append({"key": "price_high", "range": {"gte": where.min_price}})
    if where.max_price is not None:
        must.append({"key": "price_low", "range": {"lte": where.max_price}})
    body: Json = {"must": must}
    if where.exclude_terms:
        body["must_not"] = [_any("terms", where.exclude_terms)]
    return body


def product_filter(ids: Sequence[str]) -> Json:
    """Every point of some products: chunks and cards."""
    return {"must": [_any("product_id", ids)]}


def source_filter(source: str) -> Json:
    """Every point that came from a file, its mark not."""
    return {"must": [_value("source", source)], "must_not": [_value("kind", MARK)]}


def marks_filter() -> Json:
    """The marks of all sources."""
    return {"must": [_value("kind", MARK)]}


def query_json(
    *,
    dense: Sequence[float] | None,
    dense_name: str,
    sparse: Mapping[int, float],
    where: IndexFilter,
    limit: int,
) -> Json | None:
    """A Query API body: both vectors fused by reciprocal rank, or the one there is; None when there is none."""
    filters = filter_json(where)
    fetch = max(_PREFETCH_MIN, limit * _PREFETCH_FACTOR)
    branches: list[Json] = []
    if dense is not None:
        branches.append(
            {"query": list(dense), "using": dense_name, "filter": filters, "limit": fetch}
        )
    if sparse:
        branches.append(
            {"query": sparse_json(sparse), "using": SPARSE, "filter": filters, "limit": fetch}
        )
    match branches:
        case []:
            return None
        case [only]:
            return {**only, "limit": limit, "with_payload": True}
        case _:
            return {
                "prefetch": branches,
                "query": {"rrf": {"k": _RRF_K}},
                "limit": limit,
                "with_payload": True,
            }


def sparse_json(vector: Mapping[int, float]) -> Json:
    """A sparse vector as Qdrant takes it: unique indices, in order."""
    ordered = sorted(vector)
    return {"indices": ordered, "values": [vector[i] for i in ordered]}


def _genders(wanted: Gender) -> tuple[str, ...]:
    return ("unisex",) if wanted == "unisex" else (cast(str, wanted), "unisex")


def _value(key: str, value: str | bool) -> Json:
    return {"key": key, "match": {"value": value}}


def _any(key: str, values: Sequence[str]) -> Json:
    return {"key": key, "match": {"any": list(values)}}
