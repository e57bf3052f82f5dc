"""Carts, turns and conversations over a network that breaks one request in three: nothing lost, nothing twice, in time."""

import json
import random
import time
from collections import Counter
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from uuid import uuid4

import pytest
from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.adapters.redis.turn_store import RedisTurnStore
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.conversation import Exchange, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.operation import FinishedTurn, JournalEntry, Operation, TurnClaim
from shopping_agent.errors import InProgressError, StateUnavailableError

from functions.local.fault_proxy import FaultProxy, fault_proxy

BUDGET_SECONDS = 0.6
# Beyond the budget: the machine's own, which is shared with everything else that runs.
MARGIN_SECONDS = 0.5
WORKERS = 8
CHANGES_EACH = 60
TURNS = 120
MOST_TRIES = 60
PRODUCTS = [f"p{n}" for n in range(WORKERS)]


@dataclass
class Bad:
    """Two connections to one keyspace: one over the bad network, one over the good."""

    proxy: FaultProxy
    bad: RedisConnection
    good: RedisConnection

    def __post_init__(self) -> None:
        self.longest = 0.0
        self.failures = 0
        self._lock = Lock()

    def until_done(self, call):
        """The call's answer, tried until it is given; each try ends in time, or it is a mismatch."""
        for _ in range(MOST_TRIES):
            started = time.monotonic()
            try:
                return call(Deadline.after(BUDGET_SECONDS))
            except StateUnavailableError:
                with self._lock:
                    self.failures += 1
            finally:
                with self._lock:
                    self.longest = max(self.longest, time.monotonic() - started)
        raise AssertionError("never answered")

    def told(self, what: str, mismatches: int) -> None:
        print(
            f"{what}: requests {self.proxy.met['requests']}, faults injected {self.proxy.faults} "
            f"of {len(self.proxy.met) - 1} kinds, failed calls {self.failures}, "
            f"longest {self.longest:.2f} s of {BUDGET_SECONDS} s, mismatches {mismatches}"
        )
        assert mismatches == 0
        assert self.longest < BUDGET_SECONDS + MARGIN_SECONDS
        assert self.proxy.faults > 100
        assert self.failures > 50


@pytest.fixture
def network(redis_stack, deadline: Deadline) -> Generator[Bad]:
    prefix = f"f{uuid4().hex[:12]}"
    with fault_proxy(redis_stack.url, seed=20261130, slow_seconds=1.0) as proxy:
        bad = RedisConnection(url=proxy.url, token=redis_stack.token, prefix=prefix)
        good = RedisConnection(url=redis_stack.url, token=redis_stack.token, prefix=prefix)
        facts = [LiveFacts(id=i, name=i, price=PriceTag(5000, "MAD")) for i in PRODUCTS]
        RedisLiveCatalog(connection=good).put(facts, deadline)
        yield Bad(proxy, bad, good)
        bad.close()
        good.close()


def cart_store(connection: RedisConnection) -> RedisCartStore:
    return RedisCartStore(connection=connection, currency="MAD")


def test_a_cart_changed_over_a_bad_network_is_what_a_good_one_makes_of_it(
    network: Bad, shopper: Shopper
) -> None:
    """Each worker changes its own line of one cart; every change is named, and tried until it is answered."""
    carts = cart_store(network.bad)

    def work(worker: int) -> tuple[int, int, int]:
        dice, held, changes, lies = random.Random(worker), 0, 0, 0
        product = PRODUCTS[worker]
        for number in range(CHANGES_EACH):
            operation = Operation(f"{worker}:{number}")
            if held < 5 and dice.random() < 0.6:
                held, changes = held + 1, changes + 1
                change = partial(carts.add, shopper, product, 1, operation=operation)
            else:
                wanted = dice.randrange(6) if held else 0
                changes, held = changes + (wanted != held), wanted
                change = partial(carts.set_quantity, shopper, product, wanted, operation=operation)
            line = network.until_done(change).line(product)
            lies += (line.quantity if line else 0) != held
        return held, changes, lies

    with ThreadPoolExecutor(WORKERS) as pool:
        results = list(pool.map(work, range(WORKERS)))
    cart = cart_store(network.good).read(shopper, Deadline.after(10))
    lines = {line.product_id: line.quantity for line in cart.items}
    expected = {p: held for p, (held, _, _) in zip(PRODUCTS, results, strict=True) if held}
    wrong = sum(lines.get(p, 0) != expected.get(p, 0) for p in PRODUCTS)
    wrong += cart.version != sum(changes for _, changes, _ in results)
    network.told("cart", wrong + sum(lies for _, _, lies in results))


