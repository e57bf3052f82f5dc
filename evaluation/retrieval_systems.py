"""What is compared: BM25 alone, dense vectors alone, and the shop's own search; each ranks product families for a query."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import numpy as np
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.index.qdrant import QdrantIndex
from shopping_agent.application.chunking import passage, product_chunks
from shopping_agent.application.index_batches import ChunkIndexer
from shopping_agent.application.search import SearchService
from shopping_agent.domain.catalog import LiveFacts, Product
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.sparse import terms
from shopping_agent.domain.understanding import understand
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.ports import Chunk, Embedder

from evaluation.retrieval_sets import JudgedQuery, JudgedSet
from functions.local import qdrant_speed

DEPTH: Final = 10
Rank = Callable[[JudgedQuery], list[str]]
_SECONDS: Final = 600.0
_K1: Final = 1.2
_B: Final = 0.75


class LiveProducts:
    """`LiveCatalog` of products as they were indexed."""

    def __init__(self, products: Iterable[Product]) -> None:
        self._facts = {product.id: product.live_facts() for product in products}

    def get(self, ids: Sequence[str], deadline: Deadline) -> dict[str, LiveFacts]:
        del deadline
        return {i: self._facts[i] for i in ids if i in self._facts}

    def on_sale(self, now: float, deadline: Deadline) -> list[LiveFacts]:
        del now, deadline
        return []

    def put(self, facts: Any, deadline: Deadline, **more: Any) -> list[str]:
        del deadline, more
        self._facts.update({one.id: one for one in facts})
        return []

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        del deadline
        for one in ids:
            self._facts.pop(one, None)


def systems(judged: JudgedSet, embedder: Embedder) -> Mapping[str, Rank]:
    """The three, over the same products and the same texts."""
    pack = load_store_pack("")
    vocabulary = pack.vocabulary if judged.understood else Vocabulary.from_document({})
    chunks = [
        chunk for product in judged.products for chunk in product_chunks(product, "", vocabulary)
    ]
    return {
        "BM25": _bm25(chunks),
        "dense": _dense(chunks, embedder),
        "ours": _ours(judged, chunks, embedder, vocabulary, pack.currency),
    }


def _family(product: Product | None) -> str:
    return (product.variant_of or product.id) if product else ""


def _bm25(chunks: Sequence[Chunk]) -> Rank:
    """Robertson and Zaragoza (2009), over all that is written of a product family, with our stems and stop words."""
    texts: dict[str, list[str]] = {}
    for chunk in chunks:
        texts.setdefault(_family(chunk.product), []).append(passage(chunk))
    counted = {key: Counter(terms("\n".join(dict.fromkeys(said)))) for key, said in texts.items()}
    average = sum(c.total() for c in counted.values()) / max(1, len(counted))
    postings: dict[str, list[tuple[str, float]]] = {}
    for key, counts in counted.items():
        norm = _K1 * (1 - _B + _B * counts.total() / average)
        for term, n in counts.items():
            postings.setdefault(term, []).append((key, n * (_K1 + 1) / (n + norm)))

    def ranked(query: JudgedQuery) -> list[str]:
        scores: dict[str, float] = {}
        for term in set(terms(query.text)):
            found = postings.get(term, ())
            idf = math.log(1 + (len(counted) - len(found) + 0.5) / (len(found) + 0.5))
            for key, weight in found:
                scores[key] = scores.get(key, 0.0) + idf * weight
        return _top(sorted(scores, key=lambda key: (-scores[key], key)))

    return ranked


def _dense(chunks: Sequence[Chunk], embedder: Embedder) -> Rank:
    """Nearest text of a product family by cosine."""
    texts = [passage(chunk, sized=False) for chunk in first_texts(chunks)]
    vectors = np.array(embedder.embed_passages(texts, Deadline.after(_SECONDS)), dtype=np.float32)
    keys = [_family(chunk.product) for chunk in first_texts(chunks)]

    def ranked(query: JudgedQuery) -> list[str]:
        asked = np.array(embedder.embed_query(query.text, Deadline.after(_SECONDS)))
        return _top(keys[i] for i in np.argsort(-(vectors @ asked), kind="stable"))

    return ranked


def first_texts(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks that get a dense vector here: of a long description its beginning alone, to spare minutes of embedding."""
    kept: dict[tuple[str, str, str], Chunk] = {}
    for chunk in chunks:
        key = (chunk.product.id if chunk.product else chunk.id, chunk.kind, chunk.language)
        kept.setdefault(key, chunk)
    return list(kept.values())


def _ours(
    judged: JudgedSet,
    chunks: Sequence[Chunk],
    embedder: Embedder,
    vocabulary: Vocabulary,
    currency: str,
) -> Rank:
    """The search of a turn: the message is understood, then found; in the index that ingestion fills."""
    qdrant_speed.install()
    index = QdrantIndex(
        url="",
        path="",
        api_key="",
        collection="products",
        model=embedder.model,
        dimensions=embedder.dimensions,
    )
    index.prepare(Deadline.after(_SECONDS))
    with_vectors = {chunk.id for chunk in first_texts(chunks)}
    for one, own in ((embedder, True), (None, False)):
        part = [chunk for chunk in chunks if (chunk.id in with_vectors) == own]
        ChunkIndexer(writer=index, embedder=one).index(part, Deadline.after(_SECONDS))
    search = SearchService(
        index=index,
        embedder=embedder,
        live=LiveProducts(judged.products),
        vocabulary=vocabulary,
        currency=judged.products[0].price.currency,
    )

    def ranked(query: JudgedQuery) -> list[str]:
        wanted = Constraints()
        if judged.understood:
            wanted = Constraints.of(
                understand(query.text, vocabulary=vocabulary, currency=currency).query
            )
        found = search.find_products(
            query.text, wanted, limit=DEPTH, deadline=Deadline.after(_SECONDS), now=time.time()
        )
        return _top(_family(product) for product in found.products)

    return ranked


def _top(keys: Iterable[str]) -> list[str]:
    return list(islice(dict.fromkeys(keys), DEPTH))
