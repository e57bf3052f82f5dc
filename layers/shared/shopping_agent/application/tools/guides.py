"""The tools for questions and people: search the store's texts, give the store's contact."""

from collections.abc import Sequence
from typing import Any, Final

from shopping_agent.application.observations import Observations
from shopping_agent.application.search import SearchService
from shopping_agent.application.tools.arguments import ContactStore, SearchGuides
from shopping_agent.application.tools.registry import Tool
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.evidence import Passage
from shopping_agent.domain.intent import Language
from shopping_agent.domain.store import StorePack

LONGEST_PASSAGE: Final = 1200
_LONGEST_LABEL: Final = 200


class GuideTools:
    """The guide and contact tools of one turn."""

    def __init__(
        self, *, search: SearchService, pack: StorePack, language: Language, observed: Observations
    ) -> None:
        self._search = search
        self._pack = pack
        self._language: Language = language
        self._observed = observed

    def tools(self) -> list[Tool]:
        return [
            Tool(
                "search_guides",
                "Find what the store's guides and product texts say: delivery, returns, payment, care, ingredients.",
                SearchGuides,
                self.find,
            ),
            Tool(
                "contact_store",
                "How to reach a person of the store.",
                ContactStore,
                self.contact,
            ),
        ]

    def find(self, arguments: SearchGuides, deadline: Deadline) -> JsonObject:
        passages = self._search.find_passages(
            arguments.query, language=self._language, deadline=deadline
        )
        self._observed.read(passages)
        return passages_observation(passages)

    def contact(self, arguments: ContactStore, deadline: Deadline) -> JsonObject:
        del arguments, deadline
        self._observed.contacted = True
        contacts = self._pack.contacts
        return {
            "contact": {
                "whatsapp": contacts.whatsapp,
                "phone": contacts.phone,
                "email": contacts.email,
                "hours": self._pack.words(contacts.hours, self._language),
            }
        }


def passages_observation(passages: Sequence[Passage]) -> JsonObject:
    """Passages as a tool result shows them, each text bounded."""
    return {"passages": [_passage(p) for p in passages]}


def _passage(passage: Passage) -> dict[str, Any]:
    facts = {
        "source": passage.source[:_LONGEST_LABEL],
        "heading": passage.heading[:_LONGEST_LABEL],
        "language": passage.language,
        "productId": passage.product_id,
        "name": passage.name[:_LONGEST_LABEL],
        "text": passage.text[:LONGEST_PASSAGE],
    }
    return {k: v for k, v in facts.items() if v}
