"""What a turn cost, by model: priced where the price is known, and not guessed where it is not."""

from datetime import date

import pytest
from shopping_agent.adapters.llm.prices import price_table
from shopping_agent.application.attempt_record import ChainFailedError
from shopping_agent.application.loop_limits import LoopLimits, Tally
from shopping_agent.application.pricing import PricedModel, Pricing, by_model, total
from shopping_agent.domain.conversation import ModelReply, ModelRequest, ModelUsage, TokenUsage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.prices import ModelPrice, PriceTable
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.settings import Settings

TODAY = date(2026, 11, 30)
TABLE = PriceTable({"groq": {"gpt-oss-120b": ModelPrice(0.15, 0.6)}})


class Answers:
    """A model that always gives the same reply."""

    name, model = "groq", "openai/gpt-oss-120b"

    def __init__(self, reply: ModelReply) -> None:
        self.reply = reply

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        return self.reply


def priced(reply: ModelReply) -> tuple[ModelUsage, ...]:
    query = ShopperQuery(text="hello", language="en")
    request = ModelRequest(system="s", messages=(), tools=(), query=query)
    model = PricedModel(model=Answers(reply), pricing=Pricing(TABLE, {}))
    return model.complete(request, Deadline.after(5)).spent


def used(provider: str, model: str, tokens: int, cost: int | None = None) -> ModelUsage:
    return ModelUsage(provider, model, TokenUsage(1, tokens, 0), cost)


def test_a_reply_says_what_it_and_its_failed_attempts_cost() -> None:
    spent = (used("groq", "openai/gpt-oss-120b", 1000), used("openai", "qwen3:8b", 500))
    parts = priced(ModelReply(text="hi", spent=spent))
    assert [part.cost_micros for part in parts] == [150, None]


def test_a_reply_that_lists_nothing_is_priced_by_its_own_usage() -> None:
    (part,) = priced(ModelReply(text="hi", usage=TokenUsage(1, 1000, 100), model="gpt-oss-120b"))
    assert (part.provider, part.model, part.cost_micros) == ("groq", "gpt-oss-120b", 210)


def test_a_model_that_answers_under_an_unknown_name_costs_what_was_asked_for() -> None:
    pricing = Pricing(TABLE, {"groq": "openai/gpt-oss-120b"})
    (part,) = pricing.priced([used("groq", "gpt-oss-120b-fast", 1000)])
    assert part.cost_micros == 150
    (renamed,) = pricing.priced([used("groq", "fp8", 1000)])
    assert renamed.cost_micros == 150


def test_calls_of_one_model_are_one_entry_and_the_order_is_that_of_first_use() -> None:
    spent = [used("groq", "a", 10, 1), used("xai", "b", 5, 2), used("groq", "a", 30, 4)]
    assert by_model(spent) == (
        ModelUsage("groq", "a", TokenUsage(2, 40, 0), 5),
        ModelUsage("xai", "b", TokenUsage(1, 5, 0), 2),
    )


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    assert total([used("groq", "a", 10, 1), used("openai", "b", 5)]) is None
    assert by_model([used("groq", "a", 10, 1), used("groq", "a", 5)])[0].cost_micros is None


def test_a_failed_attempt_without_tokens_costs_nothing_whatever_its_price() -> None:
    assert total([used("openai", "b", 0), used("groq", "a", 10, 1)]) == 1
    assert by_model([used("groq", "a", 0), used("groq", "a", 5, 7)])[0].cost_micros == 7
    assert total([]) == 0


def test_every_model_that_is_a_default_has_a_price() -> None:
    settings = Settings()
    for provider in ("gemini", "groq", "xai"):
        model = getattr(settings, f"{provider}_model")
        price = price_table("", today=TODAY).price(provider, model)
        assert price is not None, model
        assert 0 < price.input < price.output


def test_a_price_that_is_announced_for_a_day_holds_from_that_day_on() -> None:
    def price(day: date) -> ModelPrice | None:
        return price_table("", today=day).price("gemini", "models/gemini-3.8-flash")

    assert price(date(2026, 12, 31)) == ModelPrice(0.75, 3.75, 0.075)
    assert price(date(2027, 1, 1)) == ModelPrice(1.5, 7.5, 0.15)


def test_the_shops_own_prices_replace_ours_and_add_to_them() -> None:
    own = '{"qwen3:8b": {"input": 0, "output": 0}, "gpt-oss-20b": {"input": 7, "output": 9}}'
    table = price_table(own, today=TODAY)
    assert table.price("openai", "qwen3:8b") == ModelPrice(0, 0)
    assert table.price("groq", "openai/gpt-oss-20b") == ModelPrice(7, 9)
    assert table.price("groq", "openai/gpt-oss-120b") == ModelPrice(0.15, 0.6, 0.075)
    assert price_table("", today=TODAY).price("openai", "openai/gpt-oss-120b") is None


class Fails(Answers):
    """A chain of which nobody answers."""

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        failed = ChainFailedError("malformed", "no", input_tokens=1000, output_tokens=0)
        failed.spent = self.reply.spent
        raise failed


def test_what_a_chain_of_failures_was_billed_for_has_its_cost() -> None:
    query = ShopperQuery(text="hello", language="en")
    request = ModelRequest(system="s", messages=(), tools=(), query=query)
    spent = (used("groq", "openai/gpt-oss-120b", 1000),)
    model = PricedModel(model=Fails(ModelReply(spent=spent)), pricing=Pricing(TABLE, {}))
    tally = Tally()
    with pytest.raises(ChainFailedError) as caught:
        model.complete(request, Deadline.after(5))
    tally.failed(caught.value, model)
    assert [(u.model, u.cost_micros) for u in tally.spent] == [("openai/gpt-oss-120b", 150)]
    assert total(tally.spent) == 150


def test_what_has_no_price_counts_towards_the_money_of_a_turn_as_the_dearest_that_has_one() -> None:
    table = PriceTable({"groq": {"a": ModelPrice(0.15, 0.6)}, "xai": {"b": ModelPrice(2.0, 6.0)}})
    parts = Pricing(table, {}).priced([used("openai", "strange", 1000), used("groq", "a", 1000)])
    tally = Tally()
    for part in parts:
        tally.replied(ModelReply(text="x", spent=(part,)), Answers(ModelReply()))
    assert tally.micros == 2000 + 150
    assert total(tally.spent) is None
    assert LoopLimits(micros=2000).used_up(tally)
