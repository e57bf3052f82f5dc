"""Answers built from facts alone: what a turn says when no model's text can be used."""

from collections.abc import Sequence
from typing import Any, Final, cast

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.turn import CartAction
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.intent import Finish, Language
from shopping_agent.domain.money import format_money
from shopping_agent.domain.store import StorePack

MOST_CARDS: Final = 3
_LONGEST_QUOTE: Final = 600
_LIMITED: Final = frozenset({"out_of_stock", "cart_limit"})


class Summary:
    """Sentences from the store's phrases about what one turn observed and did."""

    def __init__(self, pack: StorePack, context: TurnContext, observed: Observations) -> None:
        self._pack = pack
        self._language: Language = context.language
        self._context = context
        self._observed = observed

    def answer(self, finish: Finish = "answered") -> str:
        """The whole answer: how the turn ended if not well, what was done, what was refused, what was found."""
        parts: list[str] = []
        if finish in ("deadline", "step_limit", "provider_unavailable"):
            parts.append(self._say(finish))
        body = self._body()
        if body:
            parts.append(body)
        if not self._observed.actions and (finish != "answered" or self._left_undone()):
            parts.append(self._say("cart_unchanged" if self._wants_change() else "try_again"))
        return "\n".join(parts) or f"{self._say('dont_know')} {self.contact()}"

    def changes(self) -> str:
        """What was changed, and the cart's total."""
        done = [self._done(a) for a in self._observed.actions if a.type != "clear"]
        return "\n".join([*done, self._total()])

    def contact(self) -> str:
        """How to reach a person."""
        contacts = self._pack.contacts
        return self._say(
            "contact",
            whatsapp=contacts.whatsapp,
            phone=contacts.phone,
            email=contacts.email,
            hours=self._pack.words(contacts.hours, self._language),
        )

    def dont_know(self) -> str:
        return f"{self._say('dont_know')} {self.contact()}"

    def which_product(self) -> str:
        return self._say("refusal.which_product")

    def refused(self) -> str:
        return self._say("refused")

    def courtesy(self) -> str:
        """The answer to a greeting, to thanks, or to a goodbye."""
        words = self._pack.vocabulary
        said = words.canonical("courtesy", [self._context.query.text])
        denied = self._context.query.denies
        for key in ("greeting", "bye", "thanks"):
            if key in said:
                return self._say(key, store=self._pack.name)
        return self._say("thanks" if denied else "greeting", store=self._pack.name)

    def sources(self, headings: Sequence[str]) -> str:
        return self._say("sources", sources=", ".join(headings))

    def refusal(self, error: JsonObject, call: JsonObject | None = None) -> str:
        """Why a change was refused, in the shopper's language, and what would work."""
        code = str(error.get("code", ""))
        key = f"refusal.{code}"
        if code in _LIMITED and error.get("limit"):
            key = f"{key}_limit"
        product = self._refused_product(call, error)
        values: dict[str, Any] = {
            "name": product.name if product else "",
            "price": self._price(product) if product else "",
            "budget": self._budget(),
            "limit": error.get("limit", ""),
        }
        try:
            return self._say(key, **values)
        except KeyError:
            return self._say("cart_unchanged")

    def products(self, products: Sequence[Product]) -> str:
        """A list of products with their live prices."""
        lines = [
            self._say("product" if p.in_stock else "product_out", name=p.name, price=self._price(p))
            for p in products
        ]
        return "\n".join([self._say("found"), *lines])

    # --- parts --------------------------------------------------------------------------------

    def _body(self) -> str:
        observed = self._observed
        parts = [self._done(action) for action in observed.actions if action.type != "clear"]
        if observed.actions or observed.checkout:
            parts.append(self._total())
        if observed.refusal is not None:
            parts.append(self.refusal(observed.refusal, observed.refused_call))
        if not parts and self._context.query.action == "view":
            parts += self._cart()
        if not parts and observed.found:
            parts.append(self.products(observed.in_search_order()[:MOST_CARDS]))
            parts += observed.counsel.lines if observed.counsel else ()
        if not parts and observed.why_not:
            parts += observed.why_not["lines"]
        if not parts and observed.passages:
            parts.append(_quote(observed.passages[0].text))
        if observed.contacted or (not parts and self._context.understanding.intent == "knowledge"):
            parts.append(self.contact())
        return "\n".join(parts)

    def _done(self, action: CartAction) -> str:
        name = self._sized(action.product_id or "")
        if action.type == "remove":
            return self._say("removed", name=name)
        if action.type == "update":
            return self._say("updated", name=name, quantity=action.quantity)
        line = self._observed.cart.line(action.product_id or "")
        price = self._money(line.unit_price) if line else ""
        return self._say("added", name=name, quantity=action.quantity, price=price)

    def _sized(self, product_id: str) -> str:
        """The name of a changed product, with its size where the name does not say it."""
        name = self._observed.written_names.get(product_id, "")
        product = self._observed.products.get(product_id)
        size = product.size_ml if product else None
        if size is None or str(size) in name:
            return name
        return self._pack.phrases.say(self._language, "product.sized", name=name, size=size)

    def _total(self) -> str:
        cart = self._observed.cart
        if not cart.items:
            return self._say("cart_empty")
        return self._say("total", total=self._money(cart.total))

    def _cart(self) -> list[str]:
        cart = self._observed.cart
        lines = [
            self._say(
                "cart_line", quantity=x.quantity, name=x.name, total=self._money(x.line_total)
            )
            for x in cart.items
        ]
        return [*lines, self._total()]

    def _left_undone(self) -> bool:
        """A change was asked for, and nothing says yet why there was none."""
        return self._wants_change() and not self._observed.refusal and not self._observed.checkout

    def _wants_change(self) -> bool:
        return self._context.query.action in ("add", "update", "remove", "clear")

    def _refused_product(self, call: JsonObject | None, error: JsonObject) -> Product | None:
        arguments = cast(JsonObject, (call or {}).get("arguments", {}))
        asked = arguments.get("productId", arguments.get("product_id", error.get("best")))
        return self._observed.products.get(str(asked))

    def _budget(self) -> str:
        query, currency = self._context.query, self._context.query.currency
        if query.max_price is None:
            return ""
        return format_money(query.max_price, currency or self._pack.currency, self._language)

    def _price(self, product: Product) -> str:
        price = product.price
        return format_money(price.at(self._observed.now), price.currency, self._language)

    def _money(self, amount: int) -> str:
        return format_money(amount, self._observed.cart.currency, self._language)

    def _say(self, key: str, **values: object) -> str:
        return self._pack.phrases.say(self._language, f"turn.{key}", **values)


def _quote(text: str) -> str:
    """The text, cut at a sentence when it is long."""
    if len(text) <= _LONGEST_QUOTE:
        return text
    cut = text[:_LONGEST_QUOTE]
    end = max(cut.rfind(mark) for mark in (". ", "! ", "? ", "؟ ", "\n"))
    return cut[: end + 1].strip() if end > 0 else f"{cut.strip()}…"
