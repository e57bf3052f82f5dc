"""Products that may be shown for a message: found in the index, sold at their live price, with their canonical terms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.application.chunking import product_terms
from shopping_agent.application.query_vectors import QueryVectorizer
from shopping_agent.domain.catalog import LiveFacts, Product
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.kinds import MAIN, kind_term, kind_terms, special_kinds
from shopping_agent.domain.likeness import called
from shopping_agent.domain.ranking import Candidate
from shopping_agent.domain.text import family_name, fold, name_key, words
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.ports import (
    Chunk,
    ChunkKind,
    IndexFilter,
    LiveCatalog,
    ProductIndex,
    ScoredChunk,
)

POOL: Final = 120
"""Chunks fetched to rank from: a product has about three."""
_PRODUCT_KINDS: Final[tuple[ChunkKind, ...]] = ("description", "notes", "usage")
_WITHOUT_SIZE: Final = 0.8
_MISSPELT: Final = 0.6


class CandidateFinder:
    """The index and the live catalog as one source of candidates. Decides nothing about their order."""

    def __init__(
        self,
        *,
        index: ProductIndex,
        live: LiveCatalog,
        vectorizer: QueryVectorizer,
        vocabulary: Vocabulary,
        currency: str,
    ) -> None:
        self._index = index
        self._live = live
        self._vectorizer = vectorizer
        self._vocabulary = vocabulary
        self._currency = currency

    def canonical(self, wanted: Constraints) -> Constraints:
        """The constraints with their words as canonical terms: a model or a client may write any."""
        return replace(
            wanted,
            notes=self._terms(wanted.notes),
            exclude_notes=self._terms(wanted.exclude_notes),
            families=self._terms(wanted.families),
        )

    def strict_filter(self, wanted: Constraints) -> IndexFilter:
        """Every hard constraint; a wished term is met by what it covers."""
        loose = self.loose_filter(wanted)
        others = special_kinds(self._vocabulary) if wanted.kind == MAIN else ()
        own = () if wanted.kind in (None, MAIN) else ((kind_term(wanted.kind),),)
        return replace(
            loose,
            exclude_terms=(*loose.exclude_terms, *map(kind_term, others)),
            currency=(wanted.currency or self._currency) if wanted.bounded else None,
            min_price=wanted.min_price,
            max_price=wanted.max_price,
            gender=wanted.gender,
            one_of=(*(tuple(sorted(self._vocabulary.expand(n))) for n in wanted.notes), *own),
            in_stock=True if wanted.in_stock else None,
        )

    def loose_filter(self, wanted: Constraints) -> IndexFilter:
        """What is never relaxed: refused notes, and the store's currency where a price was named."""
        refused = {t for note in wanted.exclude_notes for t in self._vocabulary.expand(note)}
        return IndexFilter(
            kinds=_PRODUCT_KINDS,
            currency=self._currency if wanted.bounded else None,
            exclude_terms=tuple(sorted(refused)),
        )

    def find(
        self, text: str, wanted: Constraints, where: IndexFilter, deadline: Deadline
    ) -> list[Candidate]:
        """Candidates for a message, in the currency that the filter asks for."""
        return self.pool(text, wanted, where, deadline)[0]

    def pool(
        self,
        text: str,
        wanted: Constraints,
        where: IndexFilter,
        deadline: Deadline,
        chunks: int | None = None,
    ) -> tuple[list[Candidate], bool]:
        """Candidates from so many chunks (`POOL`), and whether these are all that the index finds.

        A choice that is left to us is searched by the wishes alone, so that it falls on the same product in every
        language and wording.
        """
        if wanted.by_wishes and wanted.facets():
            said, facets = "", wanted.facets()
        else:
            said = text
            facets = self._vectorizer.facets(text, wanted.facets(), wanted.exclude_notes)
        query = self._vectorizer.vectors(said, facets, deadline, refusing=True)
        most = chunks or POOL
        if query.dense is None and not query.sparse:
            return self.listed(where, deadline, limit=most)
        hits = self._index.search(
            dense=query.dense, sparse=query.sparse, where=where, limit=most, deadline=deadline
        )
        if not hits and query.dense is None and not wanted.facets() and _narrows(where):
            # Words that no text has ("something under 300") take nothing away from what the bounds allow.
            return self.listed(where, deadline, limit=most)
        nearest = _one_of_each_product(hits)
        live = self._live.get(list(nearest), deadline) if nearest else {}
        relevance = _relevance(hits)
        said = Said(words(text), self._vectorizer.unknown(text), facets)
        return [
            self._candidate(
                product.with_live(live[product.id]),
                chunk.terms,
                relevance[product.variant_of or product.id],
                named=said.named(product),
            )
            for chunk in nearest.values()
            if (product := chunk.product) and _sellable(live.get(product.id), where)
        ], len(hits) < most

    def by_wishes(self, text: str, wanted: Constraints) -> Constraints:
        """The constraints, by the wishes alone where a message says nothing else: whatever its wording, the order is one."""
        stated = wanted.facets()
        if not stated or not self.understood(text):
            return wanted
        said = self._vectorizer.facets(text, stated, wanted.exclude_notes)
        return replace(wanted, by_wishes=True) if set(said) <= set(stated) else wanted

    def understood(self, text: str) -> bool:
        """Whether the store's vocabulary knows every telling word of a message."""
        return all(word.isdecimal() for word in self._vectorizer.unknown(text))

    def wishes_nothing(self, text: str) -> bool:
        """Whether there is nothing in a message to search by."""
        return self.understood(text) and not self._vectorizer.facets(text)

    def sold(self, products: Sequence[Product], deadline: Deadline) -> tuple[Product, ...]:
        """Those of the products that have live facts, at their live price."""
        live = self._live.get([p.id for p in products], deadline) if products else {}
        return tuple(p.with_live(live[p.id]) for p in products if p.id in live)

    def candidate(self, product: Product) -> Candidate:
        """A product as a candidate that no search found."""
        return self._candidate(product, product_terms(product, self._vocabulary), 0.0, named=0.0)

    def listed(
        self, where: IndexFilter, deadline: Deadline, *, limit: int
    ) -> tuple[list[Candidate], bool]:
        """Without a word to search by: what the filter lets through, and whether that is all of it."""
        page = self._index.browse(where, limit=limit, cursor=None, deadline=deadline)
        return self._sold_of(page.products, where, deadline), page.next_cursor is None

    def _sold_of(
        self, products: Sequence[Product], where: IndexFilter, deadline: Deadline
    ) -> list[Candidate]:
        return [
            self.candidate(product)
            for product in self.sold(products, deadline)
            if where.currency in (None, product.price.currency)
        ]

    def _candidate(
        self, product: Product, terms: Iterable[str], relevance: float, *, named: float
    ) -> Candidate:
        return Candidate(
            product=product,
            terms=frozenset((*terms, *kind_terms(product, self._vocabulary))),
            relevance=relevance,
            named=named,
            longevity=self._one("longevity", product.longevity),
            sillage=self._one("sillage", product.sillage),
        )

    def _one(self, kind: str, value: str | None) -> str | None:
        if value is None or value in self._vocabulary.concepts.get(kind, ()):
            return value
        return next(iter(self._vocabulary.canonical(kind, (value,))), value)

    def _terms(self, given: Iterable[str]) -> tuple[str, ...]:
        concepts, implied = self._vocabulary.concepts, self._vocabulary.implied
        known = {*concepts.get("note", ()), *concepts.get("family", ()), *implied}
        found = (
            (word,) if word in known else self._vocabulary.canonical_terms(word) or (word,)
            for word in map(fold, given)
        )
        return tuple(dict.fromkeys(term for terms in found for term in terms))


