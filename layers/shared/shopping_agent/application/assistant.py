"""The turn: load, understand, route, answer or act, verify, save. In time, in the shopper's language, from facts."""

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from shopping_agent.application.agent import Agent, Task
from shopping_agent.application.answering import Answering
from shopping_agent.application.blocks import data_blocks
from shopping_agent.application.checking import Checking
from shopping_agent.application.checkout import Checkout
from shopping_agent.application.closing import Closing
from shopping_agent.application.confirmation import confirmation
from shopping_agent.application.counselling import Counselling
from shopping_agent.application.gathering import Gathered, Gathering
from shopping_agent.application.hearing import Hearing
from shopping_agent.application.keeping import Keep, Keeping, claim_of
from shopping_agent.application.loop_limits import LoopLimits
from shopping_agent.application.progress import Progress, WatchedTools
from shopping_agent.application.prompts import history, system_prompt
from shopping_agent.application.provider_limits import raise_if_busy
from shopping_agent.application.recommending import Recommender
from shopping_agent.application.reporting import report
from shopping_agent.application.search import SearchService
from shopping_agent.application.summary import Summary
from shopping_agent.application.tools.cart import CartTools
from shopping_agent.application.tools.catalog import CatalogTools
from shopping_agent.application.tools.checkout import CheckoutTools
from shopping_agent.application.tools.dispatcher import Dispatcher
from shopping_agent.application.tools.gates import WriteGates
from shopping_agent.application.tools.guides import GuideTools
from shopping_agent.application.tools.recommend import RecommendationTools
from shopping_agent.application.turn import Outcome, Turn
from shopping_agent.application.work import Draft, Work
from shopping_agent.domain.conversation import Shopper, UserMessage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import MICROS, Charge
from shopping_agent.domain.privacy import Privacy
from shopping_agent.domain.store import StorePack
from shopping_agent.errors import (
    DeadlineExceededError,
    InProgressError,
    InvalidFieldError,
    ShoppingAgentError,
)
from shopping_agent.observability import milliseconds_since
from shopping_agent.ports import CartStore, LanguageModel, TurnSteps, TurnStore

if TYPE_CHECKING:
    from shopping_agent.application.recording import TurnRecorder

# The turn is not ours to give up.
_ANOTHERS: Final = (InProgressError, InvalidFieldError)
# What is fetched before the first model call may not eat the time of the model.
GATHER_SECONDS: Final = 8.0
# Of the time that is there at the start, this share (at most so many seconds) is kept for the check and the saving.
_RESERVED_SHARE: Final = 0.15
_MOST_RESERVED: Final = 1.5


