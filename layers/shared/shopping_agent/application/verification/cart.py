"""Claims about the cart: what was changed, what lies in it, that it is empty."""

from collections.abc import Iterator
from typing import Final

from shopping_agent.application.claims import (
    CLAUSE,
    changes_claimed,
    claims_held,
    may_claim_change,
    names_in,
)
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Names, Said
from shopping_agent.application.verification.wording import says

_OF_CARTS: Final = ("in_cart", "ordered", "empty")
_ADDS: Final = ("add", "update")


def check(said: Said, facts: Facts, names: Names) -> Iterator[Fault]:
    """The faults of what a sentence says of the cart."""
    text = said.text
    if not (may_claim_change(text) or any(says(kind, text) for kind in _OF_CARTS)):
        return
    for clause in CLAUSE.split(text):
        meant = frozenset(i for n in names_in(clause, names) for i in n.ids)
        whole = said.text if said.asks else clause
        for kind in changes_claimed(whole):
            if not _was_done(kind, clause, meant, facts):
                yield Fault("change", _changes(facts))
        if claims_held(whole) and not _is_held(meant or said.named, facts):
            yield Fault("cart", _changes(facts))
        if says("ordered", clause) and not _open(clause, said):
            yield Fault(
                "change", "orders are placed by the shopper at the checkout; " + _changes(facts)
            )
        if (
            says("in_cart", clause)
            and meant
            and not _open(clause, said)
            and not _is_held(meant, facts)
        ):
            yield Fault("cart", _changes(facts))
    if said.is_open():
        return
    if says("empty", said.text) and not says("negation", said.text) and facts.observed.cart.items:
        yield Fault("cart", _changes(facts))


def _open(clause: str, said: Said) -> bool:
    """Whether a clause asks, imagines, denies, or says what was taken out."""
    kinds = ("imagined", "negation", "taken_out", "past", "offered")
    return said.asks or any(says(kind, clause) for kind in kinds) or says("imagined", said.text)


def _was_done(kind: str, clause: str, meant: frozenset[str], facts: Facts) -> bool:
    observed = facts.observed
    kinds = {"remove": ("remove", "clear", "update"), "clear": ("clear", "remove")}.get(kind, _ADDS)
    done = [a for a in observed.actions if a.type in kinds]
    if kind == "clear":
        return bool(done) and not observed.cart.items
    touched = {a.product_id for a in done}
    if done and (not meant or None in touched or meant & touched):
        return True
    return kind == "add" and says("already", clause) and any(facts.in_cart(i) for i in meant)


def _is_held(meant: frozenset[str], facts: Facts) -> bool:
    """Whether what a sentence says is in the cart is there; without a name it is what the shopper wants added."""
    if not meant and facts.context.query.action == "add":
        wanted = facts.context.named_ids
        return any(facts.in_cart(i) for i in wanted) if wanted else bool(facts.observed.cart.items)
    if not meant:
        return bool(facts.observed.cart.items)
    families = {facts.family(i) for i in meant}
    return families <= {facts.family(i) for i in meant if facts.in_cart(i)}


def _changes(facts: Facts) -> str:
    done = [f"{a.type} {a.product_id or ''} {a.quantity}".strip() for a in facts.observed.actions]
    items = ", ".join(f"{x.quantity} {x.name}" for x in facts.observed.cart.items) or "nothing"
    return f"changes made this turn: {', '.join(done) or 'none'}; the cart now holds {items}"
