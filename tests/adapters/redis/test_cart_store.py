from concurrent.futures import ThreadPoolExecutor

import pytest
from shopping_agent.adapters.redis import cart_scripts
from shopping_agent.adapters.redis.cart_store import CART_SECONDS, RedisCartStore
from shopping_agent.adapters.redis.connection import RedisConnection, script
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.operation import Operation
from shopping_agent.domain.quoting import MAX_LINES, MAX_PER_LINE, MAX_PIECES
from shopping_agent.errors import CartRefusedError


class Shop:
    """A cart store, its live catalog and a clock that the test sets."""

    def __init__(self, connection: RedisConnection, shopper: Shopper) -> None:
        self.now = 1_000_000.0
        self.connection = connection
        self.shopper = shopper
        self.carts = RedisCartStore(connection=connection, currency="MAD", clock=lambda: self.now)
        self.live = RedisLiveCatalog(connection=connection)
        self.deadline = Deadline.after(20)

    def stock(self, *products: LiveFacts) -> None:
        self.live.put(products, self.deadline)

    def add(self, product_id: str, quantity: int = 1, **options):
        return self.carts.add(self.shopper, product_id, quantity, self.deadline, **options)

    def set(self, product_id: str, quantity: int, **options):
        return self.carts.set_quantity(self.shopper, product_id, quantity, self.deadline, **options)

    def clear(self, **options):
        return self.carts.clear(self.shopper, self.deadline, **options)

    def undo(self):
        return self.carts.undo(self.shopper, self.deadline)

    def read(self):
        return self.carts.read(self.shopper, self.deadline)

    def refused(self, change, *arguments, **options) -> CartRefusedError:
        before = self.read()
        with pytest.raises(CartRefusedError) as refusal:
            change(*arguments, **options)
        assert self.read() == before
        return refusal.value


@pytest.fixture
def shop(connection: RedisConnection, shopper: Shopper) -> Shop:
    return Shop(connection, shopper)


def product(product_id: str, price: int = 69000, stock: int | None = 5, **more) -> LiveFacts:
    tag = PriceTag(price, more.pop("currency", "MAD"), *more.pop("sale", ()))
    name = more.pop("name", f"Perfume {product_id}")
    return LiveFacts(id=product_id, name=name, price=tag, brand="Maison", stock=stock, **more)


def test_an_untouched_cart_is_empty_and_version_0(shop: Shop) -> None:
    cart = shop.read()
    assert (cart.items, cart.version, cart.total, cart.currency) == ((), 0, 0, "MAD")


def test_adding_answers_the_cart_at_the_live_price(shop: Shop) -> None:
    shop.stock(product("a", 69050, image_url="https://x.example/a.jpg"))
    cart = shop.add("a", 2)
    [line] = cart.items
    assert (line.product_id, line.name, line.brand) == ("a", "Perfume a", "Maison")
    assert (line.quantity, line.unit_price, line.image_url) == (2, 69050, "https://x.example/a.jpg")
    assert (cart.version, cart.total, line.available, line.notice) == (1, 138100, True, None)
    assert shop.read() == cart


def test_adding_again_merges_into_one_line(shop: Shop) -> None:
    shop.stock(product("a"), product("b"))
    shop.add("a", 1)
    shop.add("b", 1)
    cart = shop.add("a", 2)
    assert [(line.product_id, line.quantity) for line in cart.items] == [("a", 3), ("b", 1)]
    assert cart.version == 3


@pytest.mark.parametrize("quantity", [0, -1, 1.0, True, "2"])
def test_a_quantity_that_is_no_whole_positive_number_is_refused(shop: Shop, quantity) -> None:
    shop.stock(product("a"))
    assert shop.refused(shop.add, "a", quantity).code == "invalid_quantity"


def test_a_product_that_is_not_live_is_unknown(shop: Shop) -> None:
    assert shop.refused(shop.add, "nope").code == "unknown_product"


def test_stock_is_checked_against_what_the_cart_holds_already(shop: Shop) -> None:
    shop.stock(product("a", stock=3, name="Dahab"))
    shop.add("a", 2)
    refusal = shop.refused(shop.add, "a", 2)
    assert (refusal.code, refusal.limit) == ("out_of_stock", 1)
    assert "Dahab" in str(refusal)
    assert shop.refused(shop.set, "a", 4).limit == 3
    assert shop.set("a", 3).count == 3


def test_a_product_without_stock_is_refused_with_limit_0(shop: Shop) -> None:
    shop.stock(product("a", stock=0))
    refusal = shop.refused(shop.add, "a")
    assert (refusal.code, refusal.limit) == ("out_of_stock", 0)


def test_unknown_stock_sells_up_to_the_cap_of_a_line(shop: Shop) -> None:
    shop.stock(product("a", stock=None))
    shop.add("a", MAX_PER_LINE)
    refusal = shop.refused(shop.add, "a")
    assert (refusal.code, refusal.limit) == ("cart_limit", 0)


