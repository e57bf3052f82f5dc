"""Products as lossless JSON, amounts in minor units: what the index payload and staging files hold."""

from collections.abc import Mapping
from typing import Any

from shopping_agent.domain.catalog import Notes, PriceTag, Product


def product_document(product: Product) -> dict[str, Any]:
    """A product as JSON; `product_from_document` is the inverse."""
    return {
        "id": product.id,
        "name": product.name,
        "brand": product.brand,
        "description": product.description,
        "price": price_document(product.price),
        "stock": product.stock,
        "url": product.url,
        "imageUrl": product.image_url,
        "gender": product.gender,
        "families": list(product.families),
        "notes": [list(product.notes.top), list(product.notes.heart), list(product.notes.base)],
        "accords": list(product.accords),
        "concentration": product.concentration,
        "sillage": product.sillage,
        "longevity": product.longevity,
        "seasons": list(product.seasons),
        "occasions": list(product.occasions),
        "sizeMl": product.size_ml,
        "variantOf": product.variant_of,
        "options": dict(product.options),
        # Only where there is one: what was ingested before keeps its content hash.
        **({"checkoutId": product.checkout_id} if product.checkout_id else {}),
    }


def product_from_document(document: Mapping[str, Any]) -> Product:
    """The product of a `product_document`."""
    top, heart, base = document["notes"]
    return Product(
        id=document["id"],
        name=document["name"],
        brand=document["brand"],
        description=document["description"],
        price=price_from_document(document["price"]),
        stock=document["stock"],
        url=document["url"],
        image_url=document["imageUrl"],
        gender=document["gender"],
        families=tuple(document["families"]),
        notes=Notes(tuple(top), tuple(heart), tuple(base)),
        accords=tuple(document["accords"]),
        concentration=document["concentration"],
        sillage=document["sillage"],
        longevity=document["longevity"],
        seasons=tuple(document["seasons"]),
        occasions=tuple(document["occasions"]),
        size_ml=document["sizeMl"],
        variant_of=document["variantOf"],
        options=dict(document["options"]),
        checkout_id=document.get("checkoutId", ""),
    )


def price_document(price: PriceTag) -> dict[str, Any]:
    """A price tag as JSON, amounts in minor units."""
    return {
        "regular": price.regular,
        "currency": price.currency,
        "sale": price.sale,
        "saleFrom": price.sale_from,
        "saleUntil": price.sale_until,
    }


def price_from_document(document: Mapping[str, Any]) -> PriceTag:
    """The price tag of a `price_document`."""
    return PriceTag(
        regular=document["regular"],
        currency=document["currency"],
        sale=document["sale"],
        sale_from=document["saleFrom"],
        sale_until=document["saleUntil"],
    )
