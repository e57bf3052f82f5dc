"""The index: chunks, filters, hits, and who writes and reads them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, Protocol

from shopping_agent.domain.catalog import Gender, Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen

ChunkKind = Literal["description", "notes", "usage", "guide"]


@frozen
class Chunk:
    """One indexed text. `id` is deterministic; a guide chunk has no product.

    Attributes:
        terms: canonical English facets (notes, families, accords, seasons, occasions) used as filters.
        source: object key of the file it came from.
    """

    id: str
    kind: ChunkKind
    text: str
    language: str
    source: str
    product: Product | None = None
    terms: tuple[str, ...] = ()
    guide: str = ""
    heading: str = ""


@frozen
class IndexedChunk:
    """A chunk with its vectors: dense (None without embeddings) and sparse (term id -> weight)."""

    chunk: Chunk
    dense: Sequence[float] | None
    sparse: Mapping[int, float]


@frozen
class IndexFilter:
    """Hard constraints, applied inside the index. Prices in minor units of `currency`.

    Attributes:
        terms: all of them; `one_of`: of each group at least one; `exclude_terms`: none.
        gender: this one or unisex.
    """

    kinds: tuple[ChunkKind, ...] = ()
    language: str | None = None
    product_ids: tuple[str, ...] = ()
    variant_of: tuple[str, ...] = ()
    min_price: int | None = None
    max_price: int | None = None
    currency: str | None = None
    gender: Gender | None = None
    terms: tuple[str, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()
    exclude_terms: tuple[str, ...] = ()
    in_stock: bool | None = None


@frozen
class ScoredChunk:
    """A hit. `score` orders hits of one search only; `similarity` is the cosine of the dense vectors, if any."""

    chunk: Chunk
    score: float


@frozen
class ProductPage:
    products: tuple[Product, ...]
    next_cursor: str | None = None


class ProductIndex(Protocol):
    """The query side of the index: chat and store."""

    def search(
        self,
        *,
        dense: Sequence[float] | None,
        sparse: Mapping[int, float],
        where: IndexFilter,
        limit: int,
        deadline: Deadline,
    ) -> list[ScoredChunk]:
        """Dense and sparse retrieval fused by reciprocal rank; sparse alone when `dense` is None."""
        ...

    def products(self, ids: Sequence[str], deadline: Deadline) -> dict[str, Product]:
        """The indexed products of the ids that exist (price and stock as indexed: re-check them)."""
        ...

    def chunks_of(self, product_ids: Sequence[str], deadline: Deadline) -> list[Chunk]:
        """All chunks of some products."""
        ...

    def browse(
        self, where: IndexFilter, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> ProductPage:
        """Products in a stable order, page by page.

        Raises:
            InvalidFieldError: when the cursor is not one of ours.
        """
        ...

    def ready(self, deadline: Deadline) -> None:
        """Raises `IndexUnavailableError` when a search could not be answered."""
        ...


class IndexWriter(Protocol):
    """The write side of the index: ingestion only.

    What is written (the index of the present embedding model) may not be what is served yet: `publish`. Until then
    every change reaches both.
    """

    def prepare(self, deadline: Deadline) -> None:
        """Create what is written where it is missing, and serve it where nothing is."""
        ...

    def upsert(self, chunks: Sequence[IndexedChunk], deadline: Deadline) -> None: ...

    def refresh(self, products: Sequence[Product], deadline: Deadline) -> None:
        """New price and stock in the payload of all chunks of these products; no vector changes."""
        ...

    def remove_products(self, ids: Sequence[str], deadline: Deadline) -> None: ...

    def remove_chunks(self, ids: Sequence[str], deadline: Deadline) -> None: ...

    def held(self, sources: Sequence[str], deadline: Deadline) -> set[str]:
        """Those of some sources of which everything is in what is written (`complete`)."""
        ...

    def complete(self, source: str, kept: Collection[str], deadline: Deadline) -> None:
        """Everything of a source is written: from now on it is held.

        Args:
            kept: its products, or its chunks where it is a guide; what else came from it is removed.
        """
        ...

    def is_served(self, deadline: Deadline) -> bool:
        """Whether searches read what is written."""
        ...

    def publish(self, deadline: Deadline) -> None:
        """Let searches read what is written; what they read before is kept, as it is, and holds no source any more."""
        ...


class Embedder(Protocol):
    """Dense vectors for texts, L2-normalised.

    Attributes:
        model: name and version of the model; part of the collection's name.
        dimensions: length of a vector.
    """

    model: str
    dimensions: int

    def embed_query(self, text: str, deadline: Deadline) -> list[float]: ...

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]: ...
