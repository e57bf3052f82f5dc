"""A chain of providers: each kind of failure, its second attempt, who comes next, how long it may take, what it cost."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from shopping_agent.adapters.llm.scripted import Hang, ScriptedModel, says
from shopping_agent.application import attempt_record, failover
from shopping_agent.application.asking import ask
from shopping_agent.application.breaker import Breaker
from shopping_agent.application.failover import Failover, Provider
from shopping_agent.domain import deadline as deadline_module
from shopping_agent.domain.conversation import (
    AssistantMessage,
    ModelReply,
    ModelRequest,
    ModelUsage,
    TokenUsage,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import DeadlineExceededError, LanguageModelError

KINDS = (
    "rate_limited",
    "quota_exhausted",
    "too_large",
    "auth",
    "model_gone",
    "content_refused",
    "bad_request",
    "overloaded",
    "timeout",
    "connection",
    "malformed",
)
REMEDIES = (None, "again", "plain", "smaller")
REQUEST = ModelRequest(
    "be kind", (UserMessage("hi"),), (), ShopperQuery("hi", "en"), turn_id="t1", step=2
)
TALK = (UserMessage("old " * 500), AssistantMessage("older " * 500))


class Clock:
    """Time that passes only when somebody sleeps or a model takes it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Slow:
    """A model whose script takes its time: (seconds, reply or error). It keeps the deadline, as adapters do."""

    def __init__(self, clock: Clock, *steps: tuple[float, ModelReply | Exception]) -> None:
        self.name = self.model = "slow"
        self.given: list[float] = []
        self._clock = clock
        self._steps = list(steps)

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        left = deadline.remaining()
        self.given.append(left)
        seconds, outcome = self._steps.pop(0) if self._steps else (1e9, says("never"))
        self._clock.now += min(seconds, left)
        if seconds > left:
            raise LanguageModelError("timeout", "late")
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(deadline_module, "time", SimpleNamespace(monotonic=clock))
    return clock


@pytest.fixture
def log(monkeypatch) -> list[tuple[str, dict[str, Any]]]:
    """What is logged, with its level."""
    lines: list[tuple[str, dict[str, Any]]] = []

    def at(level: str) -> Callable[..., None]:
        return lambda message, **fields: lines.append((level, {"message": message, **fields}))

    levels = {level: at(level) for level in ("info", "warning", "error")}
    monkeypatch.setattr(attempt_record, "logger", SimpleNamespace(**levels))
    return lines


@pytest.fixture
def counted(monkeypatch) -> list[str]:
    names: list[str] = []
    for module in (attempt_record, failover):
        monkeypatch.setattr(module, "count", lambda name, value=1: names.append(name))
    return names


def error(kind: Any, remedy: Any = None, **fields: Any) -> LanguageModelError:
    return LanguageModelError(kind, "no", remedy=remedy, **fields)


def chain(
    clock: Clock, *models: Any, breaker: Breaker | None = None, names: Sequence[str] = ()
) -> Failover:
    names = names or [f"p{i}" for i in range(len(models))]
    providers = [
        Provider(name, lambda model=model: model) for name, model in zip(names, models, strict=True)
    ]
    return Failover(
        providers, breaker or Breaker(clock=clock), sleep=clock.sleep, jitter=lambda: 0.5
    )


def scripted(*steps: Any, name: str = "scripted") -> ScriptedModel:
    return ScriptedModel(steps, name=name)


def complete(model: Failover, request: ModelRequest = REQUEST, seconds: float = 25) -> ModelReply:
    return ask(model, request, Deadline.after(seconds))


def failure(
    model: Failover, request: ModelRequest = REQUEST, seconds: float = 25
) -> LanguageModelError:
    with pytest.raises(LanguageModelError) as caught:
        complete(model, request, seconds)
    return caught.value


def test_the_first_that_answers_is_the_answer_and_nobody_else_is_built(clock) -> None:
    built = list[str]()

    def build(name: str) -> ScriptedModel:
        built.append(name)
        return scripted(says("one"), says("two"), name=name)

    model = Failover([Provider(n, lambda n=n: build(n)) for n in ("p", "q")])
    assert built == []
    assert [complete(model).text for _ in range(2)] == ["one", "two"]
    assert built == ["p"]
    assert (model.name, model.model) == ("p", "p")


@pytest.mark.parametrize("kind", ["auth", "model_gone", "quota_exhausted", "timeout"])
@pytest.mark.parametrize("remedy", REMEDIES)
def test_what_a_second_attempt_cannot_help_goes_to_the_next_at_once(clock, kind, remedy) -> None:
    first, second = scripted(error(kind, remedy)), scripted(says("ok"))
    assert complete(chain(clock, first, second)).text == "ok"
    assert len(first.requests) == 1
    assert clock.slept == []


