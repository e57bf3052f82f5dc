"""The default store's expert, products made for a term, and requests to both."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.recommendation_order import Selection, select
from shopping_agent.domain.recommendation_score import Option, Scoring

NOW = 1_000.0
# A product that meets the term: what its catalog row would say.
MADE_FOR: Mapping[str, Mapping[str, Any]] = {
    "strong": {"sillage": "heavy"},
    "heavy sillage": {"sillage": "enormous"},
    "intimate only": {"sillage": "intimate"},
    "long lasting": {"longevity": "very long"},
    "citrus": {"families": ("citrus",)},
    "aquatic": {"families": ("aquatic",)},
    "green": {"accords": ("green",)},
    "aromatic": {"notes": ("lavender", "sage")},
    "fresh": {"families": ("fresh",)},
    "floral": {"families": ("floral",)},
    "white floral": {"notes": ("orange blossom", "tuberose")},
    "fruity": {"notes": ("peach", "raspberry")},
    "woody": {"families": ("woody",)},
    "cedar": {"notes": ("cedar",)},
    "vetiver": {"notes": ("vetiver",)},
    "musk": {"notes": ("white musk",)},
    "light musk": {"notes": ("musk",), "sillage": "intimate"},
    "clean": {"accords": ("clean",)},
    "spicy": {"families": ("spicy",)},
    "cardamom": {"notes": ("cardamom",)},
    "cinnamon": {"notes": ("cinnamon",)},
    "pepper": {"notes": ("black pepper",)},
    "rose": {"notes": ("rose",)},
    "jasmine": {"notes": ("jasmine",)},
    "lily": {"notes": ("lily",)},
    "powdery": {"accords": ("powdery",)},
    "gourmand": {"families": ("gourmand",)},
    "sweet": {"accords": ("sweet",)},
    "very sweet": {"notes": ("caramel", "vanilla", "praline")},
    "moderately sweet": {"notes": ("honey",)},
    "vanilla": {"notes": ("vanilla",)},
    "tonka": {"notes": ("tonka bean",)},
    "benzoin": {"notes": ("benzoin",)},
    "sweet base notes": {"notes": ("sandalwood",)},
    "amber": {"families": ("amber",)},
    "oud": {"notes": ("oud",)},
    "oriental": {"families": ("oriental",)},
    "heavy oriental": {"families": ("amber",), "sillage": "heavy"},
    "heavy gourmand": {"families": ("gourmand",), "longevity": "very long"},
    "heavy amber": {"notes": ("amber",), "sillage": "enormous"},
    "resinous": {"notes": ("labdanum",)},
    "incense": {"notes": ("incense",)},
    "smoky": {"accords": ("smoky",)},
    "heavy incense": {"notes": ("incense",), "sillage": "heavy"},
    "leather": {"families": ("leather",)},
    "animalic": {"accords": ("animalic",)},
    "chypre": {"families": ("chypre",)},
    "fougere": {"families": ("fougere",)},
    "iso e super": {"notes": ("iso e super",)},
    "warm": {"accords": ("warm",)},
    "intimate": {"notes": ("vanilla",), "sillage": "moderate"},
    "sexy": {"notes": ("jasmine", "vanilla", "musk")},
    "elegant floral": {"families": ("floral",), "notes": ("iris",), "sillage": "moderate"},
    "very light": {"concentration": "eau de cologne"},
    "versatile": {"seasons": ("spring", "summer", "autumn"), "sillage": "moderate"},
    "niche": {"notes": ("saffron", "leather")},
    "light concentration": {"concentration": "Eau de Toilette"},
    "rich concentration": {"concentration": "eau de parfum"},
    "small bottle": {"size_ml": 30},
    "for women": {"gender": "women"},
    "for men": {"gender": "men"},
    "for everyone": {"gender": "unisex"},
    "made for spring": {"seasons": ("spring",)},
    "made for summer": {"seasons": ("summer",)},
    "made for autumn": {"seasons": ("autumn",)},
    "made for winter": {"seasons": ("winter",)},
    "made for all seasons": {"seasons": ("spring", "summer", "autumn", "winter")},
    "made for work": {"occasions": ("work",)},
    "made for weddings": {"occasions": ("wedding",)},
    "made as a gift": {"occasions": ("birthday",)},
    "made for dates": {"occasions": ("date",)},
    "made for parties": {"occasions": ("party",)},
    "made for evenings": {"occasions": ("evening",)},
    "made for sport": {"occasions": ("sport",)},
    "made for every day": {"occasions": ("everyday",)},
    "made for eid": {"occasions": ("eid",)},
    "made for ramadan": {"occasions": ("ramadan",)},
    "made for travel": {"occasions": ("travel",)},
}

MakeProduct = Callable[..., Product]
Choose = Callable[..., Selection]


def make_product(key: str = "plain", price: int = 500, **facts: Any) -> Product:
    notes = facts.pop("notes", ())
    known: dict[str, Any] = {"stock": 9, **facts}
    return Product(
        id=key,
        name=known.pop("name", f"No {sum(map(ord, key))}"),
        price=PriceTag(price * 100, "MAD"),
        notes=notes if isinstance(notes, Notes) else Notes(base=tuple(notes)),
        **known,
    )


@pytest.fixture(scope="session")
def expert() -> Expert:
    return load_expert("", load_store_pack().vocabulary)


@pytest.fixture(scope="session")
def product() -> MakeProduct:
    return make_product


@pytest.fixture(scope="session")
def made_for() -> MakeProduct:
    """A product that meets a term, and whatever else its facts happen to mean."""
    return lambda term, **more: make_product(term, **{**MADE_FOR[term], **more})


@pytest.fixture(scope="session")
def choose(expert: Expert) -> Choose:
    """The best of some products for a profile as a client sends it."""

    def choose_of(
        products: Sequence[Product],
        profile: Mapping[str, Any],
        *,
        budget: float | None = None,
        limit: int = 20,
    ) -> Selection:
        scoring = Scoring(expert.advise(expert.schema.parse(profile), budget), searched=False)
        options = [Option(one, expert.glossary.traits(one)) for one in products]
        return select(options, scoring, limit=limit, currency="MAD", now=NOW)

    return choose_of
