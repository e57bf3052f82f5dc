"""From a situation to what should happen: cart changes, look-ups, or a question. A plan is derived anew for every
model call from the same facts, so that what was already observed is never done twice.
"""

from collections.abc import Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.llm.offline import targets
from shopping_agent.adapters.llm.offline.pending import agreed, settle
from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.steps import Plan, Step, observed, search
from shopping_agent.adapters.llm.offline.targets import Target
from shopping_agent.domain.evidence_terms import without_names
from shopping_agent.domain.query import ProductReference
from shopping_agent.domain.text import name_key
from shopping_agent.domain.vocabulary import Vocabulary, phrase_words

CHANGES: Final = ("add", "update", "remove", "clear")


def make_plan(situation: Situation, vocabulary: Vocabulary) -> Plan:
    """The plan of a situation: an answer to our open question, else the cart changes that the message asks for."""
    settled = settle(situation)
    if settled is not None:
        return settled
    action = situation.query.action
    if action == "clear":
        return Plan((Step("clear_cart", {}),))
    if action == "checkout":
        return Plan((Step("checkout", {}),)) if situation.cart_items() else Plan()
    if action not in CHANGES:
        return (agreed(situation) if action == "none" else None) or Plan()
    swap = _swap(situation, vocabulary)
    if swap is not None:
        return swap
    references = _distinct(situation)
    if not references:
        meant = targets.to_add if action == "add" else targets.to_change
        return _plan_of([(meant(situation), situation.query.quantity)], situation, action)
    return _plan_of(
        [
            (_named(situation, r.name, action), _quantity_of(situation, r, len(references)))
            for r in references
        ],
        situation,
        action,
    )


def _distinct(situation: Situation) -> list[ProductReference]:
    """The names in the message, one for each product, in their order."""
    query = situation.query
    references = sorted(query.references, key=lambda r: r.start)
    if not references and query.product_name:
        references = [ProductReference(query.product_name, 0, 0)]
    return list({name_key(r.name): r for r in reversed(references)}.values())[::-1]


def _named(situation: Situation, name: str, action: str) -> Target:
    if action == "add":
        return targets.named(situation, name)
    target = targets.named(situation, name, among=situation.cart_items())
    return Target(doubt="not_in_cart", name=name) if target.doubt == "unknown" else target


def _quantity_of(situation: Situation, reference: ProductReference, references: int) -> int | None:
    """The quantity of one name: a figure right before or after it, else the message's if it is the only name."""
    if references == 1:
        return situation.query.quantity
    text = situation.query.text
    before = text[: reference.start].rstrip(" x×*").rsplit(maxsplit=1)
    after = text[reference.end :].lstrip().split(maxsplit=1)
    figure = before[-1] if before and before[-1].isdigit() else ""
    if not figure and after and after[0].lower().lstrip("x×*") != after[0].lower():
        figure = after[0].lower().lstrip("x×*").rstrip(",.;")
    return int(figure) if figure.isdigit() and len(figure) <= 3 else None


def _plan_of(
    wanted: Sequence[tuple[Target, int | None]], situation: Situation, action: str
) -> Plan:
    steps: list[Step] = []
    doubts: list[Target] = []
    for target, quantity in wanted:
        if target.doubt == "look_up":
            look = search(situation, target.name)
            if look.tool in situation.tools and observed(look, situation) is None:
                steps.append(look)
            else:
                doubts.append(
                    Target(doubt="unknown" if target.name else "none_fits", name=target.name)
                )
        elif target.item is None or target.doubt:
            doubts.append(target)
        else:
            step = _change(action, target, quantity)
            if step is None:
                doubts.append(
                    Target(doubt="how_many", name=target.item.name, choices=(target.item,))
                )
            else:
                steps.append(step)
    return Plan(tuple(steps), tuple(doubts))


def _change(action: str, target: Target, quantity: int | None) -> Step | None:
    """The call for one change; None when an update does not say how many."""
    item = cast(Item, target.item)
    if action == "add":
        arguments: dict[str, Any] = {"productId": item.id, "quantity": quantity or 1}
        return Step("add_to_cart", arguments, item, delegated=target.delegated)
    if action == "update":
        if quantity is None:
            return None
        return Step("update_cart_item", {"productId": item.id, "quantity": quantity}, item)
    return Step("remove_from_cart", {"productId": item.id}, item)


def _swap(situation: Situation, vocabulary: Vocabulary) -> Plan | None:
    """One product out, another in: the one in the cart leaves once the other one is in."""
    query = situation.query
    references = _distinct(situation)
    if len(references) != 2 or not _speaks_of_swap(situation, vocabulary):
        return None
    held = [(r, _named(situation, r.name, "remove")) for r in references]
    leaving = [(r, t) for r, t in held if t.doubt != "not_in_cart"]
    if not leaving:
        return Plan(doubts=(held[0][1],))
    if len(leaving) != 1:
        return Plan(doubts=(Target(doubt="swap"),))
    coming = next(r for r in references if r is not leaving[0][0])
    target = targets.named(situation, coming.name)
    if target.item is None or leaving[0][1].item is None:
        wanted = [(t, query.quantity) for t in (target, leaving[0][1]) if t.item is None]
        return _plan_of(wanted, situation, "add")
    add = cast(Step, _change("add", target, query.quantity))
    return Plan(
        (
            add,
            Step(
                "remove_from_cart",
                {"productId": leaving[0][1].item.id},
                leaving[0][1].item,
                after=add,
            ),
        )
    )


def _speaks_of_swap(situation: Situation, vocabulary: Vocabulary) -> bool:
    """Whether one thing shall go and another one come: "replace", "take X out and add", "instead of"."""
    query = situation.query
    verbs = {
        match.concept
        for match in vocabulary.find(
            [vocabulary.forms_of(w) for w in phrase_words(without_names(query))]
        )
        if match.kind == "action"
    }
    return (
        "swap" in verbs
        or ("remove" in verbs and bool(verbs & {"add", "put", "take"}))
        or (query.quantity is None and (query.action == "update" or "change" in verbs))
    )
