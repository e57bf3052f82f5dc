"""Who the store is, in the shopper's language: what a page or a widget says about it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from shopping_agent.domain.intent import language_of
from shopping_agent.http.bodies import read_parameters
from shopping_agent.http.models import StoreParameters
from shopping_agent.http.resolver import ShopResolver
from shopping_agent.http.response import Response, json_reply

if TYPE_CHECKING:
    from shopping_agent.domain.store import StorePack

_VALUES: Final = "value."


class ShopRoutes:
    """The store pack is asked for when a request needs it."""

    def __init__(self, app: ShopResolver, *, pack: "Callable[[], StorePack]") -> None:
        self._app = app
        self._pack = pack
        app.get("/api/v1/store", access="public")(self.read)

    def read(self) -> Response:
        wanted = read_parameters(self._app.current_event, StoreParameters)
        pack = self._pack()
        language = language_of(wanted.locale)
        contacts = pack.contacts
        body = {
            "name": pack.name,
            "currency": pack.currency,
            "language": language,
            "suggestions": list(pack.suggestions.get(language, ())),
            "notice": pack.words(pack.ai_notice, language),
            "contacts": {
                "whatsapp": contacts.whatsapp,
                "phone": contacts.phone,
                "email": contacts.email,
                "hours": pack.words(contacts.hours, language),
            },
            "values": {
                key.removeprefix(_VALUES): pack.phrases.say(language, key)
                for key in pack.phrases.by_language.get("en", {})
                if key.startswith(_VALUES)
            },
        }
        return json_reply(body, headers={"Cache-Control": "public, max-age=300"})
