"""What is asked of the cart as a whole, or without a verb: to pay, to see it, `le premier, hop, panier`."""

from typing import Final

from shopping_agent.domain.query import Action
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Match

SHORT: Final = 5  # words of a message that is little more than its verb
_BARE_CART: Final = 3
# "Where is the cart?", "why is it in my cart?": questions, but not for what is in it.
_NOT_WHAT: Final = frozenset(
    {
        "where",
        "why",
        "fin",
        "fine",
        "3lach",
        "3lash",
        "pourquoi",
        "فين",
        "علاش",
        "اين",
        "وين",
        "لماذا",
    }
)
_AWAY: Final = frozenset({"from", "out", "off", "of", "du", "hors", "mn", "men", "من"})
_PARTICLE: Final = 3
_QUESTION: Final = 12  # words of a question for what is in the cart
CART_FACTS: Final = frozenset({"price", "details", "ingredients"})
VERBS: Final = (
    *("add", "put", "take", "want", "remove", "undo", "change", "swap", "keep", "empty"),
    *("show", "total", "pay", "checkout"),
)


@frozen
class Context:
    """What else the message holds, for verbs that buy only with an object (`take`, `put`, `want`)."""

    named: bool
    ordinal: int | None
    quantity: int | None
    delegated: bool
    wishes: bool
    cheapest: bool = False  # of those shown


def other_action(reading: Reading, verbs: list[Match], context: Context) -> Action:
    if _checks_out(reading, verbs):
        return "checkout"
    if _views(reading, verbs) or (_totals(reading) and not context.wishes):
        return "view"
    return "add" if _is_bare_order(reading, verbs, context) else "none"


def _checks_out(reading: Reading, verbs: list[Match]) -> bool:
    if any(v.concept == "checkout" for v in verbs):
        return not reading.has("topic", "payment") or not reading.asks
    paying = [v for v in verbs if v.concept == "pay"]
    if reading.has("topic", "payment") or reading.has("service", "complaint"):
        return False
    if is_placed_order(reading):
        return any(m.start == v.end for v in paying for m in reading.of("service", "order_status"))
    return any(not _asks_how(reading, v) for v in paying)


def _asks_how(reading: Reading, verb: Match) -> bool:
    """`can I pay in 4 parts?`: a question that goes on behind the verb is about the ways to pay."""
    kinds = ("action", "courtesy", "modality", "answer", "pronoun")
    return reading.asks and any(
        reading.sign(i) == "" and not any(reading.covered(i, kind) for kind in kinds)
        for i in range(verb.end, len(reading.tokens))
    )


def _views(reading: Reading, verbs: list[Match]) -> bool:
    """`show my cart`, `what's in my basket`, `panier svp`; not a question about the cart's rules."""
    if not reading.has("action", "cart") or reading.has("service"):
        return False
    words = [t for t in reading.tokens if t.kind != "sign"]
    spans = {(m.start, m.end) for m in reading.of("action")}
    about = [m for m in reading.of("topic") if (m.start, m.end) not in spans]
    if any(m.concept not in CART_FACTS for m in about):
        return False
    bare = len(words) <= _BARE_CART and not reading.has("negation", "not")
    elsewhere = any(token.folded in _NOT_WHAT for token in reading.tokens)
    asked_for = (
        reading.has("question", "ask")
        and not elsewhere
        and not about
        and not reading.has("modality", "if")
    )
    others = any(
        m.concept not in {"cart", "show", "total", "everything"} for m in reading.of("action")
    )
    shown = any(v.concept in {"show", "total"} for v in verbs) or (bare and not others)
    return shown or (asked_for and not others and len(words) <= _QUESTION)


def _totals(reading: Reading) -> bool:
    """`what's my total?`, `شحال الطوطال`: what the cart comes to, and nothing about one product or the delivery."""
    if not reading.has("action", "total") or reading.names or reading.has("service"):
        return False
    about = {m.concept for m in reading.of("topic")}
    pointed = any(
        not reading.covered(m.start, "action", "total") for m in reading.of("pronoun")
    )  # the `en` of `en tout` is none
    conditional = reading.has("modality", "if") or pointed
    return about <= {"price"} and not conditional and len(reading.tokens) <= SHORT * 2