class Assistant:
    """The one use case of the chat function."""

    def __init__(
        self,
        *,
        model: LanguageModel,
        hearing: Hearing,
        turns: TurnStore,
        carts: CartStore,
        search: SearchService,
        pack: StorePack,
        privacy: Privacy,
        max_tool_calls: int,
        max_turn_tokens: int = 60_000,
        max_turn_spend: float = 0.0,
        max_reply_tokens: int = 700,
        fast_confirmation: bool = False,
        checkout: Checkout | None = None,
        recommender: Recommender | None = None,
        recorder: "TurnRecorder | None" = None,
        steps: TurnSteps | None = None,
    ) -> None:
        """
        Args:
            max_tool_calls, max_turn_tokens: of one turn; 0 tokens is no bound.
            max_turn_spend: dollars, 0 is no bound.
            max_reply_tokens: of one reply of the model.
            fast_confirmation: a plain order that was carried out is confirmed by our own words, without a model call.
        """
        self._hearing = hearing
        self._keeping = Keeping(turns=turns, privacy=privacy)
        self._carts = carts
        self._counselling = Counselling(recommender, pack.phrases) if recommender else None
        self._checkout = checkout
        self._recorder = recorder
        self._steps = steps
        self._search = search
        self._pack = pack
        limits = LoopLimits(
            tool_calls=max_tool_calls,
            tokens=max_turn_tokens,
            micros=math.ceil(max_turn_spend * MICROS),
            reply_tokens=max_reply_tokens,
        )
        self._agent = Agent(model=model, limits=limits)
        self._fast_confirmation = fast_confirmation
        self._checking = Checking(pack=pack, search=search)
        self._answering = Answering(agent=self._agent, pack=pack, checking=self._checking)
        self._closing = Closing(pack=pack, checking=self._checking)

    def reply(
        self,
        message: str,
        *,
        shopper: Shopper,
        turn_id: str,
        locale: str | None = None,
        page_product_id: str | None = None,
        charges: Sequence[Charge] = (),
        keep: Keep | None = None,
        told: bool = False,
        deadline: Deadline,
    ) -> Turn:
        """Answer one message, and do what it asks.

        Args:
            charges: limits that this turn counts towards.
            keep: of a turn that its client may send again under the same id: the reply as it is kept.
            told: its steps are written while it runs, for whoever asks.

        Raises:
            TurnRepeated: the turn was answered before.
            InProgressError: it is being answered. InvalidFieldError: its id was used for another message.
            TooManyRequestsError: one of them is reached, or the model's provider has one and nothing was changed yet.
            StateUnavailableError: Redis is down.
            IndexUnavailableError: search is down and the message can have nothing without it.
        """
        started = time.perf_counter()
        claim = claim_of(turn_id, message, deadline) if keep else None
        progress = Progress(
            self._steps if told else None, shopper=shopper, turn_id=turn_id, deadline=deadline
        )
        reserved = min(_MOST_RESERVED, _RESERVED_SHARE * deadline.remaining())
        try:
            work = self._hearing.hear(
                message,
                shopper=shopper,
                turn_id=turn_id,
                locale=locale,
                page_product_id=page_product_id,
                charges=charges,
                claim=claim,
                deadline=Deadline(deadline.at - reserved),
            )
            work.progress = progress
            progress.language = work.context.language
            draft = self._draft(work)
            raise_if_busy(draft.outcome, work.observed)
            progress.tell("check")
            turn, conversation = self._closing.close(work, draft)
            progress.done()
        except ShoppingAgentError as error:
            if claim and not isinstance(error, _ANOTHERS):
                self._keeping.give_up(shopper, claim, deadline)
            raise
        spent = milliseconds_since(started)
        self._keeping.keep(work, turn, conversation, deadline, keep=keep, milliseconds=spent)
        if self._recorder is not None:
            self._recorder.record(work, turn, deadline)
        progress.settle()
        report(turn, turn_id, started)
        return turn

    def _draft(self, work: Work) -> Draft:
        if work.context.understanding.route == "greeting":
            return self._greet(work)
        try:
            gathered = self._gather(work)
            work.tell("think")
            # With more names known the message may be read, and sent, another way.
            if work.context.understanding.route == "rag":
                return self._answering.answer(work, gathered)
            return self._act(work, gathered)
        except DeadlineExceededError:
            return Draft(Outcome("", "deadline"))

    def _gather(self, work: Work) -> Gathered:
        """Everything that the message asks for, read once more when the search shows which names it holds.

        Raises:
            IndexUnavailableError: search is down and the message can have nothing without it.
        """
        gathering = Gathering(
            search=self._search,
            lookup=work.lookup,
            observed=work.observed,
            counselling=self._counselling,
        )
        deadline = work.deadline.capped(GATHER_SECONDS)
        work.tell("search")
        gathered = gathering.fetch(work.context, deadline)
        if self._hearing.hear_again(work):
            gathered = gathering.fetch_named(work.context, gathered, deadline)
        if self._counselling is not None:
            self._counselling.advise(work, gathered.found, deadline)
        return gathered

    def _greet(self, work: Work) -> Draft:
        language = work.context.language
        text = Summary(self._pack, work.context, work.observed).courtesy()
        notice = self._pack.words(self._pack.ai_notice, language)
        if notice and not work.context.conversation.exchanges:
            # Who is answering is said where a conversation begins.
            text = f"{text}\n{notice}"
        suggestions = self._pack.suggestions.get(language, ())
        return Draft(Outcome(text, "answered"), fixed=True, suggestions=tuple(suggestions))

    def _act(self, work: Work, gathered: Gathered) -> Draft:
        context = work.context
        task = Task(
            system=system_prompt(self._pack, context.understanding.intent, context.language),
            messages=(
                *history(context.conversation.exchanges),
                UserMessage(context.query.text, data_blocks(context, work.observed, gathered)),
            ),
            query=context.query,
            turn_id=context.turn_id,
            check=self._checking.faults_of(work),
            confirm=self._confirm(work, gathered) if self._fast_confirmation else None,
        )
        tools = (
            WatchedTools(self._toolbox(work), work.progress)
            if work.progress
            else self._toolbox(work)
        )
        return Draft(self._agent.run(task, tools, work.deadline))

    def _confirm(self, work: Work, gathered: Gathered) -> Callable[[], str] | None:
        """Our own words for an order that was carried out; None where a wish could not be met: that has to be told."""
        found = gathered.found
        if found is not None and (found.relaxed or found.unmet):
            return None
        return lambda: confirmation(self._pack, work.context, work.observed)

    def _toolbox(self, work: Work) -> Dispatcher:
        context, observed = work.context, work.observed
        gates = WriteGates(context, observed, self._pack.vocabulary)
        catalog = CatalogTools(
            search=self._search, lookup=work.lookup, context=context, observed=observed
        )
        carts = CartTools(
            carts=self._carts, lookup=work.lookup, gates=gates, context=context, observed=observed
        )
        guides = GuideTools(
            search=self._search, pack=self._pack, language=context.language, observed=observed
        )
        tools = [*catalog.tools(), *carts.tools(), *guides.tools()]
        if self._counselling is not None:
            tools += RecommendationTools(
                counselling=self._counselling, search=self._search, work=work
            ).tools()
        if self._checkout is not None:
            tools += CheckoutTools(
                checkout=self._checkout, gates=gates, context=context, observed=observed
            ).tools()
        return Dispatcher(
            tools,
            intent=context.understanding.intent,
            observed=observed,
        )