@pytest.mark.parametrize(
    "kind", ["bad_request", "too_large", "overloaded", "connection", "malformed"]
)
def test_without_a_remedy_there_is_no_second_attempt(clock, kind) -> None:
    first, second = scripted(error(kind)), scripted(says("ok"))
    assert complete(chain(clock, first, second)).text == "ok"
    assert len(first.requests) == 1
    assert clock.slept == []


@pytest.mark.parametrize("kind", ["bad_request", "overloaded", "connection", "malformed"])
@pytest.mark.parametrize("remedy", ["again", "plain"])
def test_a_second_attempt_that_works_is_the_answer(clock, kind, remedy) -> None:
    first, second = scripted(error(kind, remedy), says("ok")), scripted(says("no"))
    assert complete(chain(clock, first, second)).text == "ok"
    assert second.requests == []


@pytest.mark.parametrize("kind", ["bad_request", "overloaded", "connection", "malformed"])
@pytest.mark.parametrize("remedy", ["again", "plain"])
def test_after_two_failures_the_next_one_gets_the_request_as_it_was(clock, kind, remedy) -> None:
    first = scripted(error(kind, remedy, hint="h"), error(kind, remedy, hint="h"), says("no"))
    second = scripted(says("ok"))
    assert complete(chain(clock, first, second)).text == "ok"
    assert len(first.requests) == 2
    assert second.requests == [REQUEST]


def test_only_an_overloaded_provider_is_given_a_moment(clock) -> None:
    for kind, waits in (("overloaded", [0.25]), ("connection", []), ("malformed", [])):
        clock.slept.clear()
        complete(chain(clock, scripted(error(kind, "again"), says("ok")), scripted()))
        assert clock.slept == waits


@pytest.mark.parametrize("retry_after", [1, 20])
def test_an_overloaded_provider_that_asks_for_patience_is_left_to_the_next(
    clock, retry_after
) -> None:
    first = scripted(error("overloaded", "again", retry_after=retry_after))
    assert complete(chain(clock, first, scripted(says("ok")))).text == "ok"
    assert clock.slept == []


def test_alone_an_overloaded_provider_gets_the_short_wait_that_it_asks_for(clock) -> None:
    busy = error("overloaded", "again", retry_after=1)
    assert complete(chain(clock, scripted(busy, says("ok")))).text == "ok"
    assert clock.slept == [1]


def test_a_malformed_reply_is_told_to_the_model_which_then_guesses_less(clock) -> None:
    model = scripted(error("malformed", "again", hint="Use JSON."), says("ok"))
    complete(chain(clock, model))
    assert model.requests[1].messages == (*REQUEST.messages, UserMessage("Use JSON."))
    assert model.requests[1].temperature == 0.0
    assert model.requests[0] == REQUEST


def test_a_malformed_reply_without_a_hint_adds_no_message(clock) -> None:
    model = scripted(error("malformed", "again"), says("ok"))
    complete(chain(clock, model))
    assert model.requests[1].messages == REQUEST.messages


def test_a_request_with_too_many_parts_is_sent_plain_and_never_plainer(clock) -> None:
    model = scripted(error("bad_request", "plain"), error("bad_request", "plain"), says("no"))
    assert failure(chain(clock, model)).kind == "bad_request"
    assert [r.plain for r in model.requests] == [False, True]


def test_a_request_that_is_too_large_is_sent_smaller_or_to_the_next(clock) -> None:
    large = ModelRequest("s", (*TALK, UserMessage("hi")), (), ShopperQuery("hi", "en"))
    first = scripted(error("too_large", "smaller"), says("ok"))
    assert complete(chain(clock, first, scripted()), large).text == "ok"
    assert list(first.requests[1].messages) == [UserMessage("hi")]
    small = ModelRequest("s" * 900, (UserMessage("hi"),), (), large.query, max_tokens=100)
    first, second = scripted(error("too_large", "smaller")), scripted(says("ok"))
    assert complete(chain(clock, first, second), small).text == "ok"
    assert len(first.requests) == 1


def test_a_refused_content_is_neither_repeated_nor_taken_elsewhere(clock) -> None:
    for remedy in REMEDIES:
        first, second = scripted(error("content_refused", remedy)), scripted(says("no"))
        assert failure(chain(clock, first, second)).kind == "content_refused"
        assert (len(first.requests), second.requests) == (1, [])


