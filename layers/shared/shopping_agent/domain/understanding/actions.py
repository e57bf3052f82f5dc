"""What shall happen to the cart, clause by clause: negated, hypothetical and past verbs do nothing."""

from collections.abc import Callable
from typing import Final

from shopping_agent.domain.query import Action
from shopping_agent.domain.understanding.cart_talk import (
    CART_FACTS,
    SHORT,
    VERBS,
    Context,
    is_placed_order,
    other_action,
)
from shopping_agent.domain.understanding.clauses import (
    asked,
    hypothetical,
    negated,
    only_told,
    part_of_phrase,
    postponed,
)
from shopping_agent.domain.understanding.objects import object_of, pronouns
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.repeats import is_habit
from shopping_agent.domain.understanding.verb_senses import (
    is_distaste,
    is_of_new,
    stands_for_number,
    wants_a_number,
)
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Match

_BUYING: Final = ("add", "take", "remove", "empty", "checkout", "swap", "keep")
_LOOKING: Final = ("show", "total", "cart", "want")


@frozen
class Doing:
    """A verb that changes the cart, and what it does. `start`, `end`: its tokens, half open."""

    action: Action
    concept: str
    start: int
    end: int
    has_object: bool = False


@frozen
class Acts:
    """What the verbs of a message amount to.

    Attributes:
        hypothetical: there is cart talk, but none that acts.
        pronoun: the object is a pronoun (`it`, `zidha`, `mets-le`).
        buying: a verb of buying or changing is meant, even where its object is not known.
        changes: every verb that changes the cart, in order.
    """

    action: Action = "none"
    hypothetical: bool = False
    pronoun: bool = False
    buying: bool = False
    changes: tuple[Doing, ...] = ()


def acts(reading: Reading, context: Context) -> Acts:
    """The action of a message and how its object is given."""
    verbs = reading.of("action", *VERBS)
    active = [v for v in verbs if _is_active(reading, v)]
    pronoun = _has_pronoun(reading, active)
    changes = _changes(reading, active, context, pronoun=pronoun)
    action = changes[0].action if changes else other_action(reading, active, context)
    talk = [
        v for v in verbs if v.concept not in {"show", "total", "want", "keep"} and v not in active
    ]
    buying = any(
        v.concept in _BUYING and not _is_indefinite(reading, v) and not is_placed_order(reading)
        for v in active
    )
    told = action == "none" and bool(talk)
    return Acts(action, hypothetical=told, pronoun=pronoun, buying=buying, changes=changes)


def _is_active(reading: Reading, verb: Match) -> bool:
    position = verb.start
    if part_of_phrase(reading, verb):
        return False
    if verb.concept == "remove" and reading.word(position).startswith("سا"):
        return False  # "سأخرج معها": what the shopper will do
    if verb.concept not in _LOOKING and asked(reading, position):
        return False
    checks: tuple[Callable[[Reading, int], bool], ...] = (
        negated,
        hypothetical,
        postponed,
        only_told,
    )
    return not any(check(reading, position) for check in checks)


def _has_pronoun(reading: Reading, verbs: list[Match]) -> bool:
    """A pronoun of its own, or one grown onto a verb."""
    pointing = bool(pronouns(reading)) if verbs else reading.has("pronoun")
    return pointing or any(object_of(reading, v) for v in verbs)


def _changes(
    reading: Reading, verbs: list[Match], context: Context, *, pronoun: bool
) -> tuple[Doing, ...]:
    """What each verb does to the cart; of the senses of one verb the first that does something."""
    found: dict[int, Doing] = {}
    for verb in verbs:
        act = _change(reading, verb, verbs, context, pronoun=pronoun)
        if act and verb.start not in found:
            found[verb.start] = Doing(
                act, _deciding(verb, verbs), verb.start, verb.end, object_of(reading, verb)
            )
    return tuple(found.values())


def _deciding(verb: Match, verbs: list[Match]) -> str:
    """The concept of a verb that has several: a change of what is there comes before anything new."""
    concepts = {v.concept for v in verbs if v.start == verb.start}
    return next((c for c in ("swap", "keep", "remove", "change") if c in concepts), verb.concept)


def _change(
    reading: Reading, verb: Match, verbs: list[Match], context: Context, *, pronoun: bool
) -> Action | None:
    concepts = {v.concept for v in verbs if v.start == verb.start}
    if _empties(reading, verb, concepts):
        return "clear"
    if concepts & {"swap", "change", "remove", "undo"} and is_placed_order(reading):
        return None
    if "change" in concepts and context.quantity and is_of_new(reading, verb, context):
        return "add"
    if "swap" in concepts or ("change" in concepts and _updates(reading, context, verb)):
        return "update"
    if concepts & {"remove", "undo"}:
        return None if is_distaste(reading, verb, context) else "remove"
    if verb.concept == "keep":
        return "remove"
    count = context.quantity
    if "put" in concepts and count is not None and stands_for_number(reading, count):
        return "update"
    if "add" in concepts:
        return None if _adds_money(reading, verb, context) else "add"
    if concepts & {"put", "take", "want"} and _buys(reading, verb, context, pronoun=pronoun):
        return "add"
    return None


