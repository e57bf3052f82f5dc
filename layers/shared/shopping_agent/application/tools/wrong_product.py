"""The refusal of a product, or of another size of one, that the message does not mean: it says what is meant."""

from collections.abc import Iterable

from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.meant import Meant
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.application.turn import ActionType
from shopping_agent.domain.conversation import JsonObject

_MOST_CHOICES = 4


def labels(ids: Iterable[str], observed: Observations) -> list[dict[str, str]]:
    """Chips for the products that are known."""
    names = {p.id: p.name for p in observed.products.values()}
    names |= {line.product_id: line.name for line in observed.before.items}
    known = [i for i in sorted(set(ids)) if i in names]
    return [{"productId": i, "label": names[i]} for i in known[:_MOST_CHOICES]]


def wrong_product(meant: Meant, observed: Observations, kind: ActionType, name: str) -> JsonObject:
    """The refusal of a change of `name`."""
    orders = meant.orders(kind)
    ids = {i for o in orders for i in meant.ids(kind, o) or ()} | meant.references()
    offered = labels(ids, observed)
    said = [x["label"] for x in offered] or [o.unknown or o.name or "" for o in orders]
    means = " or ".join(s for s in said if s) or "a product that is not certain: ask which one"
    lines = labels((x.product_id for x in observed.before.items), observed)
    return refusal(
        "which_product",
        f"The shopper means {means}, which is not {name}.",
        choices=offered or lines,
    )
