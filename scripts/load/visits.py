"""What a shopper does on one visit: four kinds of it, in every language, with the cart that each must end with."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from scripts.load.shopper import Shopper, WrongAnswerError, quantities
from scripts.load.words import LANGUAGES, WISHES, Words

DEAREST: Final = 990
LOWEST_BUDGET: Final = 500
MOST_TOGETHER: Final = 3


@dataclass(frozen=True)
class Wish:
    """What a shopper wants, that the store has."""

    family: str
    season: str
    budget: int


class Shop:
    """The store's products as its catalog file says them."""

    def __init__(self, catalog: Path) -> None:
        lines = catalog.read_text(encoding="utf-8").splitlines()
        self.products: dict[str, Mapping[str, Any]] = {
            product["id"]: product for product in map(json.loads, lines)
        }
        self.plenty: Sequence[str] = [
            name for name, p in self.products.items() if (p.get("stock") or 0) >= MOST_TOGETHER
        ]

    def wish(self, chance: random.Random) -> Wish:
        """One that some product of which there is enough meets."""
        while True:
            budget = chance.randrange(LOWEST_BUDGET, DEAREST)
            wish = Wish(*chance.choice(WISHES), budget)
            affordable = (n for n in self.plenty if self.products[n]["price"] <= budget)
            if any(self.is_so(name, wish) for name in affordable):
                return wish

    def is_so(self, product_id: str, wish: Wish) -> bool:
        """Whether a product is of the family and for the season; what it costs today is on the cart's line."""
        product = self.products[product_id]
        described = (*product.get("families", ()), *product.get("accords", ()))
        return wish.season in product.get("seasons", ()) and any(
            wish.family in words for words in described
        )

    def stock(self, product_id: str) -> int:
        held = self.products[product_id].get("stock")
        return MOST_TOGETHER if held is None else int(held)


Visit = Callable[[Shopper, Words, Shop, random.Random], None]


def order(shopper: Shopper, words: Words, shop: Shop, chance: random.Random) -> None:
    """The flagship message, then more of it; now and then it is taken out again."""
    wish = shop.wish(chance)
    message = words.wish(words.flagship, wish.family, wish.season, wish.budget)
    reply = shopper.say("flagship", message, locale=words.locale)
    product_id = the_one(reply["cart"], wish, shop, message)
    shopper.cart = {product_id: 1}
    quantity = chance.choice([q for q in words.quantities if q <= shop.stock(product_id)] or [1])
    if quantity > 1:
        change(shopper, words, words.quantities[quantity], {product_id: quantity})
    if chance.random() < 0.5:
        change(shopper, words, words.remove, {})
    shopper.check_cart()


def the_one(cart: Mapping[str, Any], wish: Wish, shop: Shop, message: str) -> str:
    """The id of the one product that is in the cart once.

    Raises:
        WrongAnswerError: it is not what was wished for, or not alone.
    """
    lines = cart["items"]
    if (
        len(lines) == 1
        and lines[0]["quantity"] == 1
        and lines[0]["unitPrice"] <= wish.budget
        and shop.is_so(lines[0]["productId"], wish)
    ):
        return lines[0]["productId"]
    raise WrongAnswerError(f"{message!r}: the cart is {quantities(cart)}")


def browse(shopper: Shopper, words: Words, shop: Shop, chance: random.Random) -> None:
    """The page's search, then a wish and what goes on from it, then one of the products by the page's button."""
    wish = shop.wish(chance)
    words_of_search = quote(f"{words.families[wish.family]} {words.seasons[wish.season]}")
    shopper.read("listing", f"/api/v1/products?query={words_of_search}&limit=12")
    message = words.wish(words.search, wish.family, wish.season, wish.budget)
    found = shopper.ask("search", message, locale=words.locale)["products"]
    if not found or found[0]["price"] > wish.budget:
        raise WrongAnswerError(f"{message!r}: {[p['id'] for p in found]}")
    lower = chance.randrange(LOWEST_BUDGET - 100, wish.budget + 1)
    for refined in words.refine:
        shopper.ask("refine", refined.format(budget=lower), locale=words.locale)
    product_id = chance.choice(shop.plenty)
    shopper.read("product", f"/api/v1/products/{quote(product_id)}")
    shopper.put(product_id, chance.randrange(1, MOST_TOGETHER + 1))
    shopper.check_cart()


def question(shopper: Shopper, words: Words, shop: Shop, chance: random.Random) -> None:
    """Two questions about the store, and a product's page between them."""
    first, second = chance.sample(list(words.questions), 2)
    shopper.ask("knowledge", first, locale=words.locale)
    shopper.read("product", f"/api/v1/products/{quote(chance.choice(list(shop.products)))}")
    shopper.ask("knowledge", second, locale=words.locale)
    shopper.check_cart()


def cart(shopper: Shopper, words: Words, shop: Shop, chance: random.Random) -> None:
    """A cart that was filled on the page is changed by talking."""
    product_id = chance.choice(shop.plenty)
    shopper.put(product_id, 1)
    quantity = chance.choice(list(words.quantities))
    change(shopper, words, words.quantities[quantity], {product_id: quantity})
    if chance.random() < 0.5:
        change(shopper, words, words.remove, {})
    shopper.check_cart()


def change(shopper: Shopper, words: Words, message: str, after: dict[str, int]) -> None:
    reply = shopper.say("change", message, locale=words.locale)
    shopper.cart = after
    shopper.expect(reply["cart"], message)


VISITS: Final[Mapping[Visit, int]] = {order: 4, browse: 3, question: 3, cart: 2}
"""How often each comes."""


def visits(seed: str) -> Iterator[tuple[Visit, Words]]:
    """An endless mix of visits, the same for the same seed: what to do, and in which words."""
    chance = random.Random(seed)
    while True:
        [visit] = chance.choices(list(VISITS), weights=list(VISITS.values()))
        yield visit, LANGUAGES[_language(chance)]


def _language(chance: random.Random) -> str:
    # A quarter each; Darija in one of its scripts.
    language = chance.choice(("en", "fr", "ar", "ary"))
    return chance.choice(("ary", "ary-latn")) if language == "ary" else language
