"""The first half of a turn: load the session in one round trip, know what the message may refer to, understand it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol, cast

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.search import SearchService
from shopping_agent.application.tools.catalog import ProductLookup
from shopping_agent.application.tools.refusals import family_name
from shopping_agent.application.work import Work
from shopping_agent.domain.conversation import Conversation, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import Intent
from shopping_agent.domain.query import ShownProduct, Understanding
from shopping_agent.domain.text import name_key, name_keys, words
from shopping_agent.ports import LiveCatalog, ProductIndex, TurnStore

LOAD_SECONDS: Final = 5.0
_MOST_KNOWN: Final = 24
_FEW_WORDS: Final = 2


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
    ) -> Understanding: ...


class Hearing:
    """Loads and understands."""

    def __init__(
        self,
        *,
        understand: Understand,
        turns: TurnStore,
        live: LiveCatalog,
        index: ProductIndex,
        search: SearchService,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._understand = understand
        self._turns = turns
        self._live = live
        self._index = index
        self._search = search
        self._clock = clock

    def hear(
        self,
        message: str,
        *,
        shopper: Shopper,
        turn_id: str,
        locale: str | None,
        page_product_id: str | None,
        deadline: Deadline,
    ) -> Work:
        """The turn's work, its message understood.

        Raises:
            StateUnavailableError: Redis is down.
        """
        loading = deadline.capped(LOAD_SECONDS)
        state = self._turns.load(shopper, name_keys(message), loading)
        observed = Observations(self._clock(), state.cart)
        named = [i for ids in state.names.values() for i in ids]
        known = _known_ids(state.conversation, named, page_product_id)
        if known:
            observed.saw_live(self._live.get(known, loading).values())
        products, focus = observed.products, state.conversation.focus
        names = (
            *(products[i].name for i in named if i in products),
            *(shown.name for shown in state.conversation.shown),
            *(line.name for line in state.cart.items),
            *((focus.name,) if focus else ()),
        )
        context = TurnContext(
            shopper=shopper,
            turn_id=turn_id,
            understanding=self._read(message, state.conversation, _distinct(names), locale),
            conversation=state.conversation,
            now=observed.now,
            names=state.names,
            page=products.get(page_product_id or ""),
        )
        lookup = ProductLookup(
            search=self._search, index=self._index, live=self._live, observed=observed
        )
        return Work(context, observed, lookup, deadline, _distinct(names), locale)

    def hear_again(self, work: Work) -> bool:
        """Read the message once more when a search found products whose name without its size stands in it.

        Returns:
            Whether it means any of them.

        The name index knows full names only: "Neroli Bloom" is in no shop that sells "Neroli Bloom - 50 ml".
        """
        query = work.context.query
        said = set(name_keys(query.text))
        # Words of a wish ("rosy", "like amber") are no misspelt names; elsewhere a name may be misspelt or transcribed.
        exact_only = query.delegated or query.wishes()
        families: dict[str, list[str]] = {}
        for product in work.observed.products.values():
            name = family_name(product.name)
            if name not in work.names and (not exact_only or name_key(name) in said):
                families.setdefault(name, []).append(product.id)
        if query.references or not families:
            return False
        work.names = _distinct((*work.names, *families))
        understanding = self._read(query.text, work.context.conversation, work.names, work.locale)
        meant = {r.name for r in understanding.query.references}
        names = {name_key(n): tuple(ids) for n, ids in families.items() if n in meant}
        work.context = replace(
            work.context, understanding=understanding, names={**work.context.names, **names}
        )
        return bool(names)

    def _read(
        self, message: str, conversation: Conversation, names: Sequence[str], locale: str | None
    ) -> Understanding:
        last = conversation.exchanges[-1] if conversation.exchanges else None
        if locale is None and last is not None and len(words(message)) <= _FEW_WORDS:
            # "50 ml" and "2" have no language of their own: the conversation's holds.
            locale = self._read(last.user, Conversation(), (), None).query.language
        return self._understand(
            message,
            shown=conversation.shown,
            names=names,
            previous_intent=cast(Intent, last.intent) if last else None,
            pending=conversation.pending is not None,
            locale=locale,
        )


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _known_ids(
    conversation: Conversation, named: Sequence[str], page_product_id: str | None
) -> list[str]:
    """Products whose live facts the turn starts with: on the page, named, asked about, in focus, shown."""
    pending = conversation.pending or {}
    asked = [choice.get("productId") for choice in pending.get("choices", ())]
    asked.append(pending.get("arguments", {}).get("productId"))
    ids = (
        page_product_id,
        *named,
        *asked,
        conversation.focus.id if conversation.focus else None,
        *(shown.id for shown in conversation.shown),
    )
    return list(dict.fromkeys(str(i) for i in ids if i))[:_MOST_KNOWN]
