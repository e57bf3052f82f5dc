import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from shopping_agent.adapters.redis import conversation as bounds
from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.keys import CONVERSATION, JOURNAL, journal_key
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.adapters.redis.turn_store import RedisTurnStore
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.conversation import Conversation, Exchange, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.operation import FinishedTurn, JournalEntry, Operation, TurnClaim
from shopping_agent.domain.query import ShownProduct
from shopping_agent.domain.stated_profile import Profile
from shopping_agent.errors import InProgressError, InvalidFieldError

EMPTY = Conversation()


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def turns(connection: RedisConnection, clock: Clock) -> RedisTurnStore:
    return RedisTurnStore(connection=connection, currency="MAD", clock=clock)


@pytest.fixture
def carts(connection: RedisConnection, clock: Clock, deadline: Deadline) -> RedisCartStore:
    """Carts of a shop that sells `a` and `b`."""
    live = RedisLiveCatalog(connection=connection)
    live.put([LiveFacts(id=i, name=i, price=PriceTag(5000, "MAD")) for i in "ab"], deadline)
    return RedisCartStore(connection=connection, currency="MAD", clock=clock)


def loaded(turns, shopper: Shopper, deadline: Deadline) -> Conversation:
    return turns.load(shopper, [], deadline).conversation


def saved(turns, shopper: Shopper, conversation: Conversation, deadline: Deadline) -> Conversation:
    turns.save(shopper, loaded(turns, shopper, deadline), conversation, deadline)
    return loaded(turns, shopper, deadline)


def said(turns, shopper: Shopper, exchange: Exchange, deadline: Deadline) -> Conversation:
    before = loaded(turns, shopper, deadline)
    return saved(turns, shopper, replace(before, exchanges=(*before.exchanges, exchange)), deadline)


def test_a_new_session_has_an_empty_state(turns, shopper, deadline: Deadline) -> None:
    state = turns.load(shopper, ["dahab"], deadline)
    assert state.conversation == EMPTY
    assert not state.history_lost
    assert (state.cart.items, state.cart.version, dict(state.names)) == ((), 0, {})


def test_one_round_trip_brings_cart_conversation_claim_and_names(
    turns, connection: RedisConnection, carts, shopper, deadline: Deadline, monkeypatch
) -> None:
    carts.add(shopper, "a", 2, deadline)
    turns.save(shopper, EMPTY, Conversation(seen=("a",)), deadline)
    trips = []
    pipeline = connection.pipeline
    monkeypatch.setattr(
        connection, "pipeline", lambda *given: trips.append(given) or pipeline(*given)
    )
    state = turns.load(shopper, ["show me a", "a"], deadline, claim=TurnClaim("t", "m", "h", 9))
    assert len(trips) == 1
    assert state.cart.total == 10000
    assert state.conversation.seen == ("a",)
    assert state.record is not None
    assert {key: list(ids) for key, ids in state.names.items()} == {"a": ["a"]}


def test_everything_a_session_remembers_comes_back(turns, shopper, deadline: Deadline) -> None:
    shown = (ShownProduct("a", "Dahab", 69000, 50), ShownProduct("b", "وردة", 100, None))
    conversation = Conversation(
        exchanges=(Exchange("zid hadi\n\u2028", 'o"k\x85', "cart", "ary-latn"),),
        shown=shown,
        seen=("x", "a", "b"),
        focus=shown[1],
        pending={"tool": "add_to_cart", "choices": [{"label": "50 ml", "productId": "a"}]},
        added=("a",),
        profile=Profile((("climate", ("hot", "humid")), ("skinType", ("dry",)))),
        asked=("occasion",),
    )
    assert saved(turns, shopper, conversation, deadline) == conversation


def test_only_the_newest_exchanges_are_kept(turns, shopper, deadline: Deadline) -> None:
    many = tuple(Exchange(f"q{i}", f"a{i}") for i in range(bounds.MAX_EXCHANGES + 3))
    for exchange in many:
        said(turns, shopper, exchange, deadline)
    kept = loaded(turns, shopper, deadline).exchanges
    assert kept == many[3:]


