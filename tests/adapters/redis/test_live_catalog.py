import json

import pytest
from shopping_agent.adapters.redis import live_catalog
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError

FULL = LiveFacts(
    id="a",
    name="Dahab Intense",
    price=PriceTag(69050, "MAD", 50000, 1_700_000_000, 1_800_000_000),
    brand="Maison",
    image_url="https://x.example/a.jpg",
    stock=0,
    variant_of="dahab",
    size_ml=50,
    revision=3,
)
BARE = LiveFacts(id="b", name="Ward", price=PriceTag(9000, "TND"))


@pytest.fixture
def live(connection: RedisConnection) -> RedisLiveCatalog:
    return RedisLiveCatalog(connection=connection)


@pytest.fixture
def names(connection: RedisConnection, deadline: Deadline):
    def ids(key: str):
        held = connection.run(["HGET", connection.key("names"), key], deadline)
        return held and json.loads(held)

    return ids


def test_what_is_put_is_read_back_whole(live: RedisLiveCatalog, deadline: Deadline) -> None:
    live.put([FULL, BARE], deadline)
    assert live.get(["a", "b", "missing", "a"], deadline) == {"a": FULL, "b": BARE}


def test_no_ids_need_no_answer(live: RedisLiveCatalog, deadline: Deadline) -> None:
    assert live.get([], deadline) == {}
    live.put([], deadline)
    live.remove([], deadline)


def test_the_revision_grows_with_a_change_and_only_then(live, deadline: Deadline) -> None:
    live.put([BARE], deadline)
    live.put([BARE], deadline)
    assert live.get(["b"], deadline)["b"].revision == 0
    live.put([LiveFacts(id="b", name="Ward", price=PriceTag(8000, "TND"))], deadline)
    assert live.get(["b"], deadline)["b"].revision == 1


def test_a_name_is_found_without_its_size_as_well(live, names, deadline: Deadline) -> None:
    sizes = [
        LiveFacts(id=f"n{size}", name=f"Neroli Bloom - {size} ml", price=FULL.price)
        for size in (30, 50)
    ]
    live.put(sizes, deadline)
    assert names("neroli bloom") == ["n30", "n50"]
    assert names("neroli bloom 50 ml") == ["n50"]
    live.put([LiveFacts(id="n50", name="Ward - 50 ml", price=FULL.price)], deadline)
    assert (names("neroli bloom"), names("neroli bloom 50 ml")) == (["n30"], None)
    live.remove(["n30"], deadline)
    assert (names("neroli bloom"), names("ward")) == (None, ["n50"])


def test_sales_of_the_moment_are_found_in_one_read(live, deadline: Deadline) -> None:
    def reduced(key: str, sale: int | None, start: int | None, end: int | None) -> LiveFacts:
        return LiveFacts(id=key, name=key, price=PriceTag(9000, "MAD", sale, start, end))

    facts = [
        reduced("now", 8000, 1_000, 3_000),
        reduced("endless", 8000, None, None),
        reduced("over", 8000, None, 2_000),
        reduced("not-yet", 8000, 2_500, None),
        reduced("no-sale", None, None, None),
        reduced("dearer", 9500, None, None),
    ]
    live.put(facts, deadline)
    assert {f.id for f in live.on_sale(2_000, deadline)} == {"now", "endless"}
    live.put([reduced("endless", None, None, None)], deadline)
    live.remove(["now"], deadline)
    assert live.on_sale(2_000, deadline) == []


def test_names_are_found_by_their_key(live, names, deadline: Deadline) -> None:
    live.put([FULL, LiveFacts(id="c", name="DAHAB  intense!", price=FULL.price)], deadline)
    assert names("dahab intense") == ["a", "c"]


def test_a_renamed_product_is_found_by_its_new_name_only(live, names, deadline: Deadline) -> None:
    live.put([BARE], deadline)
    live.put([LiveFacts(id="b", name="Ward Noir", price=BARE.price)], deadline)
    assert (names("ward"), names("ward noir")) == (None, ["b"])


def test_a_removed_product_is_gone_and_so_is_its_name(live, names, deadline: Deadline) -> None:
    live.put([FULL, LiveFacts(id="c", name="Dahab Intense", price=FULL.price)], deadline)
    live.remove(["a", "never"], deadline)
    assert list(live.get(["a", "c"], deadline)) == ["c"]
    assert names("dahab intense") == ["c"]
    live.remove(["c"], deadline)
    assert names("dahab intense") is None


def test_many_products_go_in_batches(live, deadline: Deadline) -> None:
    many = [
        LiveFacts(id=str(i), name=f"N {i}", price=PriceTag(i + 1, "MAD"))
        for i in range(live_catalog.BATCH * 2 + 1)
    ]
    live.put(many, deadline)
    found = live.get([fact.id for fact in many], deadline)
    assert [found[fact.id] for fact in many] == many
    live.remove([fact.id for fact in many], deadline)
    assert live.get([fact.id for fact in many], deadline) == {}


def test_one_name_keeps_a_bounded_list_of_ids(live, names, deadline: Deadline) -> None:
    cap = live_catalog.MAX_IDS_PER_NAME
    live.put(
        [LiveFacts(id=str(i), name="Same", price=BARE.price) for i in range(cap + 5)], deadline
    )
    assert len(names("same")) == cap


def test_a_name_without_words_has_no_key_but_its_facts_are_kept(live, deadline) -> None:
    odd = LiveFacts(id="x", name="***", price=BARE.price)
    live.put([odd], deadline)
    assert live.get(["x"], deadline) == {"x": odd}
    live.remove(["x"], deadline)


def test_foreign_data_under_our_key_is_an_outage_and_never_a_product(
    live, connection: RedisConnection, deadline: Deadline
) -> None:
    connection.run(["HSET", connection.key("live"), "x", "not ours"], deadline)
    with pytest.raises(StateUnavailableError):
        live.get(["x"], deadline)