def test_a_turn_tried_until_it_ends_has_changed_and_said_everything_once(network: Bad) -> None:
    """Claim, two changes, save: whatever breaks, the client sends the whole turn again."""
    turns = RedisTurnStore(connection=network.bad, currency="MAD")
    carts = cart_store(network.bad)
    replies: Counter[int] = Counter()

    def once(number: int, shopper: Shopper, d: Deadline) -> str:
        claim = TurnClaim(f"t{number}", "add two", uuid4().hex, 0.3)
        state = turns.load(shopper, [], d, claim=claim)
        record = state.record
        assert record is not None
        if record.reply is not None:
            return record.reply
        for ordinal in (1, 2):
            if ordinal not in record.writes:
                # Whatever the first attempt chose, this one might choose another.
                product = PRODUCTS[(number + ordinal + record.attempt) % WORKERS]
                entry = JournalEntry(claim.turn_id, record.attempt, ordinal, json.dumps([product]))
                operation = Operation(f"{number}:{ordinal}:{product}", entry)
                carts.add(shopper, product, 1, d, operation=operation)
        reply = f"reply {number} of attempt {record.attempt}"
        after = replace(
            state.conversation,
            exchanges=(*state.conversation.exchanges, Exchange(f"turn {number}", "ok")),
        )
        done = FinishedTurn(claim.turn_id, record.attempt, reply)
        turns.save(shopper, state.conversation, after, d, finished=done)
        return reply

    def patiently(number: int) -> None:
        shopper = Shopper(f"g_{number}", f"g_{number}")

        def attempt(d: Deadline) -> str:
            try:
                return once(number, shopper, d)
            except InProgressError as error:
                raise StateUnavailableError("running") from error

        first = network.until_done(attempt)
        again = network.until_done(attempt)
        replies[number] += first != again

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(patiently, range(TURNS)))
    good_turns = RedisTurnStore(connection=network.good, currency="MAD")
    wrong = sum(replies.values())
    for number in range(TURNS):
        state = good_turns.load(Shopper(f"g_{number}", f"g_{number}"), [], Deadline.after(10))
        said = [e.user for e in state.conversation.exchanges]
        wrong += state.cart.count != 2 or state.cart.version != 2
        wrong += said != [f"turn {number}"]
    network.told("turns", wrong)


def test_an_answered_save_is_kept_and_none_is_kept_twice(network: Bad) -> None:
    """A turn that nobody sends again: what was answered is there, what failed is there at most once."""
    turns = RedisTurnStore(connection=network.bad, currency="MAD")

    def work(session: int) -> tuple[Shopper, list[str], list[str]]:
        shopper = Shopper(f"g_s{session}", f"g_s{session}")
        saved: list[str] = []
        unknown: list[str] = []
        for number in range(10):
            state = network.until_done(lambda d: turns.load(shopper, [], d))
            name = f"{session}:{number}"
            exchanges = (*state.conversation.exchanges, Exchange(name, "ok"))
            after = replace(state.conversation, exchanges=exchanges)
            try:
                turns.save(shopper, state.conversation, after, Deadline.after(BUDGET_SECONDS))
                saved.append(name)
            except StateUnavailableError:
                network.failures += 1
                unknown.append(name)
        return shopper, saved, unknown

    with ThreadPoolExecutor(WORKERS) as pool:
        results = list(pool.map(work, range(24)))
    wrong = 0
    good = RedisTurnStore(connection=network.good, currency="MAD")
    for shopper, saved, unknown in results:
        kept = [e.user for e in good.load(shopper, [], Deadline.after(10)).conversation.exchanges]
        wrong += len(kept) != len(set(kept))
        wrong += not set(saved) <= set(kept) <= {*saved, *unknown}
    network.told("saves", wrong)