@pytest.mark.parametrize(
    ("letter", "bound"), [("q", bounds.MAX_CHARACTERS), ("ع", bounds.MAX_TOKENS * 2)]
)
def test_a_history_is_cut_between_exchanges_never_inside_one(
    turns, shopper, deadline: Deadline, letter: str, bound: int
) -> None:
    many = [Exchange(letter * 1_900 + str(i), "a" * 90) for i in range(9)]
    for exchange in many:
        said(turns, shopper, exchange, deadline)
    kept = loaded(turns, shopper, deadline).exchanges
    assert kept == tuple(many[-(bound // 2_000) :])


def test_a_giant_last_exchange_is_shortened_not_lost(turns, shopper, deadline: Deadline) -> None:
    giant = Exchange("ع" * 50_000, "ع" * 50_000)
    [kept] = said(turns, shopper, giant, deadline).exchanges
    assert len(kept.user) == len(kept.assistant) == bounds.MAX_TEXT


def test_seen_ids_are_bounded_and_the_newest_stay(turns, shopper, deadline: Deadline) -> None:
    for i in range(0, 260, 20):
        before = loaded(turns, shopper, deadline)
        new = tuple(str(n) for n in range(i, i + 20))
        turns.save(shopper, before, replace(before, seen=(*new, *before.seen)), deadline)
    seen = loaded(turns, shopper, deadline).seen
    assert len(seen) == bounds.MAX_SEEN
    assert set(seen) == {str(n) for n in range(60, 260)}


def test_a_conversation_ends_a_week_after_its_last_turn(
    turns, connection: RedisConnection, shopper, deadline: Deadline
) -> None:
    said(turns, shopper, Exchange("q", "a"), deadline)
    key = CONVERSATION.key(connection, shopper.session_id)
    left = connection.run(["TTL", key], deadline)
    assert 7 * 24 * 3600 - 60 < left <= 7 * 24 * 3600


# --- turns that overlap ------------------------------------------------------------------------


def test_of_two_turns_at_once_neither_exchange_is_lost(turns, shopper, deadline) -> None:
    said(turns, shopper, Exchange("hello", "hi"), deadline)
    before = loaded(turns, shopper, deadline)
    for name in ("left", "right"):
        after = replace(
            before, exchanges=(*before.exchanges, Exchange(name, "ok")), seen=(name, *before.seen)
        )
        turns.save(shopper, before, after, deadline)
    now = loaded(turns, shopper, deadline)
    assert [e.user for e in now.exchanges] == ["hello", "left", "right"]
    assert set(now.seen) == {"left", "right"}


def test_a_turn_that_showed_nothing_leaves_what_another_showed(turns, shopper, deadline) -> None:
    before = loaded(turns, shopper, deadline)
    shown = (ShownProduct("a", "A"),)
    turns.save(
        shopper, before, replace(before, shown=shown, focus=shown[0], pending={"q": 1}), deadline
    )
    turns.save(shopper, before, before, deadline)
    now = loaded(turns, shopper, deadline)
    assert (now.shown, now.focus, now.pending) == (shown, shown[0], {"q": 1})


def test_settling_a_question_does_not_forget_another_turns_question(turns, shopper, deadline):
    saved(turns, shopper, Conversation(pending={"q": "old"}), deadline)
    before = loaded(turns, shopper, deadline)
    turns.save(shopper, before, replace(before, pending={"q": "new"}), deadline)
    turns.save(shopper, before, replace(before, pending=None), deadline)
    assert loaded(turns, shopper, deadline).pending == {"q": "new"}
    again = loaded(turns, shopper, deadline)
    turns.save(shopper, again, replace(again, pending=None), deadline)
    assert loaded(turns, shopper, deadline).pending is None


def test_many_turns_at_once_all_arrive(turns, connection, shopper, deadline: Deadline) -> None:
    def one(number: int) -> None:
        before = loaded(turns, shopper, deadline)
        exchange = Exchange(f"q{number}", "a")
        after = replace(
            before,
            exchanges=(*before.exchanges, exchange)[-bounds.MAX_EXCHANGES :],
            seen=(str(number), *before.seen),
        )
        turns.save(shopper, before, after, deadline)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(60)))
    now = loaded(turns, shopper, deadline)
    key = CONVERSATION.key(connection, shopper.session_id)
    assert connection.run(["HGET", key, "version"], deadline) == "60"
    assert set(now.seen) == {str(n) for n in range(60)}
    assert len(now.exchanges) == bounds.MAX_EXCHANGES


def test_a_turn_that_began_before_an_erasure_brings_nothing_back(
    turns, connection: RedisConnection, shopper, deadline: Deadline
) -> None:
    before = said(turns, shopper, Exchange("secret", "a"), deadline)
    key = CONVERSATION.key(connection, shopper.session_id)
    connection.run(["DEL", key], deadline)
    turns.save(
        shopper,
        before,
        replace(before, exchanges=(*before.exchanges, Exchange("x", "y"))),
        deadline,
    )
    assert connection.run(["EXISTS", key], deadline) == 0


@pytest.mark.parametrize("damage", [["SET", "{"], ["HSET", "said", "1 1 {"], ["HSET", "seen", "x"]])
def test_a_history_that_cannot_be_read_is_lost_and_the_shopper_still_served(
    turns, connection: RedisConnection, shopper, deadline: Deadline, damage: list[str]
) -> None:
    said(turns, shopper, Exchange("q", "a"), deadline)
    key = CONVERSATION.key(connection, shopper.session_id)
    if damage[0] == "SET":
        connection.run(["DEL", key], deadline)
    connection.run([damage[0], key, *damage[1:]], deadline)
    state = turns.load(shopper, [], deadline)
    assert state.history_lost
    assert state.conversation.seen == ()
    now = said(turns, shopper, Exchange("next", "b"), deadline)
    assert now.exchanges[-1] == Exchange("next", "b")


# --- turns that are sent again -----------------------------------------------------------------


def claim(turn_id: str = "t1", *, message: str = "add a", holder: str = "h1") -> TurnClaim:
    return TurnClaim(turn_id, message, holder, 20.0)


def add(carts, shopper: Shopper, attempt: int, ordinal: int, deadline: Deadline, product="a"):
    entry = JournalEntry("t1", attempt, ordinal, json.dumps(["add", product, 1, product]))
    return carts.add(
        shopper, product, 1, deadline, operation=Operation(f"t1 {ordinal} {product}", entry)
    )


def test_a_finished_turn_has_its_reply(turns, shopper, deadline: Deadline) -> None:
    record = turns.load(shopper, [], deadline, claim=claim()).record
    assert record is not None
    done = FinishedTurn("t1", record.attempt, '{"answer":"ok"}')
    turns.save(shopper, EMPTY, EMPTY, deadline, finished=done)
    again = turns.load(shopper, [], deadline, claim=claim(holder="h2")).record
    assert again is not None
    assert again.reply == '{"answer":"ok"}'


def test_a_turns_id_is_not_for_another_message(turns, shopper, deadline: Deadline) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    with pytest.raises(InvalidFieldError) as refused:
        turns.load(shopper, [], deadline, claim=claim(message="add b", holder="h2"))
    assert (refused.value.status, refused.value.code) == (422, "turn_reused")


def test_a_turn_that_runs_is_not_run_again_until_it_counts_as_dead(
    turns, shopper, clock: Clock, deadline: Deadline
) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    clock.now += 5
    with pytest.raises(InProgressError) as refused:
        turns.load(shopper, [], deadline, claim=claim(holder="h2"))
    assert (refused.value.status, refused.value.retry_after) == (409, 2)
    clock.now += 15
    assert turns.load(shopper, [], deadline, claim=claim(holder="h2")).record.attempt == 2


def test_the_same_attempt_may_claim_twice(turns, shopper, deadline: Deadline) -> None:
    # The connection sends a request again when a kept connection turns out to be dead.
    assert turns.load(shopper, [], deadline, claim=claim()).record.attempt == 1
    assert turns.load(shopper, [], deadline, claim=claim()).record.attempt == 1


def test_a_turn_that_was_given_up_is_tried_again_at_once(turns, shopper, deadline) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    turns.release(shopper, claim(), deadline)
    assert turns.load(shopper, [], deadline, claim=claim(holder="h2")).record.attempt == 2


def test_what_a_dead_attempt_wrote_is_known_to_the_next(
    turns, carts, shopper, clock: Clock, deadline: Deadline
) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    add(carts, shopper, 1, 1, deadline)
    clock.now += 60
    record = turns.load(shopper, [], deadline, claim=claim(holder="h2")).record
    assert record.writes == {1: '["add", "a", 1, "a"]'}


def test_a_change_is_written_down_with_the_change_or_not_at_all(
    turns, carts, shopper, deadline: Deadline
) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    assert add(carts, shopper, 1, 1, deadline).count == 1
    assert add(carts, shopper, 1, 1, deadline).count == 1
    assert add(carts, shopper, 1, 2, deadline, product="b").count == 2
    turns.release(shopper, claim(), deadline)
    record = turns.load(shopper, [], deadline, claim=claim(holder="h2")).record
    assert sorted(record.writes) == [1, 2]


def test_an_attempt_that_was_taken_over_changes_nothing_any_more(
    turns, carts, shopper, clock: Clock, deadline: Deadline
) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    clock.now += 60
    turns.load(shopper, [], deadline, claim=claim(holder="h2"))
    with pytest.raises(InProgressError):
        add(carts, shopper, 1, 1, deadline)
    late = FinishedTurn("t1", 1, "late")
    turns.save(
        shopper, EMPTY, replace(EMPTY, exchanges=(Exchange("q", "a"),)), deadline, finished=late
    )
    assert carts.read(shopper, deadline).count == 0
    assert loaded(turns, shopper, deadline) == EMPTY


def test_turns_of_another_shopper_are_other_turns(turns, shopper, deadline: Deadline) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    other = Shopper("g_other", "g_other")
    assert turns.load(other, [], deadline, claim=claim(message="else")).record.attempt == 1


def test_a_journal_is_kept_for_a_day(turns, connection, shopper, deadline: Deadline) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    left = connection.run(["TTL", journal_key(connection, shopper, "t1")], deadline)
    assert (JOURNAL.seconds or 0) - 60 < left <= (JOURNAL.seconds or 0) == 24 * 3600


def test_a_turns_own_id_stands_in_no_key(turns, connection, shopper, deadline: Deadline) -> None:
    turns.load(shopper, [], deadline, claim=claim("my phone is 0612345678"))
    keys = connection.run(["KEYS", connection.key("*")], deadline)
    assert keys
    assert not [key for key in keys if "0612345678" in key]


def test_whatever_is_repeated_in_whatever_order_happens_once(
    turns, carts, shopper, deadline: Deadline
) -> None:
    turns.load(shopper, [], deadline, claim=claim())
    calls = [(n, random.Random(n).choice("ab")) for n in range(1, 9)] * 3
    random.Random(7).shuffle(calls)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda c: add(carts, shopper, 1, c[0], deadline, product=c[1]), calls))
    assert carts.read(shopper, deadline).count == 8
