"""Claims about what the cart holds: a list of it, how many pieces, that it is empty, that something is in it."""

import re
from collections.abc import Iterator
from typing import Final

from shopping_agent.application.claims import CLAUSE
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.policies import INTERJECTION
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.quoting import MAX_LINES, MAX_PER_LINE, MAX_PIECES
from shopping_agent.domain.text import fold

_YOU_HAVE: Final = re.compile(
    r"\b(?:you(?:'ve| have)|vous (?:en )?avez|tu (?:en )?as|3nde?k|3andek|fih\w?|kayn\w*)\b|(?<!\w)(?:لديك|عندك|معك|فيها|كاين\w*)(?!\w)"
)
_NOTHING: Final = re.compile(
    r"\b(?:nothing|no (?:items?|products?|articles?|perfumes?)|rien|aucun (?:article|produit|parfum)|walou?)\b|(?<!\w)(?:والو|اي (?:منتج|شيء|شيي|عطر)|شي حاجه|حتي حاجه|حتي منتوج)(?!\w)"
)
_EMPTY: Final = re.compile(
    r"\b(?:empty|emptied|vides?|khaw[iy]\w*|khawya)\b|(?<!\w)(?:فارغه?|خاوي\w*|خالي\w*)(?!\w)"
)
_INSIDE: Final = re.compile(
    r"\b(?:left|remains?) (?:in there|in it|inside|there)\b|\ball gone\b|\b(?:il n'y a|ne reste) plus rien\b|\bma b9a (?:fih )?walou?\b|(?<!\w)ما بقا (?:فيها )?والو"
)
_CHANGES: Final = re.compile(
    r"\b(?:add\w*|chang\w*|touch\w*|put|modif\w*|ajout\w*|mis|z[ae]d\w*|tz[ae]d\w*|be?dd?e?l\w*|tbe?dd?e?l\w*|save\w*|reserv\w*|on sale|promo\w*|discount\w*)\b|(?<!\w)\w*(?:ضاف|اضف|زدت|زاد|بدل|غير|تغيير|حطيت)\w*"
)
_LEFT: Final = re.compile(
    r"\b(?:has left|have left|is gone|are gone|is out of|no longer|isn't|is not|not in|removed|taken out|n'est plus|ne sont plus|a quitte|ont quitte|retiree?s?|sortie?s?|mcha\w*|khrej\w*|ma b9a\w*)\b|(?<!\w)(?:خرج\w*|غادر\w*|مشا\w*|لم يعد|لم تعد|ما بقا\w*|مابقا\w*|ليس)(?!\w)"
)
_NOW: Final = re.compile(
    r"\b(?:now|already|waiting|safely|maintenant|desormais|deja|attend\w*|daba|rah\w*|wella\w*)\b|(?<!\w)(?:الان|اصبح\w*|صار\w*|بات\w*|دابا|راه\w*|ولات?|ها هي|ها هو)(?!\w)"
)
_OPEN: Final = ("imagined", "offered", "taken_out", "past")
_CAPS: Final = frozenset({MAX_PER_LINE, MAX_LINES, MAX_PIECES})


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence."""
    if said.asks:
        return
    if said.listed:
        yield from _listed(said, facts)
    if not _is_about_cart(said, facts):
        return
    yield from _counts(said, facts)
    for clause in CLAUSE.split(INTERJECTION.sub(" ", said.text)):
        if _says_gone(clause, said, facts):
            yield Fault("cart", _cart(facts))
        empty = _says_empty(clause, facts) and bool(facts.observed.cart.items)
        if empty or _says_held(clause, said, facts):
            yield Fault("cart", _cart(facts))


def _is_about_cart(said: Said, facts: Facts) -> bool:
    if says("cart", said.text) or says("in_cart", said.text):
        return True
    query = facts.context.query
    return query.action in ("view", "clear") or says("cart", fold(query.text))


def _listed(said: Said, facts: Facts) -> Iterator[Fault]:
    """A line of a list of the cart names what lies in it."""
    lines = {facts.family(line.product_id) for line in facts.observed.cart.items}
    for name in said.names:
        if not {facts.family(i) for i in name.ids} & lines:
            yield Fault("cart", _cart(facts))


def _counts(said: Said, facts: Facts) -> Iterator[Fault]:
    """So many pieces, or articles, in the cart."""
    held = says("in_cart", said.text) or bool(_YOU_HAVE.search(said.text))
    if not held or any(says(kind, said.text) for kind in (*_OPEN, "negation", "left")):
        return
    cart = facts.observed.cart
    allowed = {line.quantity for line in cart.items} | {cart.count, len(cart.items)} | _CAPS
    allowed |= {a.quantity for a in facts.observed.actions}
    allowed |= {p.size_ml for p in facts.observed.products.values() if p.size_ml}
    for figure in said.figures:
        if figure.unit not in ("", "piece") or figure.start in said.money:
            continue
        if 1 < figure.value < MAX_PIECES and figure.value not in allowed:
            yield Fault("quantity", _cart(facts))


def _says_empty(clause: str, facts: Facts) -> bool:
    """Whether a clause says that the cart holds nothing."""
    if _CHANGES.search(clause) or says("imagined", clause):
        return False
    if facts.context.query.action in ("clear", "remove") and _INSIDE.search(clause):
        return True
    if not says("cart", clause):
        return False
    return bool(_NOTHING.search(clause)) or (
        bool(_EMPTY.search(clause)) and not says("negation", clause)
    )


def _says_gone(clause: str, said: Said, facts: Facts) -> bool:
    """Whether a clause says that a product has left the cart, where it still lies and nothing was taken out."""
    if not says("cart", clause) or not _LEFT.search(clause) or says("imagined", clause):
        return False
    if any(a.type in ("remove", "clear", "update") for a in facts.observed.actions):
        return False
    return bool(said.named) and all(
        facts.in_cart(i) for n in said.names for i in n.ids & said.named
    )


def _says_held(clause: str, said: Said, facts: Facts) -> bool:
    """Whether a clause says that what the shopper wants is in the cart, when it is not."""
    if not says("in_cart", clause) or said.names or facts.observed.actions:
        return False
    if says("negation", clause) or any(says(kind, clause) for kind in _OPEN):
        return False
    if _NOTHING.search(clause) or not (_NOW.search(clause) or facts.context.query.action == "add"):
        return False
    context = facts.context
    wanted = context.named_ids or context.pointed_at() or tuple(said.about)
    if not wanted:
        return not facts.observed.cart.items
    return not any(facts.in_cart(i) for i in wanted)


def _cart(facts: Facts) -> str:
    items = ", ".join(f"{x.quantity} {x.name}" for x in facts.observed.cart.items)
    return f"the cart holds {items or 'nothing'}"
