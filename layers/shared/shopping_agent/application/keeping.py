"""What a turn leaves behind: its exchange without personal data, and its reply for whoever sends it again."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from shopping_agent.application.tallying import tally_of
from shopping_agent.application.turn import Turn
from shopping_agent.application.work import Work
from shopping_agent.domain.conversation import Conversation, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.operation import FinishedTurn, TurnClaim
from shopping_agent.domain.privacy import Privacy
from shopping_agent.errors import DeadlineExceededError, StateUnavailableError
from shopping_agent.observability import count, logger
from shopping_agent.ports import TurnStore

SAVE_SECONDS: Final = 2.0
RELEASE_SECONDS: Final = 1.0
CLAIM_MARGIN_SECONDS: Final = 2.0
"""Beyond the turn's deadline: its last write may still be on its way."""

Keep = Callable[[Turn], str]
"""The reply to a turn as it is kept."""


def claim_of(turn_id: str, message: str, deadline: Deadline) -> TurnClaim:
    """A claim on a turn for as long as this attempt can take."""
    seconds = deadline.remaining() + CLAIM_MARGIN_SECONDS
    return TurnClaim(turn_id, message, secrets.token_hex(8), seconds)


def product_names(work: Work) -> tuple[str, ...]:
    """Names that a turn met, which are no personal data whatever they look like."""
    observed = work.observed
    return (
        *work.names,
        *(product.name for product in observed.products.values()),
        *(line.name for line in observed.cart.items),
    )


class Keeping:
    """Saves turns."""

    def __init__(self, *, turns: TurnStore, privacy: Privacy) -> None:
        self._turns = turns
        self._privacy = privacy

    def keep(
        self,
        work: Work,
        turn: Turn,
        conversation: Conversation,
        deadline: Deadline,
        *,
        keep: Keep | None,
        milliseconds: float,
    ) -> None:
        """Save a turn and add it to the day's statistics. What was done stays done: a failure here does not take the answer away."""
        context, attempt = work.context, work.observed.journal.attempt
        try:
            finished = FinishedTurn(context.turn_id, attempt, keep(turn)) if keep else None
            self._turns.save(
                context.shopper,
                context.conversation,
                self._discreet(work, conversation),
                deadline.capped(SAVE_SECONDS),
                finished=finished,
                tally=tally_of(work, turn, self._unserved(work, turn), milliseconds),
            )
        except (StateUnavailableError, DeadlineExceededError) as error:
            count("SavesFailed")
            logger.warning("turn not saved", turn=context.turn_id, error=type(error).__name__)

    def give_up(self, shopper: Shopper, claim: TurnClaim, deadline: Deadline) -> None:
        """Let a turn that failed be tried again at once; it can be in any case when the claim has run out."""
        try:
            self._turns.release(shopper, claim, deadline.capped(RELEASE_SECONDS))
        except (StateUnavailableError, DeadlineExceededError) as error:
            logger.warning("turn not released", error=type(error).__name__)

    def _unserved(self, work: Work, turn: Turn) -> str:
        """What was asked for in vain, as it may be kept."""
        if not (turn.unanswered or work.observed.fruitless):
            return ""
        return self._privacy.for_keeping(work.context.query.text, product_names(work))

    def _discreet(self, work: Work, conversation: Conversation) -> Conversation:
        if conversation.exchanges == work.context.conversation.exchanges:
            return conversation
        *before, last = conversation.exchanges
        names = product_names(work)
        kept = replace(
            last,
            user=self._privacy.for_keeping(last.user, names),
            assistant=self._privacy.for_keeping(last.assistant, names),
        )
        return replace(conversation, exchanges=(*before, kept))