def test_a_reply_that_was_blocked_is_a_reply(clock) -> None:
    second = scripted(says("no"))
    reply = complete(chain(clock, scripted(ModelReply(finish="refused")), second))
    assert reply.finish == "refused"
    assert second.requests == []


@pytest.mark.parametrize("retry_after", [None, 0.2, 1, 20])
def test_a_rate_limit_goes_to_the_fallback_without_waiting(clock, retry_after) -> None:
    first = scripted(error("rate_limited", retry_after=retry_after))
    reply = complete(chain(clock, first, scripted(says("ok")), names=("p", "offline")))
    assert reply.text == "ok"
    assert clock.slept == []
    assert len(first.requests) == 1


def test_alone_a_short_rate_limit_is_waited_for_and_a_long_one_told_at_once(clock) -> None:
    assert complete(chain(clock, scripted(error("rate_limited", retry_after=1), says("ok")))).text
    assert clock.slept == [1]
    limited = chain(clock, scripted(error("rate_limited", retry_after=20)))
    assert failure(limited).retry_after == 20
    clock.now += 5
    told = failure(limited)
    assert (told.kind, told.retry_after) == ("rate_limited", 15)
    assert clock.slept == [1]


def test_a_wait_that_the_deadline_does_not_leave_is_not_begun(clock) -> None:
    model = chain(clock, scripted(error("rate_limited", retry_after=1), says("no")))
    assert failure(model, seconds=3).kind == "rate_limited"
    assert clock.slept == []


def test_when_only_limits_stand_in_the_way_the_soonest_is_told(clock) -> None:
    def limited(kind: str, retry_after: float | None) -> ScriptedModel:
        return scripted(error(kind, retry_after=retry_after))

    model = chain(clock, limited("rate_limited", 20), limited("rate_limited", 12.5))
    assert failure(model).retry_after == 12.5
    model = chain(clock, limited("quota_exhausted", 3600), limited("rate_limited", 40))
    assert failure(model).retry_after == 40
    assert failure(chain(clock, limited("rate_limited", None))).retry_after == 5
    told = failure(chain(clock, limited("quota_exhausted", None)))
    assert (told.kind, told.retry_after) == ("rate_limited", 60)


def test_otherwise_the_most_telling_error_is_told(clock) -> None:
    model = chain(clock, scripted(error("rate_limited", retry_after=9)), scripted(error("auth")))
    assert failure(model).kind == "auth"
    model = chain(clock, scripted(error("timeout")), scripted(error("rate_limited")))
    assert failure(model).kind == "timeout"


def test_a_provider_that_cannot_be_built_or_breaks_is_passed_by(clock, log) -> None:
    def build() -> Any:
        raise ImportError("secret")

    broken = scripted(TypeError("secret"))
    model = Failover(
        [
            Provider("p", build),
            Provider("q", lambda: broken),
            Provider("r", lambda: scripted(says("ok"))),
        ]
    )
    assert complete(model).text == "ok"
    assert [f["provider"] for _, f in log if f["message"] == "provider unusable"] == ["p", "q"]
    assert "secret" not in str(log)
    assert len(broken.requests) == 1


# --- time


def test_one_hang_leaves_the_fallbacks_their_time(clock) -> None:
    hangs = [Slow(clock), Slow(clock)]
    model = chain(clock, *hangs, scripted(says("ok")), names=("p", "q", "offline"))
    assert complete(model, seconds=25).text == "ok"
    assert hangs[0].given[0] == pytest.approx(12)
    assert hangs[1].given[0] == pytest.approx(11.3, abs=0.3)
    assert clock.now < 1024


def test_with_little_time_each_gets_its_share(clock) -> None:
    hangs = [Slow(clock), Slow(clock), Slow(clock)]
    failure(chain(clock, *hangs), seconds=9)
    given = [hang.given[0] for hang in hangs]
    assert given == pytest.approx([2.83, 2.83, 2.83], abs=0.2)


def test_the_last_one_may_use_what_is_left_but_the_reserve(clock) -> None:
    alone = Slow(clock)
    assert failure(chain(clock, alone), seconds=24).kind == "timeout"
    assert alone.given == [pytest.approx(23.5)]
    assert len(alone.given) == 1


def test_the_second_call_of_a_turn_does_not_hang_again(clock) -> None:
    hang = Slow(clock)
    model = chain(clock, hang, scripted(says("one"), says("two")), names=("p", "q"))
    assert complete(model).text == "one"
    before = clock.now
    assert complete(model).text == "two"
    assert clock.now == before
    assert len(hang.given) == 1


