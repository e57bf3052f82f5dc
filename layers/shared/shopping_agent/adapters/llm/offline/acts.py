"""What became of the planned cart changes, in words: done, refused and what would work, or asked."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.llm.offline import sizes
from shopping_agent.adapters.llm.offline.asking import Asking
from shopping_agent.adapters.llm.offline.basket import Basket
from shopping_agent.adapters.llm.offline.situation import Item, Outcome, Situation
from shopping_agent.adapters.llm.offline.steps import Plan, Step, observed
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.conversation import Choice, JsonObject

# Refusals that are a question to the shopper.
_ASKS: Final = frozenset({"which_product", "which_variant", "over_budget_confirm"})


class Acts:
    """Tells the outcome of a plan. `asks` and `choices` are what the reply has to carry."""

    def __init__(self, situation: Situation, wording: Wording) -> None:
        self._situation = situation
        self._words = wording
        self._basket = Basket(situation, wording)
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
            elif outcome.done:
                lines += self._done(step, outcome)
                done = done or step.tool not in ("clear_cart", "checkout")
            else:
                lines += self._refused(step, outcome)
        if done:
            lines.append(self._basket.total())
        for doubt in plan.doubts:
            asking = Asking(self._situation, self._words)
            lines += [line for line in asking.tell(doubt) if line not in lines]
            self.asks = self.asks or asking.asks
            self.choices = self.choices or asking.choices
        return lines

    # --- done -------------------------------------------------------------------------------------

    def _done(self, step: Step, outcome: Outcome) -> list[str]:
        if step.tool == "clear_cart":
            empty_before = not (self._situation.cart_before or {}).get("items")
            return [self._words.say("cart.already_empty" if empty_before else "cart.cleared")]
        if step.tool == "checkout":
            return [self._basket.total(), self._words.say("turn.checkout_ready")]
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
            return self._basket.checkout()
        return [self._words.say("refused.unavailable")]

    def _refused(self, step: Step, outcome: Outcome) -> list[str]:
        code = str(outcome.error.get("code", ""))
        options = cast(Sequence[JsonObject], outcome.error.get("choices") or ())
        if code in _ASKS:
            anyway = code == "over_budget_confirm" and self._words.say("turn.choice.add_anyway")
            self.asks = True
            self.choices = tuple(
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
        return sizes.bare_name(known.name) if code == "which_variant" else self._words.name(known)

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
