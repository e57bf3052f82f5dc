"""Claims with a number: times, sizes, weights, shares, pieces left, pieces in the cart."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from shopping_agent.application.claims import NameFound
from shopping_agent.application.verification import clock, days
from shopping_agent.application.verification.facts import Facts, Fault, figures_in
from shopping_agent.application.verification.figures import Figure
from shopping_agent.application.verification.policies import about, parts, topics_at, topics_of
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import pattern, says
from shopping_agent.domain.text import fold

_MEASURED: Final = frozenset({"time", "ml", "gram", "percent", "degree", "times"})
_MANY: Final = 1000
_DAY: Final = 86400
_MOST_NAMES: Final = 60
_FEW: Final = 3
_MOST_PIECES: Final = 50
_LASTING: Final = re.compile(r"[.,؛،;]\s")
_CLAUSE_END: Final = re.compile(r"[.,؛،;:]\s")


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence's figures; amounts of money are checked elsewhere."""
    measured = [f for f in said.figures if f.unit in _MEASURED]
    if measured and not said.asks:
        yield from _measures(said, facts, measured)
    yield from clock.check(said, facts)
    yield from days.check(said, facts)
    pieces = [f for f in said.figures if f.unit == "piece" or (not f.unit and f.value < _MANY)]
    if not said.asks:
        yield from _pieces(said, facts, pieces)


def _measures(said: Said, facts: Facts, measured: Sequence[Figure]) -> Iterator[Fault]:
    own_words = says("negation", said.text) or not facts.guides
    if own_words and all(_in(f, facts.shopper_figures) for f in measured):
        return
    guides = [p.text for p in facts.guides_for(said.text)]
    own = [f for text in facts.texts_of(said.about) for f in figures_in(text)]
    sizes = {float(p.size_ml) for p in facts.products(said.about) if p.size_ml}
    for figure in measured:
        if (figure.unit == "ml" and figure.value in sizes) or _is_small(figure):
            continue
        if _is_denied(figure, said) and _in(figure, facts.shopper_figures):
            continue
        if figure.unit == "percent" and _is_reduction(figure, said, facts):
            continue
        lasting = _lasting(said, facts, figure)
        if lasting:
            continue
        if lasting is False:
            yield Fault(
                "longevity",
                "; ".join(
                    f"{p.name}: longevity {p.longevity}" for p in facts.known(said.about)[:3]
                ),
            )
            continue
        topics = _matter(figure, said, facts)
        told = about(topics, guides)
        if topics == frozenset({"deliver"}):
            # Days of delivery: what is told of nothing in particular is no proof of them.
            told = [s for text in guides for s, of in parts(text) if "deliver" in of]
        allowed = [*own, *(f for text in told for f in figures_in(text))]
        if not _in(figure, allowed):
            yield Fault("size" if figure.unit == "ml" else "figure", _near(figure, allowed))


def _is_denied(figure: Figure, said: Said) -> bool:
    """`It does not come in 75 ml; it comes in 30 and 50`: the negation stands before the figure, in its clause."""
    return says("negation", _CLAUSE_END.split(said.bare[: figure.start])[-1])


def _matter(figure: Figure, said: Said, facts: Facts) -> frozenset[str]:
    """What a time is told of: in its clause, else in a sentence with no other time, else in the question."""
    if figure.unit != "time" or not facts.guides:
        return frozenset()
    here = topics_at(said.bare, figure.start)
    if here or len({f.value for f in said.figures if f.unit == "time"}) > 1:
        return here
    own, asked = topics_of(said.bare), topics_of(fold(facts.context.query.text))
    # A clause that does not say goes on with the matters of its sentence, of the reply and of the question.
    whole = frozenset[str]().union(*(of for _, of in parts(facts.reply)))
    if own:
        return own | whole | asked
    if said.start == 0:
        return asked
    return whole | asked if whole else frozenset()


def _lasting(said: Said, facts: Facts, figure: Figure) -> bool | None:
    """Whether hours on the skin are what the store's words mean by how long a product lasts; None where that is not told."""
    products = facts.known(said.about_at(figure.start))
    if figure.said == "day" and products and not says("arrives", said.text):
        asked = fold(facts.context.query.text)
        lasts = says("long_word", said.text) or says("long_word", asked)
        own = [f for t in facts.texts_of(said.about) for f in figures_in(t)]
        return False if lasts and figure.value > _DAY and not _in(figure, own) else None
    if figure.said != "hour" or not products or not says("long_word", said.text):
        return None
    meaning = _meaning(tuple(p.text for p in facts.guides))
    levels = {p.longevity for p in products}
    if not meaning or _in(figure, [f for t in facts.texts_of(said.about) for f in figures_in(t)]):
        return None
    return any(figure.value in meaning.get(level or "", ()) for level in levels)


@lru_cache(maxsize=64)
def _meaning(texts: tuple[str, ...]) -> dict[str, set[float]]:
    """Hours by what the guides call them ("long means 8 to 12 hours")."""
    found: dict[str, set[float]] = {}
    for text in texts:
        for part in _LASTING.split(fold(text)):
            level = next((x for x in ("very long", "long", "moderate") if says(x, part)), None)
            hours = {f.value for f in figures_in(part) if f.said == "hour"}
            if level and hours:
                found.setdefault(level, set()).update(hours)
    return found if len(found) > 1 else {}


