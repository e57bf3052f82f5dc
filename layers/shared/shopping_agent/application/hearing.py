"""The first half of a turn: load the session in one round trip, know what the message may refer to, understand it."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from shopping_agent.application.context import TurnContext
from shopping_agent.application.continuing import Continuing, Understand
from shopping_agent.application.journal import TurnJournal
from shopping_agent.application.observations import Observations
from shopping_agent.application.profiling import Known, Profiling
from shopping_agent.application.search import SearchService
from shopping_agent.application.tools.catalog import ProductLookup
from shopping_agent.application.turn import TurnRepeated
from shopping_agent.application.work import Work
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import Conversation, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import Intent
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.operation import TurnClaim
from shopping_agent.domain.privacy import Privacy
from shopping_agent.domain.query import ShownProduct, Understanding
from shopping_agent.domain.sounds import is_sound_key, sound_keys
from shopping_agent.domain.text import family_key, family_name, name_key, name_keys
from shopping_agent.observability import count, logger
from shopping_agent.ports import LiveCatalog, ProductIndex, TurnState, TurnStore

LOAD_SECONDS: Final = 5.0
_MOST_KNOWN: Final = 40
_MOST_CODES: Final = 5
_CODE: Final = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\b")


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
        privacy: Privacy,
        profiling: Profiling | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """
        Args:
            profiling: None where nobody asks what a message tells of the shopper.
        """
        self._privacy = privacy
        self._continuing = Continuing(understand=understand, profiling=profiling)
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
        charges: Sequence[Charge],
        claim: TurnClaim | None,
        deadline: Deadline,
    ) -> Work:
        """The turn's work, its message understood.

        Raises:
            TurnRepeated: the turn was answered before.
            InProgressError, InvalidFieldError: the claim is refused.
            TooManyRequestsError: a limit of `charges` is reached.
            StateUnavailableError: Redis is down.
        """
        loading = deadline.capped(LOAD_SECONDS)
        keys = (*name_keys(message), *sound_keys(message))
        state = self._turns.load(shopper, keys, loading, charges=charges, claim=claim)
        journal = _journal(turn_id, state)
        observed = Observations(self._clock(), state.cart)
        observed.resume(journal)
        named = [i for ids in state.names.values() for i in ids]
        codes = _codes(message)
        named_or_changed = (*named, *codes, *journal.product_ids())
        known = _known_ids(state.conversation, named_or_changed, page_product_id)
        if known:
            observed.saw_live(self._live.get(known, loading).values())
        products, focus = observed.products, state.conversation.focus
        named_here = _named_here(state.names, products, codes)
        names = (
            *(name for name, _ in named_here.values()),
            *(products[i].name for _, ids in named_here.values() for i in ids),
            *(shown.name for shown in state.conversation.shown),
            *(line.name for line in state.cart.items),
            *((focus.name,) if focus else ()),
        )
        message = self._privacy.without_contacts(message, names)
        understanding, shopper_known = self._read(
            message, state.conversation, _distinct(names), locale
        )
        said = [r.name for r in understanding.query.references]
        meant = {key(name) for name in said for key in (name_key, family_key)}
        context = TurnContext(
            shopper=shopper,
            turn_id=turn_id,
            understanding=understanding,
            conversation=state.conversation,
            now=observed.now,
            names={key: ids for key, (_, ids) in named_here.items() if key in meant},
            page=products.get(page_product_id or ""),
            known=shopper_known,
        )
        lookup = ProductLookup(
            search=self._search, index=self._index, live=self._live, observed=observed
        )
        return Work(context, observed, lookup, deadline, _distinct(names), locale)

    def hear_again(self, work: Work) -> bool:
        """Read the message once more when a search found products whose name without its size stands in it.

        Returns:
            Whether it means any of them.

        The name index knows names as they are spelled: a misspelt or transcribed one is found by a search only.
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
        understanding, known = self._read(
            query.text, work.context.conversation, work.names, work.locale
        )
        meant = {r.name for r in understanding.query.references}
        names = {name_key(n): tuple(ids) for n, ids in families.items() if n in meant}
        work.context = replace(
            work.context,
            understanding=understanding,
            names={**work.context.names, **names},
            known=known,
        )
        return bool(names)

    def _read(
        self, message: str, conversation: Conversation, names: Sequence[str], locale: str | None
    ) -> tuple[Understanding, Known]:
        last = conversation.exchanges[-1] if conversation.exchanges else None
        understood = self._understand(
            message,
            shown=_listed(conversation),
            names=names,
            previous_intent=cast(Intent, last.intent) if last else None,
            pending=conversation.pending is not None,
            locale=locale,
            spoken=(last.language or None) if last else None,
            added=bool(conversation.added),
        )
        return self._continuing.read(understood, conversation)


def _journal(turn_id: str, state: TurnState) -> TurnJournal:
    """The turn's journal.

    Raises:
        TurnRepeated: an earlier attempt finished.
    """
    if state.history_lost:
        count("HistoriesLost")
        logger.warning("conversation unreadable", turn=turn_id)
    if state.record is not None and state.record.reply is not None:
        raise TurnRepeated(state.record.reply)
    return TurnJournal(turn_id, state.record)


def _listed(conversation: Conversation) -> tuple[ShownProduct, ...]:
    """What "the second one" counts in: the choices of our open question, else the list shown."""
    choices = (conversation.pending or {}).get("choices", ())
    prices = {one.id: one.price for one in conversation.shown}
    offered = tuple(
        ShownProduct(
            str(c["productId"]), str(c.get("label", "")), prices.get(str(c["productId"]), 0)
        )
        for c in choices
        if c.get("productId")
    )
    return offered if len(offered) > 1 or not conversation.shown else conversation.shown


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _codes(message: str) -> list[str]:
    """Words of the message that may be ids of products."""
    return list(dict.fromkeys(_CODE.findall(message)))[:_MOST_CODES]


def _named_here(
    names: Mapping[str, Sequence[str]], products: Mapping[str, Product], codes: Sequence[str]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By key: a name that stands in the message, as the catalog spells it, and the ids of the products that carry it."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for key, ids in sorted(names.items(), key=lambda entry: is_sound_key(entry[0])):
        sold = tuple(i for i in ids if i in products)
        if is_sound_key(key):
            for product_id in sold:
                family = family_name(products[product_id].name)
                _, same = found.get(name_key(family), (family, ()))
                together = tuple(dict.fromkeys((*same, product_id)))
                found[name_key(family)] = (family, together)
        elif sold:
            full = products[sold[0]].name
            found[key] = (full if name_key(full) == key else family_name(full), sold)
    return found | {name_key(code): (code, (code,)) for code in codes if code in products}


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
