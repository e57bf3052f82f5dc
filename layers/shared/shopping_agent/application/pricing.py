"""What a turn's tokens cost: each reply of a model carries what it and its failed attempts were used for, priced."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from shopping_agent.application.attempt_record import ChainFailedError
from shopping_agent.domain.conversation import ModelReply, ModelRequest, ModelUsage, TokenUsage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.prices import ModelPrice, PriceTable
from shopping_agent.ports import KeepsTime, LanguageModel


class Pricing:
    """Prices what was spent.

    Args:
        asked: by provider, the model that is asked for there: what answered may be named in a way that no table has.
    """

    def __init__(self, table: PriceTable, asked: Mapping[str, str]) -> None:
        self._table = table
        self._asked = asked

    def price(self, provider: str, model: str = "") -> ModelPrice | None:
        """Of what answered, else of what was asked for; None when neither is known."""
        return self._table.price(provider, model) or self._table.price(
            provider, self._asked.get(provider, "")
        )

    def priced(self, spent: Iterable[ModelUsage]) -> tuple[ModelUsage, ...]:
        """The same with costs, as far as prices are known."""
        return tuple(self._priced(used) for used in spent)

    def _priced(self, used: ModelUsage) -> ModelUsage:
        price = self.price(used.provider, used.model)
        if price is None:
            return replace(used, most_micros=self._table.dearest(used.tokens))
        return replace(used, cost_micros=price.micros(used.tokens))


class PricedModel(KeepsTime):
    """`LanguageModel` whose replies say what they cost.

    Args:
        model: keeps its time itself, as the chain of providers does.
    """

    def __init__(self, *, model: LanguageModel, pricing: Pricing) -> None:
        self.name, self.model = model.name, model.model
        self._model = model
        self._pricing = pricing

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        try:
            reply = self._model.complete(request, deadline)
        except ChainFailedError as error:
            error.spent = self._pricing.priced(error.spent)
            raise
        # A chain knows its model when it has built its first provider.
        self.model = self._model.model
        provider = reply.provider or self.name
        spent = reply.spent or (ModelUsage(provider, reply.model or self.model, reply.usage),)
        return replace(reply, spent=self._pricing.priced(spent))


def by_model(spent: Iterable[ModelUsage]) -> tuple[ModelUsage, ...]:
    """One entry for each provider's model, in the order of their first use.

    A sum has a cost when all its parts have one; what used no token costs nothing.
    """
    sums: dict[tuple[str, str], ModelUsage] = {}
    for used in spent:
        name = (used.provider, used.model)
        held = sums.get(name)
        tokens = held.tokens.plus(used.tokens) if held else used.tokens
        costs = [_cost(part) for part in (held, used) if part]
        known = [cost for cost in costs if cost is not None]
        sums[name] = ModelUsage(*name, tokens, sum(known) if len(known) == len(costs) else None)
    return tuple(sums.values())


def total(spent: Iterable[ModelUsage]) -> int | None:
    """Millionths of a dollar of all of it; None when a part of it is not known."""
    costs = [_cost(used) for used in spent]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def tokens_of(spent: Iterable[ModelUsage]) -> TokenUsage:
    """All of it in one."""
    whole = TokenUsage()
    for used in spent:
        whole = whole.plus(used.tokens)
    return whole


def _cost(used: ModelUsage) -> int | None:
    if used.cost_micros is None and not used.tokens.input_tokens + used.tokens.output_tokens:
        return 0
    return used.cost_micros
