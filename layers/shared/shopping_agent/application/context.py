"""What a turn knows before its first model call: who asks, what was said, and what this session was shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import Conversation, JsonObject, Shopper
from shopping_agent.domain.intent import Language
from shopping_agent.domain.query import ShopperQuery, Understanding


@dataclass(frozen=True, slots=True)
class TurnContext:
    """One message in its session.

    Attributes:
        names: normalised names of the message that are product names -> ids.
        page: the product of the page that the shopper is on.
        now: seconds since the epoch.
    """

    shopper: Shopper
    turn_id: str
    understanding: Understanding
    conversation: Conversation
    now: float
    names: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    page: Product | None = None

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
        query, shown = self.query, self.conversation.shown
        if query.ordinal is not None:
            index = query.ordinal - 1 if query.ordinal > 0 else len(shown) + query.ordinal
            return (shown[index].id,) if 0 <= index < len(shown) else ()
        if query.affirms and self.pending_ids:
            return self.pending_ids[:1] if len(self.pending_ids) == 1 else ()
        if not query.pronoun:
            return ()
        focus = self.conversation.focus
        if self.page is not None:
            return (self.page.id,)
        if focus is not None:
            return (focus.id,)
        return (shown[0].id,) if len(shown) == 1 else ()
