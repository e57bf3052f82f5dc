"""A provider's rate limit is the client's, where no other provider may answer: an honest 429, at once."""

import math
from typing import Final

from shopping_agent.application.observations import Observations
from shopping_agent.application.turn import Outcome
from shopping_agent.errors import TooManyRequestsError
from shopping_agent.observability import count

# Seconds to wait where the provider does not say how many.
_WAIT_SECONDS: Final = {"rate_limited": 2, "quota_exhausted": 60}


def raise_if_busy(outcome: Outcome, observed: Observations) -> None:
    """Hand a provider's limit on, while the turn has changed nothing that it would have to tell.

    Raises:
        TooManyRequestsError: with the provider's wait, at least a second.
    """
    failure = outcome.failure
    changed = observed.actions or observed.checkout
    if failure is None or failure.kind not in _WAIT_SECONDS or changed:
        return
    wait = failure.retry_after
    seconds = _WAIT_SECONDS[failure.kind] if wait is None else max(1, math.ceil(wait))
    count("ProviderLimitsReached")
    raise TooManyRequestsError(
        "The assistant is busy. Please try again later.", retry_after=seconds
    )
