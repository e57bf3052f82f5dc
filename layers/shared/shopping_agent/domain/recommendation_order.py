"""The best of many options, in an order that does not depend on the one they come in."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from shopping_agent.domain.ranking import Ranked
from shopping_agent.domain.recommendation_score import Option, Scored, Scoring
from shopping_agent.domain.values import frozen

# From here on more pieces make no better choice.
_PLENTY: Final = 3
# Among the first few shown, another family may pass what scores at most this much more.
VARIED: Final = 3
MARGIN: Final = 5.0
# More than what scores and pieces make of a key.
_ORDER: Final = 100_000
Ranking = TypeVar("Ranking", Scored, Ranked)
_Keyed = tuple[int, int, str, int, float]
"""Out of stock, foreign, score and pieces as one number, then price and id; then the option's place, and its score."""


@frozen
class Selection:
    """What is recommended.

    Attributes:
        shown: best first, one size of each product, families mixed among the first.
        excluded: options that a rule excludes, best first as if it did not.
    """

    shown: tuple[Scored, ...]
    excluded: tuple[Scored, ...] = ()


def select(
    options: Sequence[Option],
    scoring: Scoring,
    *,
    limit: int,
    currency: str,
    now: float,
    mixed: bool = True,
) -> Selection:
    """The best options: in stock, then by score, then stock, price and id; whatever the order they come in.

    Args:
        now: seconds since the epoch, the moment of every price.
        mixed: families are, among the first.
    """
    score, banned = scoring.score, scoring.advice.banned
    keyed: list[_Keyed] = []
    out: list[_Keyed] = []
    for place, option in enumerate(options):
        product = option.product
        stock, tag = product.stock, product.price
        pieces = _PLENTY if stock is None or stock > _PLENTY else stock
        scored = score(option)
        # One whole number of what is compared first: most comparisons end with it.
        first = _ORDER * (tag.currency != currency) + (_PLENTY + 1) * (1000 - round(10 * scored))
        if pieces <= 0:
            first += 2 * _ORDER
        price = tag.regular if tag.sale is None else tag.at(now)
        key = (first - pieces, price, product.id, place, scored)
        (out if option.traits.bits & banned else keyed).append(key)
    keyed.sort()
    out.sort()
    one_of_each = _one_of_each(keyed, options, limit + 4 * VARIED)
    return Selection(
        shown=tuple(varied(one_of_each, limit) if mixed else one_of_each[:limit]),
        excluded=tuple(_one_of_each(out, options, limit)),
    )


def _one_of_each(keyed: Iterable[_Keyed], options: Sequence[Option], most: int) -> list[Scored]:
    found: dict[str, Scored] = {}
    for _, _, _, place, scored in keyed:
        if len(found) >= most:
            break
        found.setdefault(options[place].group, Scored(options[place], scored))
    return list(found.values())


def varied(ranked: Sequence[Ranking], limit: int) -> list[Ranking]:
    """The first stays first; of those behind it one of a family not yet shown passes what is not much better."""
    left = list(ranked)
    shown: list[Ranking] = []
    families: set[str] = set()
    while left and len(shown) < limit:
        chosen = 0
        if shown and len(shown) < VARIED:
            chosen = next(
                (
                    place
                    for place, one in enumerate(left)
                    if left[0].score - one.score <= MARGIN
                    and one.product.in_stock == left[0].product.in_stock
                    and one.product.price.currency == left[0].product.price.currency
                    and _family(one) not in families
                ),
                0,
            )
        one = left.pop(chosen)
        shown.append(one)
        families.add(_family(one))
    return shown


def _family(one: Scored | Ranked) -> str:
    return next(iter(one.product.families), "")
