"""What operators are told of the shop, for whoever has the operator's token."""

import hmac
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from shopping_agent.domain.limits import MICROS
from shopping_agent.domain.money import to_major
from shopping_agent.domain.statistics import DURATION, TOPICS, Day, percentile, whole
from shopping_agent.errors import NotFoundError, UnauthorizedError
from shopping_agent.http.bodies import read_parameters
from shopping_agent.http.identity import bearer
from shopping_agent.http.models import StatisticsParameters
from shopping_agent.http.resolver import ShopResolver
from shopping_agent.http.response import Response, json_reply

if TYPE_CHECKING:
    from shopping_agent.ports import Statistics

MOST_TEXTS: Final = 50
_GROUPS: Final = {
    "intents": "intent",
    "routes": "route",
    "languages": "language",
    "finishes": "finish",
    "actions": "action",
    "refusals": "refused",
    "verdicts": "verdict",
    "failures": "failure",
    "hours": "hour",
}
_PERCENTILES: Final = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


class OperatorRoutes:
    """The service is asked for when a request needs it.

    Args:
        token: the operator's; "" where the shop has none, and then nothing of this is there.
    """

    def __init__(
        self,
        app: ShopResolver,
        *,
        statistics: "Callable[[], Statistics]",
        token: Callable[[], str],
    ) -> None:
        self._app = app
        self._statistics = statistics
        self._token = token
        app.get("/api/v1/ops/statistics", access="operator")(self.read)

    def read(self) -> Response:
        self._admit()
        wanted = read_parameters(self._app.current_event, StatisticsParameters)
        deadline = self._app.visit.deadline
        days = self._statistics().days(wanted.days, deadline)
        reports = self._statistics().reports(deadline)
        return json_reply(
            {
                "from": days[0].date,
                "until": days[-1].date,
                "days": [{"date": day.date, **_figures(day)} for day in days],
                **_whole(whole(days, most_texts=MOST_TEXTS)),
                "files": list(reports),
            }
        )

    def _admit(self) -> None:
        token = self._token()
        if not token:
            raise NotFoundError("This shop has no operator page: OPERATOR_TOKEN is not set.")
        given = bearer(self._app.current_event.headers) or ""
        if not hmac.compare_digest(given.encode(), token.encode()):
            raise UnauthorizedError("Send the operator's token as a bearer.")


def _figures(day: Day) -> dict[str, Any]:
    return {
        "turns": day.counts.get("turns", 0),
        "unanswered": day.counts.get("unanswered", 0),
        "fruitlessSearches": day.counts.get("fruitless", 0),
        "tokens": sum(day.group("tokens").values()),
        "cost": sum(day.group("micros").values()) / MICROS,
        "durations": _durations(day),
        "revenue": _revenue(day.revenue),
    }


def _whole(total: Day) -> dict[str, Any]:
    texts = {
        topic: [{"text": text, "count": count} for text, count in total.texts.get(topic, ())]
        for topic in TOPICS
    }
    groups = {name: total.group(group) for name, group in _GROUPS.items()}
    return {"totals": {**_figures(total), **groups, "models": _models(total)}, **texts}


def _durations(day: Day) -> dict[str, int | None]:
    histogram = {int(end): count for end, count in day.group(DURATION).items()}
    found = {name: percentile(histogram, share) for name, share in _PERCENTILES.items()}
    return {name: None if value is None else round(value) for name, value in found.items()}


def _models(day: Day) -> list[dict[str, Any]]:
    tokens, micros, unpriced = (day.group(g) for g in ("tokens", "micros", "unpriced"))
    return [
        {
            "model": name,
            "calls": calls,
            "tokens": tokens.get(name, 0),
            "cost": None if name in unpriced else micros.get(name, 0) / MICROS,
        }
        for name, calls in sorted(day.group("calls").items(), key=lambda pair: -pair[1])
    ]


def _revenue(fields: Mapping[str, int]) -> list[dict[str, Any]]:
    return [
        {
            "currency": currency,
            "amount": to_major(amount, currency),
            "orders": fields.get(f"{currency}:orders", 0),
        }
        for currency, amount in sorted(fields.items())
        if ":" not in currency
    ]
