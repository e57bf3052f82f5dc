"""Texts to index: a product as typed chunks, a guide as one chunk for each of its sections.

`Chunk.text` is what may be quoted; `passage` adds what it is about, for vectors to be made of.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, islice
from pathlib import PurePosixPath
from typing import Final

from shopping_agent.application.guide_text import MAX_HEADING, Section, sections
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.injection import for_shoppers, of_product
from shopping_agent.domain.kinds import kind_terms
from shopping_agent.domain.text import words
from shopping_agent.domain.visible import visible
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.ports import Chunk, ChunkKind

MAX_CHUNK: Final = 1200
"""Characters. Small embedding models read 512 tokens; Arabic takes about one for every 2.5 characters."""
MAX_CHUNKS: Final = 64
"""Of a product: what is longer is cut."""
_ATTRIBUTE_CHUNKS: Final = 2
_MAX_SECTIONS: Final = 200
_GUIDE_LANGUAGES: Final = ("en", "fr", "ar")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?؟۔])\s+|\n+")
_SIZE: Final = re.compile(r"[\s,(–—-]*\d+(?:[.,]\d+)?\s?(?:ml|مل)\)?\s*$", re.IGNORECASE)
_FRENCH: Final = frozenset(
    words(
        "le la les des du une et est sur pour dans avec qui que au aux ce cette ses son sa nous vous en par l d un de"
    )
)
_ENGLISH: Final = frozenset(
    words(
        "the of and is are for with a an to in on it its that this from by as at we you your our be or"
    )
)


def text_language(text: str) -> str:
    """`ar`, `fr` or `en`: the script first, then which function words are more; English when nothing tells."""
    letters = [c for c in text if c.isalpha()]
    if 2 * sum("\u0600" <= c <= "\u06ff" for c in letters) > len(letters):
        return "ar"
    found = [word.rstrip("'") for word in words(text)]
    french = sum(word in _FRENCH for word in found)
    return "fr" if french > sum(word in _ENGLISH for word in found) else "en"


def passage(chunk: Chunk, *, sized: bool = True) -> str:
    """The text that a chunk's vectors are made of: what it is about, then what it says.

    Args:
        sized: False leaves the size out of a variant's name. Meaning does not depend on it, so that the dense vector
            is one for all sizes; words do.
    """
    product = chunk.product
    if product is None:
        return f"{chunk.heading}\n{chunk.text}"
    name = product.name if sized or not product.variant_of else _SIZE.sub("", product.name)
    return f"{name}{f' ({product.brand})' if product.brand else ''}\n{chunk.text}"


def product_terms(product: Product, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Canonical English facets of a product: what search filters on in every language."""
    by_kind = (
        ("note", product.notes.all()),
        ("family", (*product.families, *product.accords)),
        ("season", product.seasons),
        ("occasion", product.occasions),
    )
    found = (_canonical(vocabulary, kind, word) for kind, listed in by_kind for word in listed)
    facets = (term for terms in found for term in terms)
    return tuple(dict.fromkeys((*facets, *kind_terms(product, vocabulary))))


def product_chunks(product: Product, source: str, vocabulary: Vocabulary) -> list[Chunk]:
    """The chunks of a product, numbered from 0; there is always a description.

    Args:
        source: object key of the catalog file.
    """
    terms = product_terms(product, vocabulary)
    described = _by_language(of_product(product.description))
    texts: list[tuple[ChunkKind, str, str]] = [
        ("description", language, text)
        for language, text in islice(described, MAX_CHUNKS - _ATTRIBUTE_CHUNKS)
    ] or [("description", text_language(product.name), product.name)]
    notes = _notes_text(product)
    if notes:
        texts.append(("notes", "en", notes))
    usage = _usage_text(product)
    if usage:
        texts.append(("usage", "en", usage))
    return [
        Chunk(
            id=product_chunk_id(product.id, number),
            kind=kind,
            text=text,
            language=language,
            source=source,
            product=product,
            terms=terms,
        )
        for number, (kind, language, text) in enumerate(texts)
    ]


