"""What a message asks for, fetched before the first model call: named products, a search, guides; live, and in parallel."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from shopping_agent.application.bounded import all_within
from shopping_agent.application.context import TurnContext
from shopping_agent.application.counselling import Counselling
from shopping_agent.application.needs import (
    asks,
    concerned,
    may_name_a_product,
    wants_another_size,
    wants_sales,
    wants_search,
)
from shopping_agent.application.observations import Observations
from shopping_agent.application.search import MAX_PRODUCTS, FoundProducts, SearchService
from shopping_agent.application.tools.catalog import MOST_FOUND, ProductLookup
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.evidence import Passage
from shopping_agent.domain.stated_profile import Profile
from shopping_agent.domain.text import family_key, name_keys
from shopping_agent.domain.values import frozen
from shopping_agent.errors import DeadlineExceededError, IndexUnavailableError
from shopping_agent.observability import count

FOUND: Final = 5
_PASSAGES: Final = 4
_MOST_ROUNDS: Final = 6
_ABOUT_THE_CART: Final = ("update", "remove", "clear", "view", "checkout")


@frozen
class Gathered:
    """The search that the message asked for, and the passages that may answer it; None where there was no need."""

    found: FoundProducts | None = None
    passages: list[Passage] | None = None


class Gathering:
    """Decides what to fetch for one message, and fetches it into the turn's observations."""

    def __init__(
        self,
        *,
        search: SearchService,
        lookup: ProductLookup,
        observed: Observations,
        counselling: Counselling | None = None,
    ) -> None:
        """
        Args:
            counselling: who finds for a shopper that told only of themselves; None without rules.
        """
        self._search = search
        self._counselling = counselling
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

    def fetch_named(self, context: TurnContext, gathered: Gathered, deadline: Deadline) -> Gathered:
        """What was fetched, and all about the products whose names were found in the message since."""
        self._know_products(context, deadline)
        if not asks(context):
            return gathered
        passages = self._read(context, deadline)
        self._observed.passages = []
        self._observed.read(passages)
        return replace(gathered, passages=passages)

    def _fetch(self, context: TurnContext, deadline: Deadline) -> Gathered:
        works: dict[str, Callable[[], Any]] = {}
        if concerned(context) or wants_another_size(context):
            works["products"] = lambda: self._know_products(context, deadline)
        if wants_sales(context):
            works["found"] = lambda: self._find_sales(context, deadline)
        elif wants_search(context):
            works["found"] = lambda: self._find(context, deadline)
        elif may_name_a_product(context):
            works["named"] = lambda: self._find_named(context, deadline)
        if self._may_be_in_texts(context):
            works["passages"] = lambda: self._read(context, deadline)
        results = _run(list(works.values()), deadline)
        done = dict(zip(works, results, strict=True))
        return Gathered(done.get("found"), done.get("passages"))

    def _may_be_in_texts(self, context: TurnContext) -> bool:
        """A question, or words that the store's texts have sections about ("my bottle arrived broken")."""
        query = context.query
        if query.topics or asks(context):
            return True
        return query.action == "none" and self._search.is_in_texts(query.text)

    def _find_named(self, context: TurnContext, deadline: Deadline) -> None:
        """Observe the products whose name stands in the message, and no others."""
        found = self._find(context, deadline)
        said = set(name_keys(context.query.text))
        everything = (*found.products, *found.variants)
        self._observed.saw(p for p in everything if family_key(p.name) in said)

    def _find_sales(self, context: TurnContext, deadline: Deadline) -> FoundProducts | None:
        """Everything that is on sale now and meets the wishes, the largest reductions first."""
        now, query = self._observed.now, context.query
        reduced = {
            f.id: f for f in self._lookup.on_sale(deadline) if f.stock is None or f.stock > 0
        }
        if query.wishes():
            found = self._search.find_products(
                query.text,
                Constraints.of(query),
                limit=MAX_PRODUCTS,
                deadline=deadline,
                now=now,
                profile=context.known.profile,
            )
            products = [p for p in (*found.products, *found.variants) if p.id in reduced]
        else:
            products = sorted(
                self._search.get(tuple(reduced), deadline),
                key=lambda p: p.price.at(now) / p.price.regular,
            )
        return FoundProducts(products=tuple(products[:MOST_FOUND])) if products else None

    def _find(self, context: TurnContext, deadline: Deadline) -> FoundProducts:
        query = context.query
        by_price = query.cheapest or query.dearest
        # "The cheapest one" says nothing to search by: every product is a candidate.
        # Nor does "dry skin", which goes on with what was wished for before.
        nothing_said = (by_price and not query.wishes()) or context.known.alone
        text = "" if nothing_said else query.text
        wanted = self._wanted(context)
        if not query.references:
            wanted = self._search.by_wishes(text, wanted)
        profile = context.known.profile
        of_the_shopper = bool(context.known.told.profile) or context.known.alone
        if self._counselling is not None and of_the_shopper and not query.references:
            return self._counselling.find(
                self._search,
                text,
                wanted,
                profile,
                limit=FOUND,
                deadline=deadline,
                now=self._observed.now,
            )
        found = self._search_once(text, wanted, profile, deadline)
        if not by_price:
            return found
        return self._extreme(text, wanted, profile, found, deadline)

    def _search_once(
        self, text: str, wanted: Constraints, profile: Profile, deadline: Deadline
    ) -> FoundProducts:
        return self._search.find_products(
            text, wanted, limit=FOUND, deadline=deadline, now=self._observed.now, profile=profile
        )

    def _wanted(self, context: TurnContext) -> Constraints:
        """The constraints of the message; "cheaper" and "dearer" are so of what was talked about, else of all that was shown."""
        query, conversation = context.query, context.conversation
        wanted = Constraints.of(query)
        known = (conversation.focus,) if conversation.focus else conversation.shown
        prices = [s.price for s in known if s.price > 0]
        if not prices or not (query.cheaper or query.dearer):
            return wanted
        if query.dearer:
            return replace(wanted, min_price=max(max(prices) + 1, wanted.min_price or 0))
        limits = [x for x in (min(prices) - 1, wanted.max_price) if x and x > 0]
        return replace(wanted, max_price=min(limits)) if limits else wanted

    def _extreme(
        self,
        text: str,
        wanted: Constraints,
        profile: Profile,
        found: FoundProducts,
        deadline: Deadline,
    ) -> FoundProducts:
        """The search repeated beyond the price of the first, while it finds what meets the wishes as well: exact in a large shop."""
        now, kept = self._observed.now, found
        for _ in range(_MOST_ROUNDS):
            if not kept.products or kept.relaxed:
                break
            price = kept.products[0].price.at(now)
            beyond = {"min_price": price + 1} if wanted.dearest else {"max_price": price - 1}
            further = self._search_once(text, replace(wanted, **beyond), profile, deadline)
            if not further.products or further.relaxed or further.unmet > kept.unmet:
                break
            kept = further
        return kept if kept is found else _together(kept, found)

    def _read(self, context: TurnContext, deadline: Deadline) -> list[Passage]:
        # What was shown before may be sold no more, and its texts still be indexed.
        sold = [i for i in concerned(context) if i in self._observed.products]
        return self._search.find_passages(
            context.query.text,
            language=context.language,
            product_ids=sold[:3],
            limit=_PASSAGES,
            deadline=deadline,
        )

    def _know_products(self, context: TurnContext, deadline: Deadline) -> None:
        """All facts of the products that the message is about, and the sizes of the named ones."""
        self._lookup.full(concerned(context), deadline)
        meant = context.named_ids
        focus = context.conversation.focus
        if focus is not None and wants_another_size(context):
            meant = (*meant, focus.id)
        named = [p for i in meant if (p := self._observed.products.get(i))]
        if any(p.variant_of for p in named):
            sizes = self._search.variants(named, deadline=deadline, now=self._observed.now)
            self._observed.saw(sizes)

    def _goes_on_without_search(self, context: TurnContext) -> bool:
        """A cart turn about the cart itself, or about products that live facts know."""
        query = context.query
        if query.action in _ABOUT_THE_CART:
            return True
        known = any(i in self._observed.products for i in concerned(context))
        return query.action == "add" and known and not wants_search(context)


def _together(first: FoundProducts, then: FoundProducts) -> FoundProducts:
    """Two searches as one: the products of the first before those of the second."""
    products = {p.id: p for p in (*first.products, *then.products)}
    return replace(
        first,
        products=tuple(products.values())[:FOUND],
        variants=tuple({p.id: p for p in (*first.variants, *then.variants)}.values()),
    )


def _run(works: Sequence[Callable[[], Any]], deadline: Deadline) -> list[Any]:
    """The results of all, side by side when they are several; the first failure is raised."""
    if len(works) <= 1:
        return [work() for work in works]
    results = all_within(works, deadline)
    for result in results:
        if isinstance(result, DeadlineExceededError):
            raise result
    return results
