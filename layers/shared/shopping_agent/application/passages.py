"""Texts that may answer a question: sections of guides and the products' own words, in a language the shopper reads."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from shopping_agent.application.query_vectors import QueryVectorizer, QueryVectors
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.evidence import ranks
from shopping_agent.domain.intent import Language
from shopping_agent.domain.mentions import name_all
from shopping_agent.domain.passage import Passage
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.sparse import query_vector
from shopping_agent.domain.store import FALLBACKS
from shopping_agent.domain.subjects import glosses
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.ports import Chunk, IndexFilter, LiveCatalog, ProductIndex, ScoredChunk

_POOL: Final = 60
_SECTIONS: Final = 12
_OTHER_PRODUCTS: Final = 3
_OF_ONE_PRODUCT: Final = 6

Section = tuple[str, str]
"""A guide and the place of a section in it: the same in every language that the guide is written in."""


class PassageFinder:
    """Retrieval for questions. What it finds is text only: prices and stock come from live facts."""

    def __init__(
        self,
        *,
        index: ProductIndex,
        live: LiveCatalog,
        vectorizer: QueryVectorizer,
        vocabulary: Vocabulary,
    ) -> None:
        self._index = index
        self._live = live
        self._vectorizer = vectorizer
        self._vocabulary = vocabulary

    def find(
        self,
        text: str,
        language: Language,
        product_ids: Sequence[str],
        limit: int,
        deadline: Deadline,
    ) -> list[Passage]:
        """The texts of `product_ids` first, then at most `limit` others, best first.

        Words of a question that name a subject are searched for in every language that guides are written in, and the
        sections found are ranked by what they say of the question: nearness alone cannot tell a dialect's.
        """
        own = self._of_products(product_ids, language, deadline)
        query = self._query(text, deadline)
        hits = self._search(query, IndexFilter(), deadline)
        guides = _sections(hits)[:_SECTIONS]
        others = [] if product_ids else self._sold(hits, deadline)
        nearest = sorted([*guides, *others], key=lambda hit: -hit.score)
        siblings = self._siblings(guides, hits, query, language, deadline)
        chosen = [_passage(siblings.get(_section(hit.chunk), hit.chunk)) for hit in nearest]
        question = ShopperQuery(text=text, language=language)
        # A section may say it in the question's own words only in the language in which it was found.
        by_found = ranks(question, [_passage(hit.chunk) for hit in nearest], self._vocabulary)
        by_shown = ranks(question, chosen, self._vocabulary)
        worth = [max(pair) for pair in zip(by_found, by_shown, strict=True)]
        order = sorted(range(len(chosen)), key=lambda i: (-worth[i], i))
        return [*own, *_distinct(chosen[i] for i in order)[:limit]]

    def _query(self, text: str, deadline: Deadline) -> QueryVectors:
        """Both vectors; the dense one of the text alone, which the search for products has made already."""
        plain = self._vectorizer.vectors(text, self._vectorizer.facets(text), deadline)
        towns = name_all(text, self._vocabulary).towns
        named = " ".join((*glosses(text, self._vocabulary), *sorted(towns)))
        sparse = {**query_vector(named), **plain.sparse} if named else plain.sparse
        return QueryVectors(plain.dense, sparse)

    def _search(
        self, query: QueryVectors, where: IndexFilter, deadline: Deadline
    ) -> list[ScoredChunk]:
        return self._index.search(
            dense=query.dense, sparse=query.sparse, where=where, limit=_POOL, deadline=deadline
        )

    def _of_products(
        self, ids: Sequence[str], language: Language, deadline: Deadline
    ) -> list[Passage]:
        """The products' own texts, those in the shopper's language first, in the order of the ids."""
        reads = FALLBACKS[language]
        chunks = self._index.chunks_of(ids, deadline) if ids else []
        found: list[Passage] = []
        for product_id in dict.fromkeys(ids):
            own = [c for c in chunks if c.product is not None and c.product.id == product_id]
            own.sort(key=lambda c: (reads.index(c.language) if c.language in reads else 9, c.id))
            found += [_passage(chunk) for chunk in own[:_OF_ONE_PRODUCT]]
        return found

    def _sold(self, hits: Sequence[ScoredChunk], deadline: Deadline) -> list[ScoredChunk]:
        """The nearest texts of products that are sold, one for each product (not for each size)."""
        first: dict[str, ScoredChunk] = {}
        for hit in hits:
            if hit.chunk.product is not None:
                first.setdefault(hit.chunk.product.variant_of or hit.chunk.product.id, hit)
        nearest = list(first.values())[:_OTHER_PRODUCTS]
        live = self._live.get(_ids(nearest), deadline) if nearest else {}
        return [h for h in nearest if h.chunk.product is not None and h.chunk.product.id in live]

    def _siblings(
        self,
        guides: Sequence[ScoredChunk],
        hits: Sequence[ScoredChunk],
        query: QueryVectors,
        language: Language,
        deadline: Deadline,
    ) -> Mapping[Section, Chunk]:
        """The found sections in the first language of the shopper's chain that the guides are written in."""
        chosen: dict[Section, Chunk] = {}
        wanted = {_section(hit.chunk) for hit in guides}
        for candidate in FALLBACKS[language]:
            missing = wanted - chosen.keys()
            if not missing or candidate in ("ary", "ary-latn"):
                continue
            there = _in_language(hits, candidate, missing)
            if missing - there.keys():
                where = IndexFilter(kinds=("guide",), language=candidate)
                there |= _in_language(self._search(query, where, deadline), candidate, missing)
            chosen |= there
        return chosen


def _sections(hits: Sequence[ScoredChunk]) -> list[ScoredChunk]:
    """The nearest hit of each guide section, whatever its language."""
    nearest: dict[Section, ScoredChunk] = {}
    for hit in hits:
        if hit.chunk.kind == "guide":
            nearest.setdefault(_section(hit.chunk), hit)
    return list(nearest.values())


def _in_language(
    hits: Sequence[ScoredChunk], language: str, wanted: set[Section]
) -> dict[Section, Chunk]:
    return {
        _section(h.chunk): h.chunk
        for h in hits
        if h.chunk.kind == "guide" and h.chunk.language == language and _section(h.chunk) in wanted
    }


def _section(chunk: Chunk) -> Section:
    if chunk.kind != "guide":
        return "", chunk.id
    return chunk.guide, chunk.id.rpartition("/")[2]


def _ids(hits: Sequence[ScoredChunk]) -> list[str]:
    return [hit.chunk.product.id for hit in hits if hit.chunk.product is not None]


def _passage(chunk: Chunk) -> Passage:
    return Passage(
        text=chunk.text,
        source=chunk.guide or chunk.source,
        heading=chunk.heading,
        language=chunk.language,
        product_id=chunk.product.id if chunk.product else None,
        name=chunk.product.name if chunk.product else "",
    )


def _distinct(passages: Iterable[Passage]) -> list[Passage]:
    return list(dict.fromkeys(passages))
