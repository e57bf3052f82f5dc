"""Language models."""

from typing import Protocol

from shopping_agent.domain.conversation import (
    ModelReply,
    ModelRequest,
)
from shopping_agent.domain.deadline import Deadline


class LanguageModel(Protocol):
    """A language model that may propose tool calls. Raises `LanguageModelError`.

    Attributes:
        name: the provider, as `LLM_PROVIDER` names it.
        model: the model that is asked for.
    """

    name: str
    model: str

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply: ...


class KeepsTime:
    """Marks a model whose `complete` ends by its deadline whatever happens: it needs no net of ours below it."""

    __slots__ = ()
