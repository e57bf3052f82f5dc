"""One call of a language model, kept in time."""

from typing import Final

from shopping_agent.application.bounded import within
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, LanguageModelError
from shopping_agent.ports import LanguageModel

# One attempt may not eat the whole budget: what is left serves the fallback.
MODEL_ATTEMPT_SECONDS: Final = 15.0


def ask(model: LanguageModel, request: ModelRequest, deadline: Deadline) -> ModelReply:
    """One call of a model, capped.

    Raises:
        LanguageModelError: the provider failed, or did not answer in its share of the time.
        DeadlineExceededError: the turn's time is over.
    """
    attempt = deadline.capped(MODEL_ATTEMPT_SECONDS)
    try:
        return within(lambda: model.complete(request, attempt), attempt)
    except (DeadlineExceededError, LanguageModelError) as error:
        if deadline.expired():
            raise DeadlineExceededError("no time left for the model") from error
        if isinstance(error, DeadlineExceededError):
            raise LanguageModelError("timeout", "no answer within one attempt") from error
        raise
