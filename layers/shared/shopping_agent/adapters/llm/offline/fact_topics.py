"""Topics of a question that a product's own facts answer."""

from collections.abc import Mapping
from typing import Final

FACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "price": ("price",),
    "brand": ("brand",),
    "discount": ("sale",),
    "stock": ("stock",),
    "notes": ("notes",),
    "longevity": ("longevity",),
    "sillage": ("sillage",),
    "size": ("size",),
    "concentration": ("concentration",),
    "suitability": ("gender", "seasons", "occasions"),
    "details": (),
    "comparison": (),
}
"""Each topic, and the facts that answer it."""
