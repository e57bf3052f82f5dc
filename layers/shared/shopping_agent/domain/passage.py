"""Texts of the store that may answer a question, and sentences quoted from them."""

from collections.abc import Mapping
from typing import Any

from shopping_agent.domain.values import frozen


@frozen
class Passage:
    """One text that may answer: a guide's section, or a product's own words (`product_id`, `name`)."""

    text: str
    source: str = ""
    heading: str = ""
    language: str = ""
    product_id: str | None = None
    name: str = ""

    @classmethod
    def from_observation(cls, item: Mapping[str, Any]) -> "Passage":
        """A passage as the tool `search_guides` shows it."""
        return cls(
            text=str(item.get("text", "")),
            source=str(item.get("source", "")),
            heading=str(item.get("heading", "")),
            language=str(item.get("language", "")),
            product_id=item.get("productId"),
            name=str(item.get("name", "")),
        )


@frozen
class Sentence:
    """A sentence quoted word for word, with where it stands; `name` is the product whose text it is."""

    text: str
    source: str
    heading: str
    language: str
    name: str = ""
