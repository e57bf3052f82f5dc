"""Steps and plans: calls to make, in which order, under which condition, and which of them are due now."""

from typing import Any, Final

from shopping_agent.adapters.llm.offline.situation import Item, Outcome, Situation
from shopping_agent.adapters.llm.offline.targets import Target
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.money import to_major
from shopping_agent.domain.values import frozen


@frozen
class Step:
    """A tool call to make.

    Attributes:
        item: the product it is about.
        after: a step that must have succeeded first.
        delegated: the choice of the product was left to us.
    """

    tool: str
    arguments: JsonObject
    item: Item | None = None
    after: "Step | None" = None
    delegated: bool = False


@frozen
class Plan:
    """What should happen.

    Attributes:
        steps: calls in their order.
        doubts: why a change is not certain; it is asked about, and not made.
        denied: the shopper said no to what we asked.
    """

    steps: tuple[Step, ...] = ()
    doubts: tuple[Target, ...] = ()
    denied: bool = False

    @property
    def changes(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.tool in _WRITES)


_WRITES: Final = ("add_to_cart", "update_cart_item", "remove_from_cart", "clear_cart", "checkout")
# Refusals that name the product to take instead: what was left to us is tried once more with it.
_SENT_BACK: Final = ("not_the_best", "constraint_violated")


def next_steps(plan: Plan, situation: Situation) -> list[Step]:
    """The calls to propose now: not yet made, offered, and not waiting for one that failed."""
    ready: list[Step] = []
    for step in plan.steps:
        if step.tool not in situation.tools or observed(step, situation) is not None:
            continue
        if step.after is not None:
            before = observed(step.after, situation)
            if before is None or not before.done:
                continue
        ready.append(step)
    return ready


def observed(step: Step, situation: Situation) -> Outcome | None:
    return situation.outcome(step.tool, step.arguments)


def corrected(plan: Plan, situation: Situation) -> Step | None:
    """The step that a refusal names instead ("the best is X"), once, for a choice that was left to us."""
    for step in plan.steps:
        outcome = observed(step, situation)
        if outcome is None or outcome.ok or not step.delegated:
            continue
        best = str(outcome.error.get("best") or "")
        item = situation.item(best)
        if outcome.error.get("code") in _SENT_BACK and item is not None:
            return Step(step.tool, {**step.arguments, "productId": best}, item)
    return None


def search(situation: Situation, name: str = "") -> Step:
    """A product search with the message's constraints, as far as the tool takes them; by name alone for a name."""
    query = situation.query
    arguments: dict[str, Any] = {"query": name or query.text[:400]}
    if not name:
        foreign = query.currency not in (None, situation.currency)
        bounds = {"minPrice": query.min_price, "maxPrice": query.max_price}
        arguments |= {
            k: to_major(v, situation.currency)
            for k, v in bounds.items()
            if v is not None and not foreign
        }
        arguments |= {
            "gender": query.gender,
            "notes": [*query.notes, *query.families],
            "excludeNotes": list(query.exclude_notes),
        }
    spec = situation.tools.get("search_products")
    takes = set(spec.parameters.get("properties", {})) if spec else set(arguments)
    return Step(
        "search_products",
        {k: v for k, v in arguments.items() if v not in (None, []) and k in takes},
    )
