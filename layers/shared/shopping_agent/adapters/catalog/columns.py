"""Which column a header names: our own names and their ordinary English synonyms."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from shopping_agent.domain.text import fold

# Our column -> headers that name it, the better one first when a file has several.
_HEADERS: Final[Mapping[str, str]] = {
    "id": "id, product id, sku, reference, ref, item id, product code, item number, code",
    "name": "name, title, product name, product title, item name, product",
    "brand": "brand, vendor, manufacturer, house, brand name",
    "description": "description, body, body html, long description, details, product description, desc",
    "price": "price, regular price, unit price, list price, price incl tax",
    "salePrice": "sale price, special price, promo price, promotional price, discount price, discounted price",
    "saleFrom": "sale from, sale start, sale starts, sale start date, sale price start date, special from",
    "saleUntil": "sale until, sale to, sale end, sale ends, sale end date, sale price end date, special to",
    "currency": "currency, currency code, price currency",
    "stock": "stock, quantity, qty, inventory, stock quantity, in stock quantity, on hand",
    "availability": "availability, stock status, in stock",
    "url": "url, link, product url, permalink, web address",
    "imageUrl": "image url, image, image link, image src, images, picture, photo, main image, thumbnail",
    "gender": "gender, sex, target gender",
    "families": "families, family, scent family, scent families, fragrance family, olfactive family, olfactory family",
    "notes": "notes, scent notes, fragrance notes",
    "notesTop": "notes top, top notes, top note, head notes, top",
    "notesHeart": "notes heart, heart notes, heart note, middle notes, middle note, heart, middle",
    "notesBase": "notes base, base notes, base note, base, dry down",
    "accords": "accords, accord, main accords",
    "concentration": "concentration, strength",
    "sillage": "sillage, projection",
    "longevity": "longevity, lasting",
    "seasons": "seasons, season",
    "occasions": "occasions, occasion",
    "sizeMl": "size ml, size, volume, volume ml, capacity, bottle size, contents, ml",
    "variantOf": "variant of, parent id, item group id, parent, group id",
    "options": "options, variant options",
    "checkoutId": "checkout id, variant id, shopify variant id",
    "tags": "tags, categories, category, product category, product type, collections, labels",
}


@lru_cache(maxsize=4096)
def header_key(header: str) -> str:
    """A header without case, accents, spaces and punctuation."""
    return "".join(c for c in fold(header) if c.isalnum())


_COLUMN_OF: Final = {
    header_key(header): (column, rank)
    for column, headers in _HEADERS.items()
    for rank, header in enumerate(headers.split(","))
}


def columns_of(headers: Iterable[str]) -> dict[str, int]:
    """Our columns -> position of the header that names each best."""
    best: dict[str, tuple[int, int]] = {}
    for position, header in enumerate(headers):
        column, rank = _COLUMN_OF.get(header_key(header), ("", 0))
        if column and (column not in best or rank < best[column][0]):
            best[column] = (rank, position)
    return {column: position for column, (_, position) in best.items()}