def _adds_money(reading: Reading, verb: Match, context: Context) -> bool:
    """`n9der nzid 7ta l 400`: more money, no product."""
    given = context.named or context.ordinal is not None or context.quantity is not None
    return not given and any(
        ((0 <= m.start - verb.end <= 1) or m.start <= verb.start < m.end)
        and any(t.value is not None for t in reading.tokens[m.end : m.end + 2])
        for m in reading.of("bound", "max", "min")
    )


def _empties(reading: Reading, verb: Match, concepts: set[str]) -> bool:
    whole = any(
        m.start >= verb.start and reading.same_clause(m.start, verb.start)
        for m in reading.of("action", "everything")
    )
    if "empty" in concepts:
        at_once = verb.end - verb.start > 1  # "khwi kolchi"
        return whole or at_once or reading.has("action", "cart") or len(reading.tokens) <= SHORT + 2
    return "remove" in concepts and whole and not spares(reading)


def spares(reading: Reading) -> bool:
    """`everything except the first`; not the `zero` of `start from zero`."""
    verbs = reading.of("action")
    return any(
        not any(verb.start <= m.start and m.end <= verb.end for verb in verbs)
        for m in reading.of("negation", "without")
    )


def _updates(reading: Reading, context: Context, verb: Match) -> bool:
    """A change of quantity: with its figure, or of a line of the cart."""
    if context.quantity is not None:
        return True
    shared = reading.has("order", "half", "double")
    doubled = shared or verb.end - verb.start > 1 or reading.word(verb.start).startswith("tripl")
    described = context.wishes and not (shared and verb.start == 0)  # "double the citron"
    return doubled and not described and not reading.asks


def _buys(reading: Reading, verb: Match, context: Context, *, pronoun: bool) -> bool:
    """Whether `take`, `put` or `want` has something to take."""
    if any(reading.same_clause(m.start, verb.start) for m in reading.of("unit", "share")):
        return False  # "take 20% off"
    if is_habit(reading, verb):
        return False
    given = context.named or context.ordinal is not None or context.delegated
    if any(0 <= m.start - verb.end <= 1 for m in reading.of("topic", *CART_FACTS)):
        return False  # "give me the price of ..."
    if verb.concept == "put":
        plain = not context.wishes and (pronoun or context.quantity is not None)
        return given or plain or _near_cart(reading, verb) or object_of(reading, verb)
    if verb.concept == "want":
        return not wants_a_number(reading, verb) and _wants_this(reading, verb, context)
    if _is_indefinite(reading, verb) and not given:
        return False
    if context.wishes and not given and not object_of(reading, verb):
        return _points(reading)
    return given or pronoun or context.quantity is not None or _stands_alone(reading, verb)


def _stands_alone(reading: Reading, verb: Match) -> bool:
    """`..., ok je prends`: a clause that is little more than the verb takes what was talked about."""
    clause = reading.clause_of(verb.start)
    words = [t for t in reading.tokens if t.clause == clause and t.kind != "sign"]
    return len(words) <= SHORT


def _near_cart(reading: Reading, verb: Match) -> bool:
    return any(reading.same_clause(m.start, verb.start) for m in reading.of("action", "cart"))


def _wants_this(reading: Reading, verb: Match, context: Context) -> bool:
    """`I want it`, `je veux le deuxième`, `bghit Sahra Noir`: a thing, not a kind of thing."""
    if reading.has("topic", "comparison"):
        return False  # "I'd like to compare the first two"
    if context.delegated and _near_cart(reading, verb) and not reading.asks:
        return True  # "I want the cheapest oud in my cart"
    if reading.has("search", "other") or reading.asks or context.wishes:
        return context.named and not reading.asks and context.quantity is not None
    if context.ordinal is not None or context.named:
        return True
    return object_of(reading, verb) or reading.word(verb.end) in {"it", "them", "that", "this"}


def _is_indefinite(reading: Reading, verb: Match) -> bool:
    """`buy a perfume`, `nchri chi parfum`: something to be found, not a thing to take."""
    return any(0 <= m.start - verb.end <= 2 for m in reading.of("search", "suggest", "want"))


def _points(reading: Reading) -> bool:
    """`the floral one that you showed`: a pointer into what was shown."""
    return reading.has("pronoun") and not reading.asks