def _narrows(where: IndexFilter) -> bool:
    """Whether a shopper's own bounds are in a filter: what passes it is an answer of itself."""
    bounds = (where.min_price, where.max_price, where.gender, where.in_stock)
    return bool(where.one_of) or any(bound is not None for bound in bounds)


def _one_of_each_product(hits: Sequence[ScoredChunk]) -> Mapping[str, Chunk]:
    """Product id -> its nearest chunk, nearest product first."""
    chunks: dict[str, Chunk] = {}
    for hit in hits:
        if hit.chunk.product is not None:
            chunks.setdefault(hit.chunk.product.id, hit.chunk)
    return chunks


def _relevance(hits: Sequence[ScoredChunk]) -> Mapping[str, float]:
    """Best score of each product family as a share of the best of all: sizes of one product are equally relevant."""
    scores: dict[str, float] = {}
    for hit in hits:
        if hit.chunk.product is not None:
            key = hit.chunk.product.variant_of or hit.chunk.product.id
            scores[key] = max(scores.get(key, 0.0), hit.score)
    top = max(scores.values(), default=0.0)
    return {key: value / top if top > 0 else 0.0 for key, value in scores.items()}


def _sellable(facts: LiveFacts | None, where: IndexFilter) -> bool:
    return facts is not None and where.currency in (None, facts.price.currency)


class Said:
    """The words of a message, as far as they may name a product.

    Args:
        spoken: all of them, folded.
        unknown: those that the vocabulary does not know.
        facets: canonical terms; a name that is a plain one is not named by it.
    """

    def __init__(
        self, spoken: Sequence[str], unknown: Sequence[str], facets: Sequence[str]
    ) -> None:
        self._text = f" {' '.join(spoken)} "
        self._spoken = spoken
        self._unknown = unknown
        self._facets = facets

    def named(self, product: Product) -> float:
        """1 when the product's name stands in the message, less without its size, and less when it is misspelt."""
        bare = family_name(product.name)
        for name, share in ((product.name, 1.0), (bare, _WITHOUT_SIZE)):
            key = name_key(name)
            if key and key not in self._facets and f" {key} " in self._text:
                return share
        if not self._unknown:
            return 0.0
        return _MISSPELT * called(bare, self._spoken, self._unknown)