def _is_reduction(figure: Figure, said: Said, facts: Facts) -> bool:
    """Whether a share is, to the nearest per cent or two, what a running sale takes off."""
    now = facts.observed.now
    tags = [p.price for p in facts.products(said.about) if p.price.on_sale(now)]
    return any(abs(100 * (1 - t.at(now) / t.regular) - figure.value) < 1 for t in tags)


def _is_small(figure: Figure) -> bool:
    """Once or twice, which is said in many ways."""
    return figure.unit == "times" and figure.value < _FEW


def _in(figure: Figure, allowed: Sequence[Figure]) -> bool:
    return any(f.unit == figure.unit and abs(f.value - figure.value) < 1e-6 for f in allowed)


def _near(figure: Figure, allowed: list[Figure]) -> str:
    same = sorted({f.value for f in allowed if f.unit == figure.unit})
    unit = "seconds" if figure.unit == "time" else figure.unit
    return f"the facts say {', '.join(f'{v:g} {unit}' for v in same[:6])}" if same else ""


# --- pieces ----------------------------------------------------------------------------------------


def _pieces(said: Said, facts: Facts, pieces: list[Figure]) -> Iterator[Fault]:
    yield from _left(said, facts, pieces)
    yield from _counted(said, facts, pieces)
    for name in said.names[:_MOST_NAMES]:
        yield from _times(name, said, facts)


def _left(said: Said, facts: Facts, pieces: list[Figure]) -> Iterator[Fault]:
    """ "Only 3 left": of what is spoken of, unless of the cart."""
    if not says("left", said.bare) or says("cart", said.bare) or says("budget", said.bare):
        return
    stocks = {p.stock for p in facts.products(said.about)}
    if not stocks or None in stocks:
        return
    allowed = (
        stocks
        | {facts.in_cart(i) for i in said.about}
        | {int(f.value) for f in facts.shopper_figures}
    )
    for figure in pieces:
        if _is_money(said, figure) or figure.value in allowed:
            continue
        if pattern("month_after").match(said.bare, figure.end):
            continue
        if figure.unit == "piece" or figure.value < 100:
            yield Fault(
                "stock",
                "; ".join(f"{p.name}: {p.stock} in stock" for p in facts.products(said.about)),
            )


def _counted(said: Said, facts: Facts, pieces: list[Figure]) -> Iterator[Fault]:
    """A number right before a product's name: what the cart holds, what was changed, or what the shopper said."""
    cart = facts.observed.cart
    claims_cart = says("cart", said.bare) or says("changed", said.bare)
    if not claims_cart and (said.money or says("imagined", said.bare)):
        return
    past = says("past", said.bare)
    asked = {int(f.value) for f in facts.shopper_figures}
    for figure in pieces:
        if figure.value > _MOST_PIECES:
            continue
        name = next(
            (
                n
                for n in said.names
                if 0 <= n.start - figure.end <= 14 and _joined(said.bare[figure.end : n.start])
            ),
            None,
        )
        ids = name.ids if name else (said.about if figure.unit == "piece" and claims_cart else None)
        if not ids or _is_money(said, figure):
            continue
        held = {facts.in_cart(i) for i in ids}
        if past or not claims_cart:
            held |= {x.quantity for x in facts.observed.before.items if x.product_id in ids}
        held |= {a.quantity for a in facts.observed.actions if a.product_id in ids}
        held |= {sum(line.quantity for line in cart.items if line.product_id in ids)}
        if not claims_cart or not held - {0}:
            held |= asked | {p.stock for p in facts.products(ids) if p.stock is not None} | {1}
        if figure.value not in held:
            yield Fault("quantity", _cart_of(facts))


def _times(name: NameFound, said: Said, facts: Facts) -> Iterator[Fault]:
    """A number right after a name, as a list of the cart has it: "Lavande Haute × 3", "Lavande Haute: 3 bottles"."""
    after = said.bare[
        name.end : min([n.start for n in said.names if n.start > name.end] or [len(said.bare)])
    ]
    match = pattern("count_after").match(after) or (
        pattern("count_ends").match(after) if said.listed else None
    )
    if match is None:
        return
    held = {facts.in_cart(i) for i in name.ids} | {
        a.quantity for a in facts.observed.actions if a.product_id in name.ids
    }
    told = int(next(filter(None, match.groups())))
    if any(held) and told not in held:
        yield Fault("quantity", _cart_of(facts))


def _joined(between: str) -> bool:
    return (
        re.fullmatch(
            r"[\s*_x×]*(?:bottles?|flacons?|pieces?|of|de|d'|dyal|d|ديال|من|9ra3i|قوارير|قطع|عطر|articles?|\s|[*_])*",
            between,
        )
        is not None
    )


def _is_money(said: Said, figure: Figure) -> bool:
    return figure.start in said.money


def _cart_of(facts: Facts) -> str:
    items = facts.observed.cart.items
    return "the cart holds " + (", ".join(f"{x.quantity} {x.name}" for x in items) or "nothing")