def product_chunk_id(product_id: str, number: int) -> str:
    """The id of a product's chunk: the same for the same product and place."""
    return f"product/{product_id}/{number}"


def guide_chunks(key: str, text: str) -> list[Chunk]:
    """The chunks of a Markdown guide, one or more a section, numbered from 0.

    Args:
        key: object key, `guides/<topic>.<language>.md`; without a language there, the text tells it.
    """
    text = for_shoppers(visible(text))
    topic, _, language = PurePosixPath(key).stem.rpartition(".")
    if language not in _GUIDE_LANGUAGES:
        topic, language = PurePosixPath(key).stem, text_language(text)
    pieces = (piece for section in sections(text) for piece in _section_pieces(section))
    return [
        Chunk(
            id=f"{key}/{number}",
            kind="guide",
            text=piece,
            language=language,
            source=key,
            guide=topic,
            heading=heading,
        )
        for number, (heading, piece) in zip(range(_MAX_SECTIONS), pieces, strict=False)
    ]


def _section_pieces(section: Section) -> Iterator[tuple[str, str]]:
    """(heading, text) of a section: whole where it is short, else each of the headings below it apart."""
    whole = "\n\n".join("\n".join(filter(None, part)) for part in section.parts)
    if len(whole) <= MAX_CHUNK:
        parts: Iterable[tuple[str, str]] = [("", whole)] if whole else []
    else:
        parts = section.parts
    for below, body in parts:
        heading = " – ".join(filter(None, (section.heading, below)))[:MAX_HEADING]
        for piece in _pieces(body, MAX_CHUNK):
            yield heading, piece


@lru_cache(maxsize=20_000)
def _canonical(vocabulary: Vocabulary, kind: str, word: str) -> tuple[str, ...]:
    """Catalogs repeat their words: each is looked up once."""
    return vocabulary.canonical(kind, (word,))


def _by_language(description: str) -> Iterator[tuple[str, str]]:
    """A description's paragraphs, those of one language that follow each other together."""
    paragraphs = [line.strip() for line in description.split("\n") if line.strip()]
    for language, run in groupby(paragraphs, key=text_language):
        for piece in _pieces("\n".join(run), MAX_CHUNK):
            yield language, piece


def _pieces(text: str, limit: int) -> Iterator[str]:
    """A text cut at sentence ends into pieces of at most `limit` characters."""
    piece = ""
    for sentence in _sentences(text, limit):
        if piece and len(piece) + len(sentence) > limit:
            yield piece.strip()
            piece = ""
        piece += sentence
    if piece.strip():
        yield piece.strip()


def _sentences(text: str, limit: int) -> Iterator[str]:
    """Sentences with the space that follows them, none longer than `limit`."""
    start = 0
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    for end in (*ends, len(text)):
        for cut in range(start, end, limit):
            yield text[cut : min(cut + limit, end)]
        start = end


def _notes_text(product: Product) -> str:
    notes = product.notes
    return _labelled(
        ("Top notes", notes.top),
        ("Heart notes", notes.heart),
        ("Base notes", notes.base),
        ("Accords", product.accords),
        ("Families", product.families),
    )


def _usage_text(product: Product) -> str:
    return _labelled(
        ("For", (product.gender,)),
        ("Seasons", product.seasons),
        ("Occasions", product.occasions),
        ("Longevity", (product.longevity,)),
        ("Sillage", (product.sillage,)),
        ("Concentration", (product.concentration,)),
    )


def _labelled(*lines: tuple[str, Iterable[str | None]]) -> str:
    """`Top notes: lime, mint. Base notes: cedar.` of the labels that have values."""
    filled = ((label, ", ".join(filter(None, values))) for label, values in lines)
    return " ".join(f"{label}: {values}." for label, values in filled if values)