def test_the_caps_bind_before_a_larger_stock(shop: Shop) -> None:
    shop.stock(product("a", stock=10_000))
    refusal = shop.refused(shop.add, "a", 999)
    assert (refusal.code, refusal.limit) == ("cart_limit", MAX_PER_LINE)


def test_a_cart_holds_so_many_pieces_and_no_more(shop: Shop) -> None:
    full = MAX_PIECES // MAX_PER_LINE
    shop.stock(*(product(str(i), stock=None) for i in range(full + 1)))
    for i in range(full):
        shop.add(str(i), MAX_PER_LINE)
    refusal = shop.refused(shop.add, str(full))
    assert (refusal.code, refusal.limit) == ("cart_limit", 0)
    shop.set("0", MAX_PER_LINE - 3)
    assert shop.refused(shop.add, str(full), 4).limit == 3


def test_a_cart_holds_so_many_lines_and_no_more(shop: Shop) -> None:
    shop.stock(*(product(str(i)) for i in range(MAX_LINES + 1)))
    for i in range(MAX_LINES):
        shop.add(str(i))
    assert shop.refused(shop.add, str(MAX_LINES)).code == "cart_limit"
    assert shop.add("0").count == MAX_LINES + 1


def test_a_foreign_currency_is_refused(shop: Shop) -> None:
    shop.stock(product("a", currency="EUR"))
    assert shop.refused(shop.add, "a").code == "currency_mismatch"


