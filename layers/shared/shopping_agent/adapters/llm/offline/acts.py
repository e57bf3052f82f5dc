"""What became of the planned cart changes, in words: done, refused and what would work, or asked."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.llm.offline import targets
from shopping_agent.adapters.llm.offline.situation import Item, Outcome, Situation
from shopping_agent.adapters.llm.offline.steps import Plan, Step, observed
from shopping_agent.adapters.llm.offline.targets import Target
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.conversation import Choice, JsonObject

# Refusals that are a question to the shopper.
_ASKS: Final = frozenset({"which_product", "which_variant", "over_budget_confirm"})
_DOUBTS: Final[Mapping[str, str]] = {
    "which_product": "turn.refusal.which_product",
    "nothing_meant": "ask.nothing_meant",
    "swap": "ask.swap",
}


class Acts:
    """Tells the outcome of a plan. `asks` and `choices` are what the reply has to carry."""

    def __init__(self, situation: Situation, wording: Wording) -> None:
        self._situation = situation
        self._words = wording
        self.asks = False
        self.choices: tuple[Choice, ...] = ()

    def tell(self, plan: Plan) -> list[str]:
        """The lines about a plan's changes and doubts."""
        if plan.denied:
            return [self._words.say("cart.denied")]
        lines: list[str] = []
        done = False
        for step in plan.changes:
            outcome = observed(step, self._situation)
            if outcome is None:
                lines += self._not_made(step)
            elif outcome.ok:
                lines += self._done(step, outcome)
                done = done or step.tool not in ("clear_cart", "checkout")
            else:
                lines += self._refused(step, outcome)
        if done:
            lines.append(self.total())
        for doubt in plan.doubts:
            lines += self._ask(doubt)
        return lines

    def total(self) -> str:
        """The cart's total as it now is."""
        cart = self._situation.cart or {}
        if not cart.get("items"):
            return self._words.say("turn.cart_empty")
        currency = str(cart.get("currency") or self._situation.currency)
        return self._words.say("turn.total", total=self._words.amount(cart["total"], currency))

    def cart(self) -> list[str]:
        """The cart line by line, with what changed since, and its total."""
        cart = self._situation.cart
        if cart is None:
            return [self._words.say("refused.not_looked_up")]
        lines = cast(Sequence[JsonObject], cart.get("items") or ())
        if not lines:
            return [self._words.say("turn.cart_empty")]
        currency = str(cart.get("currency") or self._situation.currency)
        return [
            self._words.say("cart.header"),
            *(self._line(line, currency) for line in lines),
            self.total(),
        ]

    def checkout(self) -> list[str]:
        """Where to check out; the total first."""
        if not (self._situation.cart or {}).get("items"):
            return [self._words.say("turn.cart_empty"), self._words.say("cart.checkout_empty")]
        return [self.total(), self._words.say("cart.checkout")]

    # --- done -------------------------------------------------------------------------------------

    def _line(self, line: JsonObject, currency: str) -> str:
        text = self._words.say(
            "turn.cart_line",
            quantity=line["quantity"],
            name=line["name"],
            total=self._words.amount(line["lineTotal"], currency),
        )
        notice = line.get("notice")
        return f"{text} ({self._words.say(f'cart.notice.{notice}')})" if notice else text

    def _done(self, step: Step, outcome: Outcome) -> list[str]:
        if step.tool == "clear_cart":
            empty_before = not (self._situation.cart_before or {}).get("items")
            return [self._words.say("cart.already_empty" if empty_before else "cart.cleared")]
        if step.tool == "checkout":
            url = outcome.content.get("url")
            link = [self._words.say("cart.checkout_link", url=url)] if url else []
            return [self.total(), *(link or [self._words.say("cart.checkout")])]
        name = self._name(step, outcome)
        if step.tool == "remove_from_cart" or step.arguments.get("quantity") == 0:
            return [self._words.say("turn.removed", name=name)]
        quantity = outcome.content.get("quantity", step.arguments.get("quantity"))
        if step.tool == "update_cart_item":
            return [self._words.say("turn.updated", name=name, quantity=quantity)]
        price = self._unit_price(step, outcome)
        added = self._words.say("turn.added", quantity=quantity, name=name, price=price)
        reasons = self._words.reasons(step.item) if step.delegated and step.item else []
        if reasons and self._budget():
            reasons.append(self._words.say("fit.within", budget=self._budget()))
        why = self._words.say("added.why", why=self._words.listed(reasons)) if reasons else ""
        return [added, *([why] if why else [])]

    def _name(self, step: Step, outcome: Outcome) -> str:
        known = self._situation.item(str(step.arguments.get("productId"))) or step.item
        return self._words.name(known) if known else str(outcome.content.get("name", ""))

    def _unit_price(self, step: Step, outcome: Outcome) -> str:
        """The live price that the cart itself states."""
        cart = cast(Mapping[str, Any], outcome.content.get("cart") or {})
        currency = str(cart.get("currency") or self._situation.currency)
        for line in cast(Sequence[JsonObject], cart.get("items") or ()):
            if line.get("productId") == step.arguments.get("productId"):
                return self._words.amount(line["unitPrice"], currency)
        return self._words.price(step.item) if step.item else ""

    # --- refused ----------------------------------------------------------------------------------

    def _not_made(self, step: Step) -> list[str]:
        if step.after is not None:
            return []  # its condition failed, and that was said
        if step.tool == "checkout":
            return self.checkout()
        return [self._words.say("refused.unavailable")]

    def _refused(self, step: Step, outcome: Outcome) -> list[str]:
        code = str(outcome.error.get("code", ""))
        options = cast(Sequence[JsonObject], outcome.error.get("choices") or ())
        if code in _ASKS:
            anyway = code == "over_budget_confirm" and self._words.say("turn.choice.add_anyway")
            self._offer(
                [
                    Choice(anyway or str(o.get("label", "")), str(o.get("productId", "")))
                    for o in options
                ]
            )
        key = self._refusal_key(code, outcome)
        item = self._situation.item(str(step.arguments.get("productId"))) or step.item
        lines = [
            self._words.say(
                key,
                name=self._refused_name(code, step, item),
                price=self._words.price(item) if item else "",
                limit=outcome.error.get("limit", ""),
                budget=self._budget(),
            )
        ]
        if code in ("out_of_stock", "constraint_violated", "not_the_best"):
            lines += self._instead(item)
        return lines

    def _refusal_key(self, code: str, outcome: Outcome) -> str:
        key = f"turn.refusal.{code}"
        if outcome.error.get("limit") and self._words.says(f"{key}_limit"):
            return f"{key}_limit"
        return key if self._words.says(key) else "refused.unavailable"

    def _refused_name(self, code: str, step: Step, item: Item | None) -> str:
        known = item or step.item
        if known is None:
            return ""
        return targets.bare_name(known.name) if code == "which_variant" else self._words.name(known)

    def _budget(self) -> str:
        query = self._situation.query
        if query.max_price is None:
            return ""
        return self._words.money(query.max_price, query.currency or self._situation.currency)

    def _instead(self, refused: Item | None) -> list[str]:
        """Up to two other products of the search that are in stock."""
        others = [
            item
            for item in self._situation.found
            if item.in_stock and (refused is None or item.id != refused.id)
        ][:2]
        if not others:
            return []
        self.choices = self.choices or tuple(Choice(item.name, item.id) for item in others)
        return [
            self._words.say("refused.would_work"),
            *(
                self._words.say(
                    "turn.product", name=self._words.name(i), price=self._words.price(i)
                )
                for i in others
            ),
        ]

    # --- asked ------------------------------------------------------------------------------------

    def _offer(self, choices: Sequence[Choice]) -> None:
        self.asks = True
        self.choices = tuple(choices)

    def _ask(self, doubt: Target) -> list[str]:
        if doubt.doubt == "not_in_cart":
            return self._not_in_cart(doubt)
        if doubt.doubt == "unknown":
            return self._unknown(doubt)
        if doubt.doubt == "none_fits":
            return [self._words.say("refused.none_fits"), *self._nearest(doubt.choices)]
        self._offer([Choice(self._words.name(item), item.id) for item in doubt.choices])
        if doubt.doubt == "which_size":
            return [self._which_size(doubt)]
        if doubt.doubt == "which_product" and len(doubt.choices) == 1:
            return [self._words.say("ask.add_it", name=self._words.name(doubt.choices[0]))]
        if doubt.doubt == "how_many":
            return [self._words.say("ask.quantity", name=doubt.name)]
        if doubt.doubt == "which_product" and self._situation.query.action in ("remove", "update"):
            return [self._words.say("ask.which_line")]
        if doubt.doubt == "which_product" and self._situation.query.wishes():
            return [self._words.say("ask.which_of_these"), *self._priced(doubt.choices)]
        return [self._words.say(_DOUBTS.get(doubt.doubt, "ask.nothing_meant"))]

    def _which_size(self, doubt: Target) -> str:
        name = targets.bare_name(doubt.choices[0].name)
        size = self._situation.query.size_ml
        if size is not None and all(targets.size_of(c) != size for c in doubt.choices):
            return self._words.say("ask.no_such_size", name=name, size=size)
        return self._words.say("turn.refusal.which_variant", name=name)

    def _not_in_cart(self, doubt: Target) -> list[str]:
        lines = (self._situation.cart or {}).get("items")
        if not lines:
            return [self._words.say("turn.cart_empty")]
        first = self._words.say("refused.not_in_cart", name=doubt.name) if doubt.name else ""
        return [*([first] if first else []), *self.cart()]

    def _unknown(self, doubt: Target) -> list[str]:
        if self._lookup_failed():
            return [self._words.say("refused.not_looked_up")]
        first = self._words.say("refused.unknown_name", name=doubt.name)
        return [first, *self._nearest(self._situation.found[:2])]

    def _lookup_failed(self) -> bool:
        searches = [o for o in self._situation.outcomes if o.call.name == "search_products"]
        return bool(searches) and not any(o.ok for o in searches)

    def _nearest(self, items: Sequence[Item]) -> list[str]:
        if self._lookup_failed():
            return [self._words.say("refused.not_looked_up")]
        if not items:
            return []
        self.choices = tuple(Choice(item.name, item.id) for item in items if item.in_stock)
        return [self._words.say("refused.would_work"), *self._priced(items)]

    def _priced(self, items: Sequence[Item]) -> list[str]:
        return [
            self._words.say(
                "turn.product" if item.in_stock else "turn.product_out",
                name=self._words.name(item),
                price=self._words.price(item),
            )
            for item in items
        ]
