"""One call of a language model, kept in time."""

from shopping_agent.application.bounded import within
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, LanguageModelError
from shopping_agent.ports import KeepsTime, LanguageModel


def ask(model: LanguageModel, request: ModelRequest, deadline: Deadline) -> ModelReply:
    """One call of a model. How long each attempt at a provider may take is decided where attempts are made.

    A model that keeps its time by itself is called as it is; any other one in a thread that may be left behind.

    Raises:
        LanguageModelError: nobody answered.
        DeadlineExceededError: the turn's time is over.
    """
    try:
        if isinstance(model, KeepsTime):
            return model.complete(request, deadline)
        return within(lambda: model.complete(request, deadline), deadline)
    except LanguageModelError as error:
        if deadline.expired():
            raise DeadlineExceededError("no time left for the model") from error
        raise