def _is_bare_order(reading: Reading, verbs: list[Match], context: Context) -> bool:
    """`a couple of Kenza Sport`, `le dernier en trois exemplaires`, `bougie ambre x4`: no verb needed."""
    if any(v.concept not in {"want", "show", "total"} for v in verbs) or reading.asks:
        return False
    if reading.has("modality", "if", "past") or _is_denied(reading) or reading.has("service"):
        return False
    if reading.has("order", "less") and not reading.has("bound", "max"):
        return False  # "two fewer"
    times = any(reading.word(i) == "x" for i in range(len(reading.tokens)))
    counted = context.named or context.ordinal is not None or times
    if context.quantity is None:
        pointed = context.ordinal is not None
        if pointed and reading.covered(0, "number", "1") and len(reading.tokens) <= SHORT:
            return True  # "one of the second"
        polite = (pointed and _asks_politely(reading)) or _asks_for_one(reading)
        return polite or ((pointed or bool(reading.names)) and _goes_to_cart(reading))
    return counted or (context.cheapest and not context.wishes and _counts_the_choice(reading))


def _counts_the_choice(reading: Reading) -> bool:
    """`the cheapest one please, 2 of them`; not `show me the 2 cheapest`, which asks for several products."""
    choices = reading.of("choice", "cheapest")
    inside = {i for m in choices for i in range(m.start, m.end)}
    if reading.has("search") or reading.has("action", "show", "total"):
        return False
    if any(m.start not in inside for m in reading.of("topic")):
        return False
    before = {m.start - 1 for m in choices}
    return not any(reading.value(i) is not None or reading.covered(i, "number") for i in before)


def _is_denied(reading: Reading) -> bool:
    """A negation of the order; one in a later clause refuses something else (`a Bahja please, not the sport`)."""
    objects = [start for start, _ in reading.names] + [m.start for m in reading.of("ordinal")]
    first = min(objects, default=len(reading.tokens))
    return any(
        m.start < first or reading.same_clause(m.start, first)
        for m in reading.of("negation", "not")
    )


def _asks_for_one(reading: Reading) -> bool:
    """`one Layl Ourika please`, `une Bahja svp, pas la Sport`."""
    if not reading.names:
        return False
    before = reading.names[0][0] - 1
    if reading.word(before) in {"of", "de", "d"} and reading.covered(before - 1, "unit", "piece"):
        before -= 2  # "a bottle of ..."
    counted = reading.covered(before, "number", "1") or reading.word(before) == "another"
    one = (counted and before == 0) or (
        (counted or reading.word(before) in {"a", "an"}) and reading.has("courtesy", "please")
    )
    return one and not reading.has("topic") and not reading.has("search")


def _goes_to_cart(reading: Reading) -> bool:
    """`le premier, hop, dans le panier`, `Bahja f panier`: a product and where it shall go, nothing else."""
    short = len([t for t in reading.tokens if t.kind != "sign"]) <= SHORT * 2
    verbs = [v for v in reading.of("action", *VERBS) if v.concept != "want"]
    other = reading.has("topic") or reading.has("search") or bool(verbs)
    moved = any(t.folded in _AWAY or _is_unknown(reading, i) for i, t in enumerate(reading.tokens))
    return short and not other and not moved and reading.has("action", "cart")


def _is_unknown(reading: Reading, position: int) -> bool:
    """A word that we do not know, longer than a particle: it may be a verb, and mean the opposite."""
    token = reading.tokens[position]
    known = reading.in_name(position) or any(m.start <= position < m.end for m in reading.matches)
    return token.kind == "word" and len(token.folded) > _PARTICLE and not known


def _asks_politely(reading: Reading) -> bool:
    """`the first one, please`: a position and a please, and nothing that asks for something else."""
    short = len([t for t in reading.tokens if t.kind != "sign"]) <= SHORT
    other = any(reading.has(kind) for kind in ("topic", "search", "answer"))
    return short and reading.has("courtesy", "please") and not other


def is_placed_order(reading: Reading) -> bool:
    """`cancel my order`: an order already placed is not the cart."""
    return reading.has("service", "order_status") and not reading.has("action", "cart")
