"""How a message goes on with those before it: "something cheaper", "dry skin", "not for the office", an answer to our question."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from shopping_agent.application.profiling import Known, Profiling, without_taken_back
from shopping_agent.domain.conversation import Conversation
from shopping_agent.domain.intent import Intent
from shopping_agent.domain.query import ShopperQuery, ShownProduct, Understanding
from shopping_agent.domain.understanding.profiles import STATED, Told
from shopping_agent.domain.understanding.refinements import refined

_LOOKED_BACK: Final = 6
_WISHES: Final = ("season", "occasion")


class Understand(Protocol):
    """Reads a message: `domain.understanding.understand` with the store's vocabulary and currency bound."""

    def __call__(
        self,
        text: str,
        *,
        shown: Sequence[ShownProduct],
        names: Sequence[str],
        previous_intent: Intent | None,
        pending: bool,
        locale: str | None,
        spoken: str | None,
        added: bool,
    ) -> Understanding: ...


class Continuing:
    """Reads a message that was understood by itself as one of its conversation.

    Args:
        profiling: None where nobody asks what a message tells of the shopper.
    """

    def __init__(self, *, understand: Understand, profiling: Profiling | None) -> None:
        self._understand = understand
        self._profiling = profiling

    def read(
        self, understood: Understanding, conversation: Conversation
    ) -> tuple[Understanding, Known]:
        """The message with the wishes that it goes on with, and what is known of the shopper."""
        if self._profiling is None:
            return self._with_earlier_wishes(understood, conversation, Told()), Known()
        told = self._profiling.told(understood)
        answers = _answers_us(understood.query, conversation)
        own = understood.query
        understood = self._with_earlier_wishes(understood, conversation, told, answers=answers)
        alone = _is_alone(understood, told) or answers
        if alone or told.why_not:
            query = replace(understood.query, topics=(), pronoun=False)
            understood = replace(understood, query=query, intent="recommendation", route="agent")
        known = self._profiling.known(told, understood.query, own, conversation, answers=answers)
        return understood, replace(known, alone=alone)

    def _with_earlier_wishes(
        self,
        understood: Understanding,
        conversation: Conversation,
        told: Told,
        *,
        answers: bool = False,
    ) -> Understanding:
        query = understood.query
        refines = query.another or bool(told) or answers
        named = query.references and not told.why_not
        own = query.wishes() and not answers
        goes_on = query.refines or (refines and not own)
        one = conversation.focus is not None or conversation.pending is not None
        of_one = query.size_ml is not None and not own and one
        if not goes_on or named or query.orders or of_one:
            return understood  # "in 50 ml?" is about what was talked about
        earlier = self._request(conversation, within=own)
        if earlier is None:
            return understood
        wishes = refined(self._still_held(earlier, conversation), query)
        return replace(understood, query=without_taken_back(wishes, told))

    def _request(self, conversation: Conversation, *, within: bool) -> ShopperQuery | None:
        """The request that a message goes on with, as the messages since then refined it.

        Args:
            within: only where nothing was put into the cart since.
        """
        refinements: list[ShopperQuery] = []
        for exchange in reversed(conversation.exchanges[-_LOOKED_BACK:]):
            if within and exchange.intent == "cart":
                break
            said = self._wishes_of(exchange.user, exchange.language)
            if said is None:
                continue
            refinements.append(said)
            if not said.refines:
                break
        if not refinements:
            return None
        request = refinements.pop()
        while refinements:
            request = refined(request, refinements.pop())
        return request

    def _wishes_of(self, message: str, language: str) -> ShopperQuery | None:
        """An earlier message, if it wished for something; `why not Oud Royal?` wishes for no oud."""
        if self._profiling is not None and not self._profiling.tells_wishes(message):
            return None
        earlier = self._understand(
            message,
            shown=(),
            names=(),
            previous_intent=None,
            pending=False,
            locale=language or None,
            spoken=None,
            added=False,
        ).query
        return earlier if earlier.wishes() else None

    def _still_held(self, earlier: ShopperQuery, conversation: Conversation) -> ShopperQuery:
        """Earlier wishes without the season or occasion that was taken back since."""
        if self._profiling is None:
            return earlier
        for key in _WISHES:
            value = getattr(earlier, key)
            if value and not self._profiling.holds(conversation.profile, key, value):
                earlier = replace(earlier, **{key: None})
        return earlier


def _is_alone(understood: Understanding, told: Told) -> bool:
    """Whether a message tells of the shopper and asks for nothing by itself."""
    query = understood.query
    if not told or told.why_not or query.action != "none" or query.orders:
        return False
    return told.agreed or understood.intent != "recommendation"


def _answers_us(query: ShopperQuery, conversation: Conversation) -> bool:
    """Whether all that a message wishes for is what we asked: `for a man`, `the evening`."""
    stated = {key for key in STATED if getattr(query, key)}
    others = replace(query, season=None, occasion=None, gender=None)
    plain = query.action == "none" and not query.orders and not query.references
    return bool(stated) and plain and not others.wishes() and stated <= set(conversation.asked)
