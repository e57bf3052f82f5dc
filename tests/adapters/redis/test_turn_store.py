import pytest
from shopping_agent.adapters.redis import conversation as bounds
from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.adapters.redis.turn_store import CONVERSATION_SECONDS, RedisTurnStore
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.conversation import Conversation, Exchange, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShownProduct
from shopping_agent.errors import StateUnavailableError


@pytest.fixture
def turns(connection: RedisConnection) -> RedisTurnStore:
    return RedisTurnStore(connection=connection, currency="MAD")


def saved(turns, shopper: Shopper, conversation: Conversation, deadline: Deadline) -> Conversation:
    turns.save(shopper, conversation, deadline)
    return turns.load(shopper, [], deadline).conversation


def test_a_new_session_has_an_empty_state(turns, shopper, deadline: Deadline) -> None:
    state = turns.load(shopper, ["dahab"], deadline)
    assert state.conversation == Conversation()
    assert (state.cart.items, state.cart.version, dict(state.names)) == ((), 0, {})


def test_one_round_trip_brings_cart_conversation_and_names(
    turns, connection: RedisConnection, shopper, deadline: Deadline, monkeypatch
) -> None:
    price = PriceTag(5000, "MAD")
    live = RedisLiveCatalog(connection=connection)
    live.put([LiveFacts(id="a", name="Dahab", price=price)], deadline)
    RedisCartStore(connection=connection, currency="MAD").add(shopper, "a", 2, deadline)
    turns.save(shopper, Conversation(seen=("a",)), deadline)
    trips = []
    pipeline = connection.pipeline
    monkeypatch.setattr(
        connection, "pipeline", lambda *given: trips.append(given) or pipeline(*given)
    )
    state = turns.load(shopper, ["show me dahab", "dahab"], deadline)
    assert len(trips) == 1
    assert state.cart.total == 10000
    assert state.conversation.seen == ("a",)
    assert {key: list(ids) for key, ids in state.names.items()} == {"dahab": ["a"]}


def test_everything_a_session_remembers_comes_back(turns, shopper, deadline: Deadline) -> None:
    shown = (ShownProduct("a", "Dahab", 69000, 50), ShownProduct("b", "وردة", 100, None))
    conversation = Conversation(
        exchanges=(Exchange("salam", "Marhba!", "general"), Exchange("zid hadi", "ok", "cart")),
        shown=shown,
        seen=("x", "a", "b"),
        focus=shown[1],
        pending={"tool": "add_to_cart", "choices": [{"label": "50 ml", "productId": "a"}]},
    )
    assert saved(turns, shopper, conversation, deadline) == conversation


def test_only_the_newest_exchanges_are_kept(turns, shopper, deadline: Deadline) -> None:
    many = tuple(Exchange(f"q{i}", f"a{i}") for i in range(bounds.MAX_EXCHANGES + 3))
    kept = saved(turns, shopper, Conversation(exchanges=many), deadline).exchanges
    assert kept == many[3:]


def test_a_history_is_cut_between_exchanges_never_inside_one(turns, shopper, deadline) -> None:
    size = bounds.MAX_CHARACTERS // 4
    many = tuple(Exchange("q" * (size - 10), "a" * 10) for _ in range(6))
    kept = saved(turns, shopper, Conversation(exchanges=many), deadline).exchanges
    assert kept == many[:4]


def test_a_giant_last_exchange_is_shortened_not_lost(turns, shopper, deadline) -> None:
    giant = Exchange("q" * 50_000, "a" * 50_000)
    [kept] = saved(turns, shopper, Conversation(exchanges=(giant,)), deadline).exchanges
    assert len(kept.user) == len(kept.assistant) == bounds.MAX_TEXT


def test_seen_ids_are_bounded_and_the_newest_stay(turns, shopper, deadline: Deadline) -> None:
    ids = tuple(str(i) for i in range(bounds.MAX_SEEN + 50))
    assert saved(turns, shopper, Conversation(seen=ids), deadline).seen == ids[50:]


def test_a_conversation_ends_a_week_after_its_last_turn(
    turns, connection: RedisConnection, shopper, deadline: Deadline
) -> None:
    turns.save(shopper, Conversation(), deadline)
    key = connection.key("conversation", shopper.session_id)
    assert connection.run(["TTL", key], deadline) > CONVERSATION_SECONDS - 60
    assert connection.run(["TTL", key], deadline) <= CONVERSATION_SECONDS


def test_an_unreadable_conversation_is_an_outage(
    turns, connection: RedisConnection, shopper, deadline: Deadline
) -> None:
    connection.run(["SET", connection.key("conversation", shopper.session_id), "{"], deadline)
    with pytest.raises(StateUnavailableError):
        turns.load(shopper, [], deadline)