def test_a_change_for_another_version_is_refused_whatever_it_is(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a", expected_version=0)
    for change, arguments in ((shop.add, ("a",)), (shop.set, ("a", 2)), (shop.clear, ())):
        refusal = shop.refused(change, *arguments, expected_version=0)
        assert refusal.code == "version_conflict"
    assert shop.set("a", 2, expected_version=1).version == 2


def test_quantity_0_removes_the_line(shop: Shop) -> None:
    shop.stock(product("a"), product("b"))
    shop.add("a")
    shop.add("b")
    cart = shop.set("a", 0)
    assert [line.product_id for line in cart.items] == ["b"]
    assert cart.version == 3


def test_removing_an_absent_line_changes_nothing(shop: Shop) -> None:
    assert shop.set("a", 0).version == 0
    shop.stock(product("a"))
    shop.add("a")
    assert shop.set("b", 0).version == 1


def test_setting_an_absent_line_is_unknown(shop: Shop) -> None:
    shop.stock(product("a"))
    refusal = shop.refused(shop.set, "a", 2)
    assert refusal.code == "unknown_product"
    assert str(refusal) == "This product is not in the cart."


def test_clearing_empties_the_cart_and_an_empty_cart_stays_as_it_is(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a")
    cart = shop.clear()
    assert (cart.items, cart.version) == ((), 2)
    assert shop.clear().version == 2


def test_undo_goes_one_step_back_and_no_further(shop: Shop) -> None:
    shop.stock(product("a"), product("b"))
    shop.add("a")
    shop.add("b", 2)
    cart = shop.undo()
    assert [line.product_id for line in cart.items] == ["a"]
    assert cart.version == 3
    assert shop.refused(shop.undo).code == "nothing_to_undo"


def test_undo_brings_a_cleared_cart_back(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a", 3)
    shop.clear()
    assert shop.undo().count == 3


def test_undo_of_the_first_add_leaves_an_empty_cart(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a")
    assert shop.undo().items == ()


def test_an_untouched_cart_has_nothing_to_undo(shop: Shop) -> None:
    assert shop.refused(shop.undo).code == "nothing_to_undo"


def test_a_refused_change_keeps_the_undo_of_the_change_before(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a")
    shop.refused(shop.add, "a", 99)
    shop.set("zz", 0)
    assert shop.undo().items == ()


@pytest.mark.parametrize(("later", "notice"), [(70000, "price_rose"), (50000, "price_fell")])
def test_a_changed_price_is_charged_and_noticed(shop: Shop, later, notice) -> None:
    shop.stock(product("a", 60000))
    shop.add("a", 2)
    shop.stock(product("a", later))
    cart = shop.read()
    assert (cart.total, cart.items[0].notice) == (2 * later, notice)
    accepted = shop.set("a", 2)
    assert (accepted.items[0].notice, accepted.version) == (None, 1)


def test_stock_that_fell_below_the_quantity_is_noticed(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a", 3)
    shop.stock(product("a", stock=2))
    [line] = shop.read().items
    assert (line.available, line.notice) == (False, "stock_below_quantity")
    assert shop.set("a", 2).items[0].available


def test_a_product_that_is_gone_keeps_its_name_and_costs_nothing(shop: Shop) -> None:
    shop.stock(product("a", name="Dahab"), product("b", 10000))
    shop.add("a")
    shop.add("b")
    shop.live.remove(["a"], shop.deadline)
    cart = shop.read()
    assert (cart.items[0].name, cart.items[0].notice, cart.items[0].available) == (
        "Dahab",
        "gone",
        False,
    )
    assert (cart.total, cart.count) == (10000, 2)
    assert shop.refused(shop.set, "a", 2).code == "unknown_product"
    assert shop.set("a", 0).count == 1


def test_a_product_repriced_in_another_currency_is_gone(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a")
    shop.stock(product("a", currency="EUR"))
    cart = shop.read()
    assert (cart.items[0].notice, cart.total) == ("gone", 0)


def test_a_sale_holds_in_its_window_only(shop: Shop) -> None:
    shop.stock(product("a", 60000, sale=(45000, 1_000_000, 1_000_100)))
    assert shop.add("a").total == 45000
    shop.now = 1_000_099.9
    assert shop.read().items[0].notice is None
    shop.now = 1_000_100.0
    cart = shop.read()
    assert (cart.total, cart.items[0].notice) == (60000, "price_rose")
    shop.now = 999_999.9
    assert shop.read().total == 60000


def test_the_price_written_with_a_line_is_that_of_its_sale_window(shop: Shop) -> None:
    shop.stock(product("a", 60000, sale=(45000, None, 1_000_100)))
    shop.now = 1_000_200.0
    assert shop.add("a").items[0].notice is None


def test_names_in_any_script_and_odd_ids_survive(shop: Shop) -> None:
    name = 'عطر "دهب" / L\'Été \\ 50 ml 🌸'
    shop.stock(product("id with spaces/é?#", name=name))
    assert shop.add("id with spaces/é?#").items[0].name == name
    shop.live.remove(["id with spaces/é?#"], shop.deadline)
    assert shop.read().items[0].name == name


def test_large_amounts_stay_exact(shop: Shop) -> None:
    shop.stock(product("a", 123_456_789_012_345))
    assert shop.add("a", 3).total == 370_370_367_037_035
    assert shop.read().items[0].notice is None


def test_carts_of_two_shoppers_are_apart(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a")
    other = Shopper(id="g_other", session_id="g_other")
    assert shop.carts.read(other, shop.deadline).items == ()


def test_changes_at_the_same_moment_are_all_counted_and_never_oversell(shop: Shop) -> None:
    shop.stock(product("a", stock=7))

    def add(_) -> str:
        try:
            shop.add("a")
        except CartRefusedError as refusal:
            return refusal.code
        return "added"

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(add, range(12)))
    cart = shop.read()
    assert outcomes.count("added") == 7 == cart.count == cart.version
    assert outcomes.count("out_of_stock") == 5


def test_a_request_that_arrives_twice_changes_the_cart_once(shop: Shop) -> None:
    shop.stock(product("a"))
    keys = [shop.connection.key("cart", shop.shopper.id), shop.connection.key("live")]
    arguments = [shop.now, CART_SECONDS, "op1", "", "MAD", 10, 30, 50, "a", 2]
    command = script(cart_scripts.ADD, keys, arguments)
    first = shop.connection.run(command, shop.deadline)
    assert shop.connection.run(command, shop.deadline) == first
    assert shop.read().count == 2


def test_a_cart_lives_for_thirty_days_after_its_last_use(shop: Shop) -> None:
    shop.stock(product("a"))
    shop.add("a")
    key = shop.connection.key("cart", shop.shopper.id)
    shop.connection.run(["EXPIRE", key, 100], shop.deadline)
    shop.read()
    assert shop.connection.run(["TTL", key], shop.deadline) > CART_SECONDS - 100


def test_reading_stores_nothing(shop: Shop) -> None:
    shop.read()
    shop.set("a", 0)
    key = shop.connection.key("cart", shop.shopper.id)
    assert shop.connection.run(["EXISTS", key], shop.deadline) == 0


def test_an_operation_that_changed_nothing_changes_nothing_when_a_copy_comes_late(
    shop: Shop,
) -> None:
    shop.stock(product("a"), product("b"))
    keep, empty = Operation("keep two"), Operation("remove what is not there")
    shop.add("a", 2)
    shop.set("a", 2, operation=keep)
    shop.set("b", 0, operation=empty)
    shop.set("a", 1)
    shop.add("b")
    shop.set("a", 2, operation=keep)
    cart = shop.set("b", 0, operation=empty)
    assert {line.product_id: line.quantity for line in cart.items} == {"a": 1, "b": 1}


def test_an_operation_that_was_refused_is_refused_again_though_it_could_be_done_by_now(
    shop: Shop,
) -> None:
    shop.stock(product("a", stock=5))
    shop.add("a", 3)
    wanted = Operation("four of a")
    for _ in range(2):
        with pytest.raises(CartRefusedError) as refused:
            shop.add("a", 4, operation=wanted)
        assert (refused.value.code, refused.value.limit) == ("out_of_stock", 2)
        shop.carts.clear(shop.shopper, shop.deadline)
    assert shop.read().count == 0


def test_a_refusal_that_nobody_can_repeat_leaves_no_trace(shop: Shop) -> None:
    with pytest.raises(CartRefusedError):
        shop.add("unknown")
    key = shop.connection.key("cart", shop.shopper.id)
    assert shop.connection.run(["EXISTS", key], shop.deadline) == 0
