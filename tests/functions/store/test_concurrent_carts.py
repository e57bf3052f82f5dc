"""Many hands on one cart over HTTP: the result is that of some serial order, step by step."""

import random
from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.slow

THREADS = 16
REQUESTS = 200
MAX_PER_LINE = 10
STOCK: Mapping[str, int | None] = {"one": 1, "five": 5, "nine": 9, "many": 500, "unknown": None}

Lines = dict[str, int]


@dataclass(frozen=True)
class Request:
    adds: bool
    product_id: str
    quantity: int


@dataclass(frozen=True)
class Done:
    request: Request
    status: int
    body: Any


def store_folder(folder: Path) -> Path:
    folder.mkdir()
    rows = [
        f'{{"id": "{name}", "name": "Perfume {name}", "price": 100.5, "currency": "MAD"'
        + ("}" if stock is None else f', "stock": {stock}}}')
        for name, stock in STOCK.items()
    ]
    (folder / "catalog.jsonl").write_text("\n".join(rows))
    return folder


def requests(seed: int) -> list[Request]:
    dice = random.Random(seed)
    names = sorted(STOCK)
    return [
        Request(dice.random() < 0.7, dice.choice(names), dice.randint(1, 3))
        for _ in range(REQUESTS)
    ]


def send(stack: Any, token: str, request: Request) -> Done:
    if request.adds:
        body = {"productId": request.product_id, "quantity": request.quantity}
        answer = stack.post("/api/v1/cart/items", body, token=token)
    else:
        path = f"/api/v1/cart/items/{quote(request.product_id)}"
        answer = stack.request("DELETE", path, token=token)
    return Done(request, answer.status, answer.json())


def lines_of(cart: Any) -> Lines:
    return {line["productId"]: line["quantity"] for line in cart["items"]}


def after(lines: Lines, request: Request) -> Lines:
    """What one request makes of a cart."""
    changed = dict(lines)
    if request.adds:
        changed[request.product_id] = changed.get(request.product_id, 0) + request.quantity
    else:
        changed.pop(request.product_id, None)
    return changed


def replayed(done: list[Done]) -> list[Done]:
    """The requests that changed the cart in the order of the versions that they made; each version is checked."""
    by_version: dict[int, list[Done]] = defaultdict(list)
    for one in done:
        if one.status == 200:
            by_version[one.body["version"]].append(one)
    lines: Lines = {}
    serial: list[Done] = []
    for version in range(1, max(by_version) + 1):
        candidates = by_version[version]
        assert candidates, f"no reply with version {version}"
        assert len({str(one.body["items"]) for one in candidates}) == 1
        # A removal of what was not there answers the version that it found.
        changed = [one for one in candidates if after(lines, one.request) != lines]
        makers = [o for o in changed if after(lines, o.request) == lines_of(o.body)]
        assert makers, f"version {version} is no step from {lines}"
        assert sum(one.request.adds for one in candidates) <= 1
        lines = after(lines, makers[0].request)
        assert_within_caps(lines)
        serial.append(makers[0])
    return serial


def assert_within_caps(lines: Lines) -> None:
    for product_id, quantity in lines.items():
        assert quantity <= min(STOCK[product_id] or MAX_PER_LINE, MAX_PER_LINE)


@pytest.mark.timeout(400)
def test_two_hundred_changes_by_sixteen_threads_are_some_serial_order(
    start_stack: Any, tmp_path: Path
) -> None:
    catalog = store_folder(tmp_path / "store")
    options = {"EMBEDDING_PROVIDER": "none", "RATE_LIMITS": "off"}
    with start_stack(tmp_path / "data", catalog=catalog, **options) as stack:
        token = stack.post("/api/v1/sessions").json()["token"]
        with ThreadPoolExecutor(THREADS) as threads:
            done = list(threads.map(lambda request: send(stack, token, request), requests(7)))
        final = stack.get("/api/v1/cart", token=token).json()
        serial = replayed(done)
        # The same requests one by one, in that order, on another cart.
        other = stack.post("/api/v1/sessions").json()["token"]
        alone = [send(stack, other, one.request) for one in serial]
    assert {one.status for one in done} <= {200, 409}
    refused = {one.body["code"] for one in done if one.status == 409}
    assert refused <= {"out_of_stock", "cart_limit"}
    assert refused
    assert [one.body["version"] for one in alone] == list(range(1, len(serial) + 1))
    assert alone[-1].body == final
    assert final["version"] == len(serial)
    assert lines_of(final) == lines_of(serial[-1].body)
