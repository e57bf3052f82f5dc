"""What a shopper may ask of the data kept about them: to have all of it, and to have it erased."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from shopping_agent.http.bodies import read_parameters
from shopping_agent.http.models import ExportParameters
from shopping_agent.http.resolver import ShopResolver
from shopping_agent.http.response import Response, json_reply, utc_time
from shopping_agent.observability import logger

if TYPE_CHECKING:
    from shopping_agent.ports import KeptRecord, ShopperRecords


class SessionRoutes:
    """The service is asked for when a request needs it."""

    def __init__(self, app: ShopResolver, *, records: "Callable[[], ShopperRecords]") -> None:
        self._app = app
        self._records = records
        app.delete("/api/v1/sessions/current", access="bearer")(self.erase)
        app.get("/api/v1/sessions/current/export", access="bearer")(self.export)

    def erase(self) -> Response:
        visit = self._app.visit
        self._records().erase(visit.who.shopper, visit.deadline)
        logger.info("shopper erased", kind=visit.who.shopper.kind)
        return Response(204)

    def export(self) -> Response:
        visit = self._app.visit
        wanted = read_parameters(self._app.current_event, ExportParameters)
        page = self._records().export(visit.who.shopper, wanted.cursor or "", visit.deadline)
        body = {
            "sessionId": visit.who.shopper.session_id,
            "exportedAt": utc_time(time.time()),
            "records": [_view(record) for record in page.records],
        }
        if page.next_cursor is not None:
            body["nextCursor"] = page.next_cursor
        return json_reply(body)


def _view(record: "KeptRecord") -> dict[str, object]:
    return {
        "kind": record.kind,
        "holds": record.holds,
        "key": record.key,
        "secondsLeft": record.seconds_left,
        "data": record.data,
    }
