"""What the manifest keeps of a product: hashes by which the next file tells what it changes."""

import hashlib
import json
from typing import Any, Final, Literal

from shopping_agent.application.chunking import product_terms
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.documents import product_document
from shopping_agent.domain.vocabulary import Vocabulary

Change = Literal["added", "updated", "repriced", "unchanged"]
Hashes = tuple[str, str]
ADDING: Final = "+"
UNCOUNTED: Final = "~"
_DIGEST: Final = 24
# What the texts and terms of a product's chunks are made of.
_TEXT_FIELDS: Final = (
    "name",
    "brand",
    "description",
    "gender",
    "families",
    "notes",
    "accords",
    "concentration",
    "sillage",
    "longevity",
    "seasons",
    "occasions",
)


def digest(value: Any) -> str:
    """A short hash of a JSON value."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]


def product_hashes(
    product: Product, vocabulary: Vocabulary, recipe: str, *, counted: bool = True
) -> Hashes:
    """(hash of what is embedded, hash of the whole product).

    Args:
        recipe: how texts become vectors; another recipe changes every text.
        counted: whether the file says the stock.
    """
    document = product_document(product)
    text = [document[name] for name in _TEXT_FIELDS]
    facts = digest(document) + ("" if counted else UNCOUNTED)
    return digest([recipe, text, product_terms(product, vocabulary)]), facts


def with_chunks(text_hash: str, chunks: int) -> str:
    """A text hash as the manifest keeps it: with the number of chunks that it became."""
    return f"{text_hash}.{chunks}"


def text_hash_of(kept: str) -> str:
    """The text hash of a manifest entry."""
    return kept.partition(".")[0]


def chunks_of(kept: str) -> int:
    """How many chunks a manifest entry stands for."""
    number = kept.partition(".")[2]
    return int(number) if number.isdigit() else 0


def known_chunks(known: Hashes | None) -> int | None:
    """How many chunks a product has in the index; None when a worker died before it could tell."""
    if known is None:
        return 0
    return None if text_hash_of(known[0]) in ("", ADDING) else chunks_of(known[0])


def unsettled(known: Hashes | None, change: Change | Literal["removed"]) -> Hashes:
    """The manifest entry of a product while it is being written: it equals no content.

    Whoever comes next, this event again or a newer one, writes the product anew.
    """
    text = known[0] if known else ""
    if change == "repriced":
        return text, ""
    return with_chunks(ADDING if change == "added" else "", chunks_of(text)), ""