def test_without_time_for_a_provider_our_own_model_answers(clock) -> None:
    paid = scripted(says("no"))
    model = chain(clock, paid, scripted(says("ok")), names=("p", "offline"))
    assert complete(model, seconds=0.4).text == "ok"
    assert paid.requests == []


def test_no_time_at_all_is_the_end_of_the_turn(clock) -> None:
    model = chain(clock, scripted(says("no")))
    with pytest.raises(DeadlineExceededError):
        complete(model, seconds=0)


def test_a_short_time_that_runs_out_says_nothing_of_the_provider(clock) -> None:
    breaker = Breaker(clock=clock)
    failure(chain(clock, Slow(clock), breaker=breaker), seconds=0.9)
    assert breaker.admits("p0")


def test_an_adapter_that_ignores_every_limit_is_left_behind() -> None:
    model = Failover(
        [
            Provider("p", lambda: scripted(Hang(30, "late"))),
            Provider("offline", lambda: scripted(says("ok"))),
        ]
    )
    started = time.monotonic()
    assert ask(model, REQUEST, Deadline.after(2)).text == "ok"
    assert time.monotonic() - started < 15


def test_our_own_model_is_asked_in_the_thread_that_asks(clock) -> None:
    threads = list[threading.Thread]()

    def script(request: ModelRequest) -> ModelReply:
        threads.append(threading.current_thread())
        return says("ok")

    complete(chain(clock, ScriptedModel(script), names=("offline",)))
    complete(chain(clock, ScriptedModel(script), names=("p",)))
    assert threads[0] is threading.current_thread()
    assert threads[1] is not threading.current_thread()


# --- the breaker


@pytest.mark.parametrize(
    "kind", ["auth", "model_gone", "quota_exhausted", "rate_limited", "timeout"]
)
def test_a_provider_that_is_spared_costs_no_call(clock, kind) -> None:
    first, second = scripted(error(kind, retry_after=30)), scripted(*[says("ok")] * 3)
    model = chain(clock, first, second)
    for _ in range(3):
        complete(model)
    assert len(first.requests) == 1


def test_a_provider_that_is_back_is_asked_again(clock) -> None:
    first = scripted(error("rate_limited", retry_after=30), says("back"))
    model = chain(clock, first, scripted(says("ok"), says("ok")))
    assert complete(model).text == "ok"
    clock.now += 29
    assert complete(model).text == "ok"
    clock.now += 1
    assert complete(model).text == "back"


def test_an_outage_that_opens_the_circuit_is_not_tried_a_second_time(clock) -> None:
    first = scripted(*[error("overloaded", "again")] * 9)
    model = chain(clock, first, scripted(*[says("ok")] * 9))
    for _ in range(4):
        complete(model)
    assert len(first.requests) == 3


def test_one_that_was_down_a_moment_ago_is_asked_when_nobody_else_is_there(clock) -> None:
    model = chain(clock, scripted(error("timeout"), says("back")))
    assert failure(model).kind == "timeout"
    assert complete(model).text == "back"


def test_one_at_its_limit_is_not_even_then(clock) -> None:
    limited = scripted(error("rate_limited", retry_after=30))
    down = scripted(error("timeout"), error("timeout"))
    model = chain(clock, limited, down)
    assert failure(model).kind == "timeout"
    assert failure(model).kind == "timeout"
    assert (len(limited.requests), len(down.requests)) == (1, 2)


def test_with_the_breaker_off_every_call_asks(clock) -> None:
    first = scripted(*[error("auth")] * 3)
    model = chain(clock, first, scripted(*[says("ok")] * 3), breaker=Breaker(enabled=False))
    for _ in range(3):
        complete(model)
    assert len(first.requests) == 3


# --- what it cost, and what is written down


def test_failed_attempts_are_in_what_was_spent(clock) -> None:
    bad = error("malformed", "again", input_tokens=100, output_tokens=7)
    late = error("timeout")
    good = ModelReply("ok", usage=TokenUsage(1, 50, 5), model="m-2026")
    reply = complete(
        chain(clock, scripted(bad, bad, name="a"), scripted(late), scripted(good, name="c"))
    )
    assert reply.spent == (
        ModelUsage("p0", "a", TokenUsage(1, 100, 7)),
        ModelUsage("p0", "a", TokenUsage(1, 100, 7)),
        ModelUsage("c", "m-2026", TokenUsage(1, 50, 5)),
    )
    assert reply.usage == TokenUsage(1, 50, 5)
    assert (reply.provider, reply.model) == ("c", "m-2026")


