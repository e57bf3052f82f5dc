"""Events in any order, and as often as they come, end in the state of the latest uploads."""

import csv
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shopping_agent.domain.feed import ObjectEvent

pytestmark = pytest.mark.slow

CATALOG = "catalog/perfumes.jsonl"
INVENTORY = "inventory/stock.csv"
MOST_AGAIN = 5
UNREADABLE = "colour;shape\nred;round"
BOUNDED = settings(
    max_examples=60,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass(frozen=True)
class Upload:
    """What happens to an object: a new version, or (None) a delete marker."""

    key: str
    content: str | None


Row = dict[str, Any]
numbers = st.sets(st.integers(1, 4), min_size=1)
prices = st.sampled_from([50, 60, 70])
stocks = st.sampled_from([0, 3, 9])


@st.composite
def catalogs(draw: st.DrawFn, counted: bool) -> Upload:
    if draw(st.integers(0, 3)) == 0:
        return Upload(CATALOG, None)
    lines: list[str] = []
    for number in sorted(draw(numbers)):
        row: Row = {"id": f"p{number}", "name": f"Perfume {number}", "price": draw(prices)}
        row["description"] = draw(st.sampled_from(["Rose.", "Cedar and smoke."]))
        if counted:
            row["stock"] = draw(stocks)
        lines.append(json.dumps(row))
    return Upload(CATALOG, "\n".join(lines))


@st.composite
def inventories(draw: st.DrawFn) -> Upload:
    lines = ["id,price,stock"]
    for number in sorted(draw(numbers)):
        price = draw(st.one_of(st.just(""), prices))
        stock = draw(stocks) if price == "" else draw(st.one_of(st.just(""), stocks))
        lines.append(f"p{number},{price},{stock}")
    return Upload(INVENTORY, "\n".join(lines))


@st.composite
def histories(draw: st.DrawFn, most_inventories: int) -> tuple[list[Upload], list[int]]:
    """Three versions of a catalog with inventories between them, and an order of delivery that repeats some."""
    counted = draw(st.booleans())
    uploads = [draw(catalogs(counted)) for _ in range(3)]
    for _ in range(draw(st.integers(0, most_inventories))):
        uploads.insert(draw(st.integers(0, len(uploads))), draw(inventories()))
    everything = list(range(len(uploads)))
    again = draw(st.lists(st.sampled_from(everything), max_size=4))
    return uploads, draw(st.permutations(everything + again))


def happen(shop, uploads: Sequence[Upload]) -> list[ObjectEvent]:
    """All of it in the bucket, which keeps versions; the events."""
    events: list[ObjectEvent] = []
    for number, upload in enumerate(uploads):
        event = shop.event(upload.key, removed=upload.content is None)
        if upload.content is None:
            shop.objects.bodies.pop(upload.key, None)
        else:
            version = f"v{number}"
            shop.objects.bodies[upload.key] = shop.objects.versions[version] = (
                upload.content.encode()
            )
            event = replace(event, version=version)
        events.append(event)
    return events


def deliver(shop, uploads: Sequence[Upload], order: Sequence[int], part_size: int = 0):
    shop.part_size = part_size
    events = happen(shop, uploads)
    for number in order:
        shop.apply(events[number], ratio=1.0)
        shop.drain()
    return shop


def visible(shop) -> dict[str, Any]:
    """What shoppers see, and what filters go by."""
    live = shop.facts("p1", "p2", "p3", "p4")
    indexed = {
        i: (p.price.regular / 100, p.stock, p.description) for i, p in shop.index.products.items()
    }
    texts = {c.id: c.text for c in shop.index.chunks.values()}
    return {"live": live, "indexed": indexed, "texts": texts}


def as_uploaded(uploads: Sequence[Upload]) -> dict[str, tuple[float, int | None]]:
    """Live facts by definition: the last catalog's products; of each price and stock the newest upload that states it."""
    stated: dict[str, dict[str, float | None]] = {}
    listed: set[str] = set()
    for upload in uploads:
        if upload.key == CATALOG and upload.content != UNREADABLE:
            rows: list[Row] = [json.loads(line) for line in (upload.content or "").splitlines()]
            listed = {row["id"] for row in rows}
        elif upload.content == UNREADABLE:
            continue
        else:
            rows = list(csv.DictReader((upload.content or "").splitlines()))
        for row in rows:
            known = stated.setdefault(row["id"], {"price": None, "stock": None})
            for name in ("price", "stock"):
                if row.get(name, "") != "":
                    known[name] = float(row[name])
    return {
        i: (s["price"] or 0, None if s["stock"] is None else int(s["stock"]))
        for i, s in stated.items()
        if i in listed
    }


@BOUNDED
@given(history=histories(most_inventories=0), part_size=st.sampled_from([0, 1, 2]))
def test_put_and_delete_events_of_three_versions_end_in_the_latest(redis_shop, history, part_size):
    uploads, order = history
    shop = deliver(redis_shop(), uploads, order, part_size)
    plain = deliver(redis_shop(), uploads, range(len(uploads)))
    assert visible(shop) == visible(plain)
    assert shop.facts("p1", "p2", "p3", "p4") == as_uploaded(uploads)


@BOUNDED
@given(history=histories(most_inventories=3), part_size=st.sampled_from([0, 1]))
def test_inventories_between_them_end_the_same_in_any_order(redis_shop, history, part_size):
    uploads, order = history
    shop = deliver(redis_shop(), uploads, order, part_size)
    assert shop.facts("p1", "p2", "p3", "p4") == as_uploaded(uploads)
    assert visible(shop)["indexed"].keys() == visible(shop)["live"].keys()
    for product_id, (price, stock, _) in visible(shop)["indexed"].items():
        assert (price, stock) == shop.facts(product_id)[product_id]


@st.composite
def histories_with_refusals(draw: st.DrawFn) -> tuple[list[Upload], list[int]]:
    """Versions of a catalog, some of which nobody can read."""
    uploads = [draw(catalogs(True)) for _ in range(3)]
    uploads = [upload for upload in uploads if upload.content is not None]
    for _ in range(draw(st.integers(1, 2))):
        uploads.insert(draw(st.integers(0, len(uploads))), Upload(CATALOG, UNREADABLE))
    everything = list(range(len(uploads)))
    again = draw(st.lists(st.sampled_from(everything), max_size=4))
    return uploads, draw(st.permutations(everything + again))


@BOUNDED
@given(
    history=st.one_of(histories(most_inventories=2), histories_with_refusals()),
    seed=st.integers(0, 2**32),
)
def test_events_and_parts_in_one_shuffled_queue_end_the_same(redis_shop, history, seed):
    """Parts wait while other events come in between, and any message may be delivered again."""
    uploads, order = history
    dice, again = random.Random(seed), 0
    shop = redis_shop()
    shop.part_size = 1
    events = happen(shop, uploads)
    waiting: list[Any] = [events[number] for number in order]
    for _ in range(200):
        waiting += shop.queue.waiting
        shop.queue.waiting.clear()
        if not waiting:
            break
        message = waiting.pop(dice.randrange(len(waiting)))
        if isinstance(message, str):
            shop.work(message)
        else:
            shop.apply(message, ratio=1.0)
        if again < MOST_AGAIN and dice.random() < 0.2:
            waiting.append(message)
            again += 1
    assert not waiting
    assert shop.facts("p1", "p2", "p3", "p4") == as_uploaded(uploads)
    for product_id, (price, stock, _) in visible(shop)["indexed"].items():
        assert (price, stock) == shop.facts(product_id)[product_id]
    assert visible(shop)["indexed"].keys() == visible(shop)["live"].keys()
