"""A turn that another model began: what it changed stands for the step that would have changed the same."""

from dataclasses import replace

from shopping_agent.adapters.llm.offline.situation import Outcome, Situation
from shopping_agent.adapters.llm.offline.steps import Plan, Step, observed


def taken_over(plan: Plan, situation: Situation) -> Plan:
    """The plan with each step that was carried out in other words as it was carried out, so that it is not made again."""
    others = [o for o in situation.outcomes if o.done and not _planned(o, plan, situation)]
    if not others:
        return plan
    made: dict[int, Step] = {}
    for step in plan.changes:
        if observed(step, situation) is None:
            outcome = next((o for o in others if _stands_for(o, step, plan, situation)), None)
            if outcome is not None:
                others.remove(outcome)
                made[id(step)] = _as_made(step, outcome, situation)
    steps = [made.get(id(step), step) for step in plan.steps]
    return replace(plan, steps=tuple(_after_made(step, made) for step in steps))


def _planned(outcome: Outcome, plan: Plan, situation: Situation) -> bool:
    return any(observed(step, situation) is outcome for step in plan.steps)


def _stands_for(outcome: Outcome, step: Step, plan: Plan, situation: Situation) -> bool:
    """Whether a change had the effect of a step: on its product, or on the one chosen where the choice was left to us."""
    wanted, changed = step.arguments.get("productId"), outcome.call.arguments.get("productId")
    if not wanted or not changed:
        return False
    if wanted == changed:
        return _has_effect(step, str(wanted), situation)
    elsewhere = {s.arguments.get("productId") for s in plan.changes}
    chosen = outcome.call.name == step.tool == "add_to_cart" and changed not in elsewhere
    return step.delegated and chosen


def _has_effect(step: Step, product_id: str, situation: Situation) -> bool:
    before = situation.held(product_id)
    now = situation.held(product_id, before=False)
    quantity = step.arguments.get("quantity", 1)
    match step.tool:
        case "add_to_cart":
            return now - before >= quantity
        case "update_cart_item":
            return now == quantity
        case _:
            return now == 0


def _as_made(step: Step, outcome: Outcome, situation: Situation) -> Step:
    arguments = outcome.call.arguments
    item = situation.item(str(arguments.get("productId"))) or step.item
    return replace(step, tool=outcome.call.name, arguments=arguments, item=item)


def _after_made(step: Step, made: dict[int, Step]) -> Step:
    """The step, waiting for what was made in the place of what it waited for."""
    return step if step.after is None else replace(step, after=made.get(id(step.after), step.after))
