"""What a point holds, as plain JSON: shared by the REST adapter and the qdrant-client one.

Every chunk is a point. Each product also has one point without vectors, its card (`CARD`), which lists and look-ups
read: one point a product, in a stable order, without a search. And each source that is in whole has a `MARK`.
"""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID, uuid5

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.documents import product_document, product_from_document
from shopping_agent.errors import IndexUnavailableError, InvalidFieldError
from shopping_agent.ports import Chunk, ChunkKind, ScoredChunk

SCHEMA_VERSION: Final = "2"
"""A new one has a collection of its own. Readers meet the older one until the newer is complete."""
SPARSE: Final = "sparse"
CARD: Final = "product"
MARK: Final = "source"
CHUNK_KINDS: Final[tuple[ChunkKind, ...]] = ("description", "notes", "usage", "guide")

# Strict mode (Qdrant Cloud's default) refuses a filter, of a search or of a deletion, on a field that is missing here.
PAYLOAD_INDEXES: Final[Mapping[str, str]] = {
    "kind": "keyword",
    "language": "keyword",
    "source": "keyword",
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

Json = dict[str, Any]


def point_id(chunk_id: str) -> str:
    """The point of a chunk: the same chunk always replaces itself."""
    return str(uuid5(_NAMESPACE, f"chunk:{chunk_id}"))


def card_id(product_id: str) -> str:
    """The point of a product's card."""
    return str(uuid5(_NAMESPACE, f"product:{product_id}"))


def mark_id(source: str) -> str:
    """The point that says: all of this source is in the collection."""
    return str(uuid5(_NAMESPACE, f"source:{source}"))


def mark_payload(source: str) -> Json:
    """The payload of a source's mark."""
    return {"kind": MARK, "source": source}


def dense_name(model: str, dimensions: int) -> str:
    """What a model's vectors are called: a query by another model names vectors that the collection lacks, and is told.

    Empty without dense vectors.
    """
    return f"{_slug(model)}-{dimensions}" if dimensions else ""


def collection_name(alias: str, model: str, dimensions: int) -> str:
    """The versioned collection behind an alias: `products__multilingual-e5-small-384_2`."""
    return f"{alias}__{dense_name(model, dimensions) or 'none'}_{SCHEMA_VERSION}"


def is_version_of(alias: str, name: str) -> bool:
    """Whether a collection is one of an alias's: no other alias's, however alike their names are."""
    return re.fullmatch(rf"{re.escape(alias)}__[^_]+_\d+", name) is not None


def _slug(model: str) -> str:
    slug = "".join(c if c.isalnum() or c in "-." else "-" for c in model.casefold())
    return slug.strip("-.")[:100] or "model"


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


def same_words(payload: Mapping[str, Any], chunk: Chunk) -> bool:
    """Whether a point's dense vector, whoever made it, still is that of a chunk."""
    try:
        there = chunk_from_payload(payload)
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return _words(there) == _words(chunk)


def _words(chunk: Chunk) -> tuple[str, ...]:
    product = chunk.product
    return (
        chunk.text,
        chunk.heading,
        product.name if product else "",
        product.brand if product else "",
    )


def scored_chunk(point: Mapping[str, Any]) -> ScoredChunk:
    """A hit of a Query API answer."""
    return ScoredChunk(chunk_from_payload(point["payload"]), float(point["score"]))


def product_from_payload(payload: Mapping[str, Any]) -> Product:
    """The product of any of its points."""
    return product_from_document(payload["product"])


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
