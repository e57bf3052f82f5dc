"""What a shopper asks for in any language finds a product whatever language its attributes are noted in."""

from functools import cache
from typing import Any

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.application.chunking import passage, product_chunks
from shopping_agent.application.query_vectors import QueryVectorizer
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.sparse import document_vector

VOCABULARY = load_store_pack().vocabulary
LANGUAGES = ("en", "fr", "ar", "ary", "ary-latn")
KINDS = ("note", "family", "season", "occasion")
CONCEPTS = sorted({(kind, concept) for kind, concept, _ in VOCABULARY.written if kind in KINDS})


@cache
def query_terms(text: str) -> frozenset[int]:
    vectorizer = QueryVectorizer(embedder=None, vocabulary=VOCABULARY)
    return frozenset(vectorizer.vectors(text, vectorizer.facets(text), Deadline.after(5)).sparse)


@cache
def product_words(kind: str, word: str) -> frozenset[int]:
    fields: dict[str, Any] = {
        "note": {"notes": Notes(heart=(word,))},
        "family": {"families": (word,)},
        "season": {"seasons": (word,)},
        "occasion": {"occasions": (word,)},
    }[kind]
    product = Product(id="x", name="X", price=PriceTag(100, "MAD"), **fields)
    chunks = product_chunks(product, "catalog/a.csv", VOCABULARY)
    return frozenset().union(*(document_vector(passage(c), c.terms) for c in chunks))


@pytest.mark.parametrize("asked_in", LANGUAGES)
@pytest.mark.parametrize("noted_in", LANGUAGES)
def test_a_concept_asked_in_one_language_finds_it_noted_in_another(asked_in, noted_in):
    lost, pairs = [], 0
    for kind, concept in CONCEPTS:
        asked = VOCABULARY.word(kind, concept, asked_in)
        noted = VOCABULARY.word(kind, concept, noted_in)
        if asked and noted:
            pairs += 1
            if not query_terms(asked) & product_words(kind, noted):
                lost.append((asked, noted))
    assert pairs > 90
    assert lost == []
