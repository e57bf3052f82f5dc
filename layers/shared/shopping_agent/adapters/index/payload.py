"""What a point holds and how it is filtered, as plain JSON: shared by the REST adapter and the qdrant-client one.

Every chunk is a point (`CHUNK`). Each product also has one point without vectors, its card (`CARD`), which lists and
look-ups read: one point a product, in a stable order, without a search.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast
from uuid import UUID, uuid5

from shopping_agent.domain.catalog import Gender, Product
from shopping_agent.domain.documents import product_document, product_from_document
from shopping_agent.errors import IndexUnavailableError, InvalidFieldError
from shopping_agent.ports import Chunk, ChunkKind, IndexFilter, ScoredChunk

SCHEMA_VERSION: Final = "1"
DENSE: Final = "dense"
SPARSE: Final = "sparse"
CARD: Final = "product"
CHUNK_KINDS: Final[tuple[ChunkKind, ...]] = ("description", "notes", "usage", "guide")

# Strict mode (Qdrant Cloud's default) refuses a filter on a field that is missing here.
PAYLOAD_INDEXES: Final[Mapping[str, str]] = {
    "kind": "keyword",
    "language": "keyword",
    "product_id": "keyword",
    "variant_of": "keyword",
    "price_low": "integer",
    "price_high": "integer",
    "currency": "keyword",
    "gender": "keyword",
    "terms": "keyword",
    "in_stock": "bool",
}

# Chunks that `chunks_of` reads at most: a handful of products have tens.
CHUNKS_MAX: Final = 400

_NAMESPACE: Final = UUID("6d2b5f5e-54d2-4d7e-9f5b-2a5b8f6c7d10")
_PREFETCH_FACTOR: Final = 4
_PREFETCH_MIN: Final = 40

Json = dict[str, Any]


def point_id(chunk_id: str) -> str:
    """The point of a chunk: the same chunk always replaces itself."""
    return str(uuid5(_NAMESPACE, f"chunk:{chunk_id}"))


def card_id(product_id: str) -> str:
    """The point of a product's card."""
    return str(uuid5(_NAMESPACE, f"product:{product_id}"))


def collection_name(alias: str, model: str) -> str:
    """The versioned collection behind an alias: `products__multilingual-e5-small_1`."""
    slug = "".join(c if c.isalnum() or c in "-." else "-" for c in model.casefold()).strip("-.")
    return f"{alias}__{slug[:100] or 'none'}_{SCHEMA_VERSION}"


def chunk_payload(chunk: Chunk) -> Json:
    """The payload of a chunk's point; `chunk_from_payload` is the inverse."""
    return {
        "chunk_id": chunk.id,
        "kind": chunk.kind,
        "text": chunk.text,
        "language": chunk.language,
        "source": chunk.source,
        "guide": chunk.guide,
        "heading": chunk.heading,
        "terms": list(chunk.terms),
        **(product_payload(chunk.product) if chunk.product else {}),
    }


def card_payload(chunk: Chunk, product: Product) -> Json:
    """The payload of a product's card: the product's fields and terms, no text."""
    return {
        "kind": CARD,
        "language": "",
        "source": chunk.source,
        "terms": list(chunk.terms),
        **product_payload(product),
    }


def product_payload(product: Product) -> Json:
    """The fields that every point of a product has, and that a change of price or stock replaces.

    A sale may begin or end without a new upload, so both prices are indexed: a filter keeps whatever may
    match at some moment, and the caller drops what the live price excludes.
    """
    price = product.price
    prices = (price.regular, price.sale) if price.sale else (price.regular,)
    return {
        "product_id": product.id,
        "variant_of": product.variant_of,
        "price_low": min(prices),
        "price_high": max(prices),
        "currency": price.currency,
        "gender": product.gender,
        "in_stock": product.in_stock,
        "product": product_document(product),
    }


def chunk_from_payload(payload: Mapping[str, Any]) -> Chunk:
    """The chunk of a `chunk_payload`.

    Raises:
        KeyError, TypeError: when the payload is not one of ours.
    """
    document = payload.get("product")
    return Chunk(
        id=payload["chunk_id"],
        kind=payload["kind"],
        text=payload["text"],
        language=payload["language"],
        source=payload["source"],
        product=product_from_document(document) if document else None,
        terms=tuple(payload["terms"]),
        guide=payload["guide"],
        heading=payload["heading"],
    )


def scored_chunk(point: Mapping[str, Any]) -> ScoredChunk:
    """A hit of a Query API answer."""
    return ScoredChunk(chunk_from_payload(point["payload"]), float(point["score"]))


def product_from_payload(payload: Mapping[str, Any]) -> Product:
    """The product of any of its points."""
    return product_from_document(payload["product"])


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


def query_json(
    *,
    dense: Sequence[float] | None,
    sparse: Mapping[int, float],
    where: IndexFilter,
    limit: int,
) -> Json | None:
    """A Query API body: both vectors fused by reciprocal rank, or the one there is; None when there is none."""
    filters = filter_json(where)
    fetch = max(_PREFETCH_MIN, limit * _PREFETCH_FACTOR)
    branches: list[Json] = []
    if dense is not None:
        branches.append({"query": list(dense), "using": DENSE, "filter": filters, "limit": fetch})
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
                "query": {"fusion": "rrf"},
                "limit": limit,
                "with_payload": True,
            }


def sparse_json(vector: Mapping[int, float]) -> Json:
    """A sparse vector as Qdrant takes it: unique indices, in order."""
    ordered = sorted(vector)
    return {"indices": ordered, "values": [vector[i] for i in ordered]}


@contextmanager
def reading_payloads() -> Generator[None]:
    """A payload that is not ours is `IndexUnavailableError`, not a bug of the reader."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise IndexUnavailableError("the index holds a payload that is not ours") from error


def read_cursor(cursor: str | None) -> str | None:
    """The point a page starts at.

    Raises:
        InvalidFieldError: when it is not one of ours.
    """
    if cursor is None:
        return None
    try:
        return str(UUID(cursor))
    except ValueError as error:
        raise InvalidFieldError("the cursor is not one of ours", field="cursor") from error


def _genders(wanted: Gender) -> tuple[str, ...]:
    return ("unisex",) if wanted == "unisex" else (cast(str, wanted), "unisex")


def _value(key: str, value: str | bool) -> Json:
    return {"key": key, "match": {"value": value}}


def _any(key: str, values: Sequence[str]) -> Json:
    return {"key": key, "match": {"any": list(values)}}
