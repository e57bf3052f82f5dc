"""Carts that become one, and carts that go to the checkout and come back as orders."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from uuid import uuid4

import pytest
from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.handoff_store import RedisHandOffStore
from shopping_agent.adapters.redis.keys import FAMILIES, HANDOFF, KEPT, family_of
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.checkout import CompletedOrder, HandOff, hand_off
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.quoting import MAX_LINES, MAX_PER_LINE, MAX_PIECES
from shopping_agent.errors import CartRefusedError


def somebody(kind: str = "g") -> Shopper:
    identity = f"{kind}_{uuid4().hex}"
    return Shopper(identity, identity, "guest" if kind == "g" else "user")


class Shop:
    def __init__(self, connection: RedisConnection) -> None:
        self.now = 1_796_068_800.0
        self.connection = connection
        self.carts = RedisCartStore(connection=connection, currency="MAD", clock=lambda: self.now)
        self.handoffs = RedisHandOffStore(connection=connection, clock=lambda: self.now)
        self.deadline = Deadline.after(30)
        self.guest, self.user = somebody("g"), somebody("u")

    def stock(self, *ids: str, stock: int | None = None, price: int = 10_000, **more) -> None:
        facts = [
            LiveFacts(i, f"Perfume {i}", PriceTag(price, "MAD"), stock=stock, **more) for i in ids
        ]
        RedisLiveCatalog(connection=self.connection).put(facts, self.deadline)

    def gone(self, product_id: str) -> None:
        RedisLiveCatalog(connection=self.connection).remove([product_id], self.deadline)

    def add(self, who: Shopper, product_id: str, quantity: int = 1) -> Cart:
        return self.carts.add(who, product_id, quantity, self.deadline)

    def read(self, who: Shopper) -> Cart:
        return self.carts.read(who, self.deadline)

    def merge(self) -> Cart:
        return self.carts.merge(self.user, self.guest, self.deadline)

    def undo(self, who: Shopper) -> Cart:
        return self.carts.undo(who, self.deadline)

    def hand_over(self, who: Shopper) -> HandOff:
        given = hand_off(self.read(who), reference=uuid4().hex, now=self.now)
        self.handoffs.keep(who, given, self.deadline)
        return given

    def ordered(self, given: HandOff, order_id: str = "1042", **more):
        order = CompletedOrder(order_id, given.reference, **more)
        return self.handoffs.complete(order, self.deadline)

    def revenue(self) -> dict[str, str]:
        key = self.connection.key("revenue", "2026-11-30")
        flat = self.connection.run(["HGETALL", key], self.deadline)
        return flat if isinstance(flat, dict) else dict(zip(flat[::2], flat[1::2], strict=True))


@pytest.fixture
def shop(connection: RedisConnection) -> Shop:
    return Shop(connection)


def lines(cart: Cart) -> list[tuple[str, int]]:
    return [(line.product_id, line.quantity) for line in cart.items]


# --- merging -----------------------------------------------------------------------------------


def test_a_guests_lines_come_into_the_users_cart_and_leave_the_guests(shop: Shop) -> None:
    shop.stock("a", "b")
    shop.add(shop.user, "a", 2)
    shop.add(shop.guest, "b", 1)
    shop.add(shop.guest, "a", 3)
    cart = shop.merge()
    assert lines(cart) == [("a", 5), ("b", 1)]
    assert (cart.version, cart.left_out) == (2, ())
    assert shop.read(shop.user) == cart
    emptied = shop.read(shop.guest)
    assert (emptied.items, emptied.version) == ((), 3)


def test_a_merge_that_is_repeated_changes_nothing(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a", 3)
    first = shop.merge()
    assert shop.merge() == first
    assert shop.read(shop.guest).version == 2


def test_of_many_merges_at_once_one_moves_the_lines(shop: Shop) -> None:
    shop.stock("a", "b")
    shop.add(shop.user, "b", 1)
    shop.add(shop.guest, "a", 3)
    with ThreadPoolExecutor(16) as threads:
        carts = list(threads.map(lambda _: shop.merge(), range(32)))
    assert {tuple(lines(cart)) for cart in carts} == {(("b", 1), ("a", 3))}
    assert shop.read(shop.user).version == 2
    assert shop.read(shop.guest).version == 2


def test_adds_while_carts_merge_are_in_one_of_them_and_never_in_both(shop: Shop) -> None:
    shop.stock("a")

    def work(number: int) -> None:
        if number % 3:
            shop.add(shop.guest, "a", 1)
        else:
            shop.merge()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(12)))
    assert shop.read(shop.guest).count + shop.read(shop.user).count == 8


def test_an_empty_or_unknown_guest_brings_nothing(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.user, "a")
    assert shop.merge().version == 1
    assert lines(shop.merge()) == [("a", 1)]


def test_nobody_merges_with_themselves(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.user, "a", 2)
    cart = shop.carts.merge(shop.user, shop.user, shop.deadline)
    assert (lines(cart), cart.version) == ([("a", 2)], 1)


def test_what_stock_and_caps_leave_out_is_told(shop: Shop) -> None:
    shop.stock("few", stock=4)
    shop.stock("many", "lost", "euro")
    for product_id, quantity in (("few", 3), ("many", 8), ("lost", 1), ("euro", 2)):
        shop.add(shop.guest, product_id, quantity)
    shop.add(shop.user, "few", 2)
    shop.add(shop.user, "many", 6)
    shop.gone("lost")
    euro = LiveFacts("euro", "Perfume euro", PriceTag(900, "EUR"))
    RedisLiveCatalog(connection=shop.connection).put([euro], shop.deadline)
    cart = shop.merge()
    assert lines(cart) == [("few", 4), ("many", MAX_PER_LINE)]
    assert [(x.product_id, x.wanted, x.moved, x.reason) for x in cart.left_out] == [
        ("few", 3, 2, "out_of_stock"),
        ("many", 8, 4, "cart_limit"),
        ("lost", 1, 0, "gone"),
        ("euro", 2, 0, "gone"),
    ]
    assert cart.view()["notices"][0] == {
        "productId": "few",
        "name": "Perfume few",
        "notice": "out_of_stock",
        "wanted": 3,
        "moved": 2,
    }
    assert "notices" not in shop.read(shop.user).view()
    assert shop.read(shop.guest).items == ()


def test_a_full_cart_takes_no_more_lines_and_no_more_pieces(shop: Shop) -> None:
    ids = [f"p{i}" for i in range(MAX_LINES)]
    shop.stock("new", *ids)
    for product_id in ids:
        shop.add(shop.user, product_id)
    shop.add(shop.guest, "new")
    shop.add(shop.guest, "p0", 2)
    cart = shop.merge()
    assert [(x.product_id, x.reason) for x in cart.left_out] == [("new", "cart_limit")]
    assert cart.count == MAX_LINES + 2

    shop.user = somebody("u")
    full = MAX_PIECES // MAX_PER_LINE
    for product_id in ids[:full]:
        shop.add(shop.user, product_id, MAX_PER_LINE)
    shop.add(shop.guest, "new", 2)
    cart = shop.merge()
    assert (cart.count, cart.left_out[0].moved, cart.version) == (MAX_PIECES, 0, full)


def test_stock_that_fell_takes_nothing_from_the_users_own_line(shop: Shop) -> None:
    shop.stock("a", stock=5)
    shop.add(shop.user, "a", 4)
    shop.add(shop.guest, "a", 2)
    shop.stock("a", stock=1)
    cart = shop.merge()
    assert lines(cart) == [("a", 4)]
    assert cart.items[0].notice == "stock_below_quantity"


def test_a_price_that_changed_since_the_guest_chose_is_still_noticed(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a")
    shop.stock("a", price=20_000)
    assert shop.merge().items[0].notice == "price_rose"


def test_undo_takes_a_merge_back_and_the_guest_has_nothing_to_undo(shop: Shop) -> None:
    shop.stock("a", "b")
    shop.add(shop.user, "b")
    shop.add(shop.guest, "a", 3)
    shop.merge()
    cart = shop.undo(shop.user)
    assert (lines(cart), cart.version) == ([("b", 1)], 3)
    with pytest.raises(CartRefusedError) as refusal:
        shop.undo(shop.guest)
    assert refusal.value.code == "nothing_to_undo"
    assert shop.merge().version == 3


def test_a_merge_for_another_version_is_refused_and_moves_nothing(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a")
    with pytest.raises(CartRefusedError) as refusal:
        shop.carts.merge(shop.user, shop.guest, shop.deadline, expected_version=4)
    assert refusal.value.code == "version_conflict"
    assert shop.read(shop.guest).count == 1
    shop.add(shop.user, "a")
    with pytest.raises(CartRefusedError):
        shop.carts.undo(shop.user, shop.deadline, expected_version=0)
    assert shop.carts.undo(shop.user, shop.deadline, expected_version=1).items == ()


# --- handing over ------------------------------------------------------------------------------


def test_what_is_kept_is_found_as_it_was(shop: Shop) -> None:
    shop.stock("a", checkout_id="4412")
    shop.add(shop.guest, "a", 2)
    given = shop.hand_over(shop.guest)
    assert given.lines[0].checkout_id == "4412"
    assert shop.handoffs.find(given.reference, shop.deadline) == given
    assert shop.handoffs.find("another", shop.deadline) is None


def test_a_cart_that_changed_in_between_is_not_handed_over(shop: Shop) -> None:
    shop.stock("a")
    given = hand_off(shop.add(shop.guest, "a"), reference="r", now=shop.now)
    shop.add(shop.guest, "a")
    with pytest.raises(CartRefusedError) as refusal:
        shop.handoffs.keep(shop.guest, given, shop.deadline)
    assert refusal.value.code == "version_conflict"
    assert shop.handoffs.find("r", shop.deadline) is None


def test_a_hand_off_is_a_key_that_erasing_the_shopper_finds(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a")
    given = shop.hand_over(shop.guest)
    index = KEPT.key(shop.connection, shop.guest.id)
    [key] = shop.connection.run(["ZRANGE", index, 0, -1], shop.deadline)
    assert family_of(shop.connection, key) is HANDOFF
    assert shop.connection.run(["HGET", key, "shopper"], shop.deadline) == shop.guest.id
    lifetime = shop.connection.run(["TTL", key], shop.deadline)
    assert 0 < lifetime <= shop.connection.run(["TTL", index], shop.deadline)
    assert max(f.seconds or 0 for f in FAMILIES if f.many) < (KEPT.seconds or 0)
    shop.connection.run(["DEL", key], shop.deadline)
    assert shop.ordered(given).outcome == "unknown"


def test_an_order_empties_the_cart_and_is_counted(shop: Shop) -> None:
    shop.stock("a", "b")
    shop.add(shop.guest, "a", 2)
    shop.add(shop.guest, "b")
    given = shop.hand_over(shop.guest)
    done = shop.ordered(given)
    assert (done.outcome, done.amount, done.currency) == ("counted", 30_000, "MAD")
    cart = shop.read(shop.guest)
    assert (cart.items, cart.version) == ((), 3)
    assert shop.revenue() == {"MAD": "30000", "MAD:orders": "1"}


@pytest.mark.parametrize(
    ("total", "currency", "field", "amount"),
    [
        (Decimal("345.5"), "", "MAD", "34550"),
        (Decimal("19.99"), "EUR", "EUR", "1999"),
        (Decimal(0), "MAD", "MAD", "0"),
        (Decimal("1999"), "JPY", "JPY", "1999"),
        (None, "EUR", "MAD", "10000"),
    ],
)
def test_the_orders_own_total_counts_where_there_is_one(
    shop: Shop, total, currency, field, amount
) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a")
    assert shop.ordered(shop.hand_over(shop.guest), total=total, currency=currency)
    assert shop.revenue() == {field: amount, f"{field}:orders": "1"}


def test_an_order_that_is_told_again_and_again_counts_once(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a")
    given = shop.hand_over(shop.guest)
    with ThreadPoolExecutor(8) as threads:
        told = [done.outcome for done in threads.map(lambda _: shop.ordered(given), range(16))]
    assert sorted(told) == ["counted"] + ["repeated"] * 15
    shop.add(shop.guest, "a")
    assert shop.ordered(given).outcome == "repeated"
    assert shop.read(shop.guest).count == 1
    assert shop.revenue()["MAD:orders"] == "1"


def test_a_second_order_from_one_link_counts_and_takes_nothing_more(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a", 2)
    given = shop.hand_over(shop.guest)
    shop.ordered(given, "1")
    shop.add(shop.guest, "a")
    assert shop.ordered(given, "2").outcome == "counted"
    assert lines(shop.read(shop.guest)) == [("a", 1)]
    assert shop.revenue()["MAD:orders"] == "2"


def test_an_order_of_an_unknown_hand_off_touches_nothing(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a")
    given = shop.hand_over(shop.guest)
    assert shop.ordered(replace(given, reference=f"{given.reference}x")).outcome == "unknown"
    assert shop.read(shop.guest).count == 1
    assert shop.revenue() == {}


Change = tuple[str, str, int]


@pytest.mark.parametrize(
    ("since", "left"),
    [
        ([], []),
        ([("add", "b", 2)], [("b", 2)]),
        ([("add", "a", 3)], [("a", 3)]),
        ([("set", "a", 5)], [("a", 3)]),
        ([("set", "a", 1)], []),
        ([("set", "a", 0)], []),
        ([("set", "a", 0), ("add", "a", 2)], [("a", 2)]),
        ([("clear", "", 0), ("add", "a", 1), ("add", "c", 1)], [("a", 1), ("c", 1)]),
        ([("clear", "", 0), ("undo", "", 0)], []),
        ([("add", "b", 1), ("undo", "", 0)], []),
    ],
)
def test_only_what_was_handed_over_leaves_the_cart(
    shop: Shop, since: Sequence[Change], left: list[tuple[str, int]]
) -> None:
    shop.stock("a", "b", "c")
    shop.add(shop.guest, "a", 2)
    given = shop.hand_over(shop.guest)
    for change, product_id, quantity in since:
        match change:
            case "add":
                shop.add(shop.guest, product_id, quantity)
            case "set":
                shop.carts.set_quantity(shop.guest, product_id, quantity, shop.deadline)
            case "clear":
                shop.carts.clear(shop.guest, shop.deadline)
            case _:
                shop.undo(shop.guest)
    before = shop.read(shop.guest)
    shop.ordered(given)
    cart = shop.read(shop.guest)
    assert lines(cart) == left
    assert cart.version == before.version + (lines(before) != left)


def test_undo_never_brings_back_what_was_ordered(shop: Shop) -> None:
    shop.stock("a", "b")
    shop.add(shop.guest, "a", 2)
    shop.ordered(shop.hand_over(shop.guest))
    with pytest.raises(CartRefusedError) as refusal:
        shop.undo(shop.guest)
    assert refusal.value.code == "nothing_to_undo"


def test_undo_after_an_order_takes_back_the_shoppers_own_last_change(shop: Shop) -> None:
    shop.stock("a", "b")
    shop.add(shop.guest, "a", 2)
    given = shop.hand_over(shop.guest)
    shop.add(shop.guest, "b")
    shop.ordered(given)
    assert lines(shop.read(shop.guest)) == [("b", 1)]
    assert shop.undo(shop.guest).items == ()


def test_a_line_removed_before_the_hand_off_can_still_come_back(shop: Shop) -> None:
    shop.stock("a", "b")
    shop.add(shop.guest, "a")
    shop.add(shop.guest, "b")
    shop.carts.set_quantity(shop.guest, "b", 0, shop.deadline)
    shop.ordered(shop.hand_over(shop.guest))
    assert lines(shop.undo(shop.guest)) == [("b", 1)]


def test_an_order_of_a_guest_who_signed_in_since_closes_the_users_cart(shop: Shop) -> None:
    shop.stock("a", "b")
    shop.add(shop.guest, "a", 2)
    given = shop.hand_over(shop.guest)
    shop.add(shop.user, "b")
    shop.merge()
    shop.ordered(given)
    assert lines(shop.read(shop.user)) == [("b", 1)]


def test_an_order_of_a_cart_that_is_no_longer_kept_is_still_counted(shop: Shop) -> None:
    shop.stock("a")
    shop.add(shop.guest, "a")
    given = shop.hand_over(shop.guest)
    key = shop.connection.key("cart", shop.guest.id)
    shop.connection.run(["DEL", key], shop.deadline)
    assert shop.ordered(given).outcome == "counted"
    assert shop.connection.run(["EXISTS", key], shop.deadline) == 0


def test_a_cart_of_before_lines_had_names_of_their_own_is_closed_too(shop: Shop) -> None:
    shop.stock("a")
    key = shop.connection.key("cart", shop.guest.id)
    old = '[["a",2,"10000","Perfume a","",""]]'
    shop.connection.run(["HSET", key, "version", 4, "lines", old, "undo", ""], shop.deadline)
    shop.ordered(shop.hand_over(shop.guest))
    assert (shop.read(shop.guest).items, shop.read(shop.guest).version) == ((), 5)