def test_an_error_carries_the_tokens_of_every_attempt(clock) -> None:
    bad = error("malformed", "again", input_tokens=100, output_tokens=7)
    told = failure(chain(clock, scripted(bad, bad), scripted(bad, error("content_refused"))))
    assert told.kind == "content_refused"
    assert (told.input_tokens, told.output_tokens) == (300, 21)
    told = failure(chain(clock, scripted(bad, bad)))
    assert (told.input_tokens, told.output_tokens) == (200, 14)


def test_each_failed_attempt_is_one_line_without_anybodys_words(clock, log, counted) -> None:
    first = scripted(error("malformed", "again", hint="hint!"), error("auth"), name="m1")
    complete(chain(clock, first, scripted(says("hello shopper"))))
    assert [(level, f["message"], f["attempt"], f["error"]) for level, f in log] == [
        ("warning", "attempt", 1, "malformed"),
        ("error", "attempt", 2, "auth"),
    ]
    _, line = log[0]
    assert (line["turn"], line["step"], line["provider"], line["model"]) == ("t1", 2, "p0", "m1")
    assert "hi" not in str(line.values()).split()
    assert "hint!" not in str(log)
    assert counted == ["AttemptFailures", "CircuitsOpened", "AttemptFailures", "FailOvers"]


# --- whatever happens


def test_any_sequence_of_faults_ends_in_time_with_at_most_two_attempts_each(clock) -> None:
    rng = random.Random(11)
    answered = 0
    for _ in range(400):
        attempts: list[str] = []
        budget = rng.choice([2.0, 6.0, 25.0])
        names = ["p", "q", "r"][: rng.randrange(1, 4)] + ["offline"] * rng.randrange(2)
        models = [_Unreliable(name, rng, clock, attempts) for name in names]
        model = chain(clock, *models, names=names)
        for _ in range(3):
            attempts.clear()
            begun, told = clock.now, ""
            try:
                complete(model, seconds=budget)
                answered += 1
            except (LanguageModelError, DeadlineExceededError) as fault:
                told = getattr(fault, "kind", "deadline")
            assert "offline" not in names or told in ("", "content_refused")
            assert clock.now - begun <= budget + 1e-6
            assert all(attempts.count(name) <= 2 for name in names)
            assert "ok" not in attempts[:-1]
            asked = [name for name in attempts if name != "ok"]
            assert asked == sorted(asked, key=names.index) or "offline" not in names
            clock.now += rng.choice([0, 1, 10])
    assert answered > 400


class _Unreliable:
    """Fails in any way, or not; `offline` never does."""

    def __init__(self, name: str, rng: random.Random, clock: Clock, attempts: list[str]) -> None:
        self.name = self.model = name
        self._rng, self._clock, self._attempts = rng, clock, attempts

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        self._attempts.append(self.name)
        if self.name != "offline":
            rng = self._rng
            self._clock.now += min(rng.choice([0, 0.1, 3, 40]), deadline.remaining())
            if deadline.remaining() <= 0:
                raise LanguageModelError("timeout", "late")
            if rng.random() < 0.8:
                raise error(
                    rng.choice(KINDS),
                    rng.choice(REMEDIES),
                    retry_after=rng.choice([None, 0.1, 1, 20, 4000]),
                )
        self._attempts.append("ok")
        return says("ok")


def test_a_reply_is_made_of_characters_that_can_be_written_and_no_longer_than_any_may_be():
    odd = ModelReply("Done \ud800.", model="m\udfff" + "x" * 500)
    reply = Failover([Provider("one", lambda: ScriptedModel([odd]))]).complete(
        REQUEST, Deadline.after(5)
    )
    assert (reply.text, len(reply.model)) == ("Done ?.", 120)
    long = Failover([Provider("one", lambda: ScriptedModel([ModelReply("a. " * 9000)]))]).complete(
        REQUEST, Deadline.after(5)
    )
    assert (len(long.text), long.finish) == (8_000, "length")


def test_a_reply_says_which_model_was_asked_at_its_provider(clock) -> None:
    first = scripted(error("auth"), name="first")
    second = scripted(ModelReply("ok", model="second-0901"), name="second")
    reply = complete(chain(clock, first, second))
    assert (reply.provider, reply.asked, reply.model) == ("second", "second", "second-0901")


def test_a_provider_whose_sdk_loads_for_too_long_leaves_the_next_its_time() -> None:
    loaded = threading.Event()

    def slow() -> ScriptedModel:
        loaded.wait(5)
        return scripted(says("late"))

    model = Failover([Provider("slow", slow), Provider("next", lambda: scripted(says("in time")))])
    started = time.monotonic()
    reply = complete(model, seconds=1.0)
    loaded.set()
    assert reply.text == "in time"
    assert time.monotonic() - started < 1.0
