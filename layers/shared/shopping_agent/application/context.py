"""What a turn knows before its first model call: who asks, what was said, and what this session was shown."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from shopping_agent.application.profiling import Known
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import Conversation, JsonObject, Shopper
from shopping_agent.domain.intent import Language
from shopping_agent.domain.query import ShopperQuery, Understanding
from shopping_agent.domain.values import frozen


@frozen
class TurnContext:
    """One message in its session.

    Attributes:
        names: normalised names of the message that are product names -> ids.
        page: the product of the page that the shopper is on.
        now: seconds since the epoch.
        known: of the shopper.
    """

    shopper: Shopper
    turn_id: str
    understanding: Understanding
    conversation: Conversation
    now: float
    names: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    page: Product | None = None
    known: Known = field(default_factory=Known)

    @property
    def query(self) -> ShopperQuery:
        return self.understanding.query

    @property
    def language(self) -> Language:
        return self.understanding.query.language

    @property
    def named_ids(self) -> tuple[str, ...]:
        """Ids of every product whose name stands in the message."""
        return tuple(dict.fromkeys(i for ids in self.names.values() for i in ids))

    @property
    def pending(self) -> JsonObject | None:
        return self.conversation.pending

    @property
    def pending_ids(self) -> tuple[str, ...]:
        """Products that our open question is about."""
        if not self.pending:
            return ()
        choices = [choice.get("productId") for choice in self.pending.get("choices", ())]
        asked = self.pending.get("arguments", {}).get("productId")
        return tuple(dict.fromkeys(str(i) for i in [*choices, asked] if i))

    def pointed_at(self) -> tuple[str, ...]:
        """Ids that the message points at without a name: "the second one", "it", "this" on a page, "yes"."""
        query = self.query
        places = dict.fromkeys((*query.ordinals, *((query.ordinal,) if query.ordinal else ())))
        placed = tuple(i for place in places if (i := self.at(place)) is not None)
        pronoun = query.pronoun and (not places or any(o.pronoun for o in query.orders))
        if query.affirms and self.pending_ids and not places:
            return self.pending_ids[:1] if len(self.pending_ids) == 1 else ()
        if any(order.both for order in query.orders):
            return tuple(s.id for s in self.conversation.shown)
        return (*placed, *self._talked_about()) if pronoun else placed

    def leaving(self) -> tuple[str, ...]:
        """Ids whose place another product may take: what was just added or talked about, in an exchange."""
        if not any(order.change == "swap" for order in self.query.orders):
            return ()
        focus = self.conversation.focus
        return (*self.conversation.added, *((focus.id,) if focus else ()))

    def at(self, place: int) -> str | None:
        """The id at a 1-based position of what we asked about last, else of the list shown."""
        listed = tuple(s.id for s in self.conversation.shown)
        ids = self._offered if len(self._offered) > 1 or not listed else listed
        index = place - 1 if place > 0 else len(ids) + place
        return ids[index] if 0 <= index < len(ids) else None

    @property
    def _offered(self) -> tuple[str, ...]:
        """The choices of our open question."""
        choices = (self.pending or {}).get("choices", ())
        return tuple(str(c["productId"]) for c in choices if c.get("productId"))

    def _talked_about(self) -> tuple[str, ...]:
        focus, shown = self.conversation.focus, self.conversation.shown
        if self.page is not None:
            return (self.page.id,)
        if focus is not None:
            return (focus.id,)
        return (shown[0].id,) if len(shown) == 1 else ()
