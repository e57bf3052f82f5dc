"""A paid model's money and tokens: reserved before the call, settled by the next one, never beyond the day's."""

from collections.abc import Sequence

import pytest
from shopping_agent.application.spending import CappedModel, Carried, spend_limits
from shopping_agent.domain.conversation import (
    ModelReply,
    ModelRequest,
    TokenUsage,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge, parse_limits
from shopping_agent.domain.prices import ModelPrice
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import LanguageModelError, StateUnavailableError, TooManyRequestsError

PRICE = ModelPrice(input=1.0, output=4.0, cached=0.5)


class Counters:
    """`RateLimiter` in memory."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}
        self.broken = False

    def admit(self, charges: Sequence[Charge], deadline: Deadline) -> None:
        if self.broken:
            raise StateUnavailableError("down")
        for charge in charges:
            if self.held.get(charge.name, 0) + charge.cost > charge.limit.count:
                raise TooManyRequestsError("no", retry_after=3600)
        for charge in charges:
            self.held[charge.name] = self.held.get(charge.name, 0) + charge.cost


class Paid:
    name = model = "paid"

    def __init__(self, *replies: ModelReply | LanguageModelError) -> None:
        self.replies = list(replies)

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        reply = self.replies.pop(0)
        if isinstance(reply, LanguageModelError):
            raise reply
        return reply


def answer(input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> ModelReply:
    usage = TokenUsage(1, input_tokens, output_tokens, cached_tokens)
    return ModelReply(text="paid", usage=usage, model="paid")


def capped(
    counters: Counters,
    model: Paid,
    *,
    dollars: float = 0.01,
    limits: str = "",
    carried: Carried | None = None,
) -> CappedModel:
    return CappedModel(
        model=model,
        price=PRICE if dollars else None,
        limiter=counters,
        limits=spend_limits(dollars, parse_limits(limits)),
        carried=carried,
    )


def ask(model: CappedModel, *, max_tokens: int = 100) -> ModelReply:
    request = ModelRequest(
        system="s" * 200,
        messages=(UserMessage("hello"),),
        tools=(),
        query=ShopperQuery(text="hello", language="en"),
        max_tokens=max_tokens,
    )
    return model.complete(request, Deadline.after(5))


def answered(model: CappedModel) -> bool:
    """Whether the paid model answered; it did not when the day is used up."""
    try:
        return ask(model).model == "paid"
    except LanguageModelError:
        return False


def spent(price: ModelPrice, reply: ModelReply) -> int:
    return price.micros(reply.usage)


def test_more_is_reserved_than_used_and_the_next_call_settles_it() -> None:
    counters = Counters()
    model = capped(counters, Paid(answer(50, 10), answer(50, 10), answer(50, 10)))
    ask(model)
    first = counters.held["spend"]
    assert first > spent(PRICE, answer(50, 10)) == 90
    ask(model)
    assert counters.held["spend"] == first + 90
    ask(model)
    assert counters.held["spend"] == first + 180


def test_input_from_the_cache_is_counted_at_its_own_price() -> None:
    counters = Counters()
    model = capped(counters, Paid(answer(50, 10, cached_tokens=40), answer(50, 10)))
    ask(model)
    first = counters.held["spend"]
    ask(model)
    assert counters.held["spend"] == first + 10 + 20 + 40


def test_when_the_money_is_used_up_it_says_until_when() -> None:
    model = capped(Counters(), Paid(*[answer(1000, 500)] * 9), dollars=0.009)
    assert [answered(model) for _ in range(6)][:2] == [True, True]
    with pytest.raises(LanguageModelError) as caught:
        ask(model)
    assert caught.value.kind == "quota_exhausted"
    assert caught.value.retry_after == 3600
    assert caught.value.remedy is None


def test_a_day_never_costs_more_than_its_limit_and_one_call_of_each_process() -> None:
    counters, sum_of_calls = Counters(), 0
    model = capped(counters, Paid(*[answer(300, 100)] * 100), dollars=0.02)
    for _ in range(100):
        if answered(model):
            sum_of_calls += spent(PRICE, answer(300, 100))
    assert 0.01 * 1e6 < sum_of_calls <= 0.02 * 1e6 + spent(PRICE, answer(300, 100))


def test_tokens_have_a_limit_of_their_own() -> None:
    model = capped(Counters(), Paid(*[answer(100, 100)] * 9), dollars=0, limits="tokens=1700/day")
    results = [answered(model) for _ in range(6)]
    assert results[0]
    assert not results[-1]


def test_two_models_of_a_chain_settle_what_the_other_reserved() -> None:
    counters, carried = Counters(), Carried()
    first = capped(counters, Paid(answer(50, 10)), carried=carried)
    second = capped(counters, Paid(answer(50, 10)), carried=carried)
    ask(first)
    reserved = counters.held["spend"]
    ask(second)
    assert counters.held["spend"] == reserved + 90


@pytest.mark.parametrize(
    ("kind", "kept"),
    [("rate_limited", False), ("overloaded", False), ("timeout", True), ("malformed", True)],
)
def test_a_failed_call_keeps_its_reservation_only_where_it_may_be_billed(kind, kept) -> None:
    counters = Counters()
    model = capped(counters, Paid(LanguageModelError(kind, "no"), answer(50, 10)))
    with pytest.raises(LanguageModelError):
        ask(model)
    reserved = counters.held["spend"]
    ask(model)
    assert counters.held["spend"] == (2 * reserved if kept else reserved)


def test_a_failed_call_costs_what_the_provider_says_it_billed() -> None:
    counters = Counters()
    failure = LanguageModelError("malformed", "no", input_tokens=60, output_tokens=20)
    model = capped(counters, Paid(failure, answer(50, 10)))
    with pytest.raises(LanguageModelError):
        ask(model)
    reserved = counters.held["spend"]
    ask(model)
    assert counters.held["spend"] == reserved + 60 + 80


def test_what_cannot_be_counted_is_not_spent() -> None:
    counters = Counters()
    counters.broken = True
    with pytest.raises(LanguageModelError) as caught:
        ask(capped(counters, Paid()))
    assert caught.value.kind == "quota_exhausted"
    assert caught.value.retry_after is None


def test_without_a_limit_there_is_none() -> None:
    assert spend_limits(0, parse_limits("")) == {}
    assert spend_limits(2.5, parse_limits("off"))["spend"].count == 2_500_000
