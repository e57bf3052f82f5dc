"""What a message asks for, fetched before the first model call: named products, a search, guides; live, and in parallel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shopping_agent.application.bounded import all_within
from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.search import FoundProducts, SearchService
from shopping_agent.application.tools.catalog import ProductLookup
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.evidence import Passage
from shopping_agent.errors import DeadlineExceededError, IndexUnavailableError
from shopping_agent.observability import count

FOUND: Final = 5
_PASSAGES: Final = 4
_QUESTION_MARKS: Final = ("?", "؟")
_ABOUT_THE_CART: Final = ("update", "remove", "clear", "view", "checkout")


@dataclass(frozen=True, slots=True)
class Gathered:
    """The search that the message asked for, and the passages that may answer it; None where there was no need."""

    found: FoundProducts | None = None
    passages: list[Passage] | None = None


class Gathering:
    """Decides what to fetch for one message, and fetches it into the turn's observations."""

    def __init__(
        self, *, search: SearchService, lookup: ProductLookup, observed: Observations
    ) -> None:
        self._search = search
        self._lookup = lookup
        self._observed = observed

    def fetch(self, context: TurnContext, deadline: Deadline) -> Gathered:
        """Everything that the message asks for.

        Raises:
            IndexUnavailableError: search is down and the message can have nothing without it.
            DeadlineExceededError: it took too long.
        """
        try:
            gathered = self._fetch(context, deadline)
        except IndexUnavailableError:
            if not self._goes_on_without_search(context):
                raise
            count("SearchFailuresTolerated")
            return Gathered()
        if gathered.found is not None:
            self._observed.searched(gathered.found)
        self._observed.read(gathered.passages or ())
        return gathered

    def _fetch(self, context: TurnContext, deadline: Deadline) -> Gathered:
        works: dict[str, Callable[[], Any]] = {}
        if concerned(context):
            works["products"] = lambda: self._know_products(context, deadline)
        if _wants_search(context):
            works["found"] = lambda: self._find(context, deadline)
        if context.query.topics or asks(context):
            works["passages"] = lambda: self._read(context, deadline)
        results = _run(list(works.values()), deadline)
        done = dict(zip(works, results, strict=True))
        return Gathered(done.get("found"), done.get("passages"))

    def _find(self, context: TurnContext, deadline: Deadline) -> FoundProducts:
        return self._search.find_products(
            context.query.text,
            Constraints.of(context.query),
            limit=FOUND,
            deadline=deadline,
            now=self._observed.now,
        )

    def _read(self, context: TurnContext, deadline: Deadline) -> list[Passage]:
        return self._search.find_passages(
            context.query.text,
            language=context.language,
            product_ids=concerned(context)[:3],
            limit=_PASSAGES,
            deadline=deadline,
        )

    def _know_products(self, context: TurnContext, deadline: Deadline) -> None:
        """All facts of the products that the message is about, and the sizes of the named ones."""
        self._lookup.full(concerned(context), deadline)
        named = [p for i in context.named_ids if (p := self._observed.products.get(i))]
        if any(p.variant_of for p in named):
            sizes = self._search.variants(named, deadline=deadline, now=self._observed.now)
            self._observed.saw(sizes)

    def _goes_on_without_search(self, context: TurnContext) -> bool:
        """A cart turn about the cart itself, or about products that live facts know."""
        query = context.query
        if query.action in _ABOUT_THE_CART:
            return True
        known = any(i in self._observed.products for i in concerned(context))
        return query.action == "add" and known and not _wants_search(context)


def _run(works: Sequence[Callable[[], Any]], deadline: Deadline) -> list[Any]:
    """The results of all, side by side when they are several; the first failure is raised."""
    if len(works) <= 1:
        return [work() for work in works]
    results = all_within(works, deadline)
    for result in results:
        if isinstance(result, DeadlineExceededError):
            raise result
    return results


def concerned(context: TurnContext) -> tuple[str, ...]:
    """Ids of the products that a message is about: named, pointed at, else those shown when it speaks of them."""
    query = context.query
    shown = tuple(s.id for s in context.conversation.shown)
    ids = context.named_ids
    if not ids and not (query.compare and len(shown) > 1):
        ids = context.pointed_at()
    if not ids and (query.compare or query.delegated or asks(context)):
        ids = shown or ((context.page.id,) if context.page is not None else ())
    return tuple(dict.fromkeys(ids))[:FOUND]


def asks(context: TurnContext) -> bool:
    """Whether the message may be a question: understood as one, or with the sign of one and no change in it."""
    understanding, query = context.understanding, context.query
    marked = any(mark in query.text for mark in _QUESTION_MARKS)
    return understanding.intent == "knowledge" or (
        marked and query.action == "none" and understanding.intent != "recommendation"
    )


def _wants_search(context: TurnContext) -> bool:
    """Whether products must be found: wishes, a choice left to us, or an addition of something not pointed at."""
    query, recommends = context.query, context.understanding.intent == "recommendation"
    if query.delegated:
        return query.wishes() or not context.conversation.shown
    if context.named_ids or context.pointed_at() or query.ordinal is not None:
        return recommends
    if query.action == "add":
        return query.wishes() or not (query.pronoun or query.affirms or context.pending)
    return query.action == "none" and (recommends or query.wishes() or asks(context))
