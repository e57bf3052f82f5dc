"""Recommendations by the store's rules: a profile in, scored products with their reasons out. No language model is involved."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.intent import language_of
from shopping_agent.domain.money import to_minor
from shopping_agent.errors import InvalidFieldError
from shopping_agent.http.bodies import read_body
from shopping_agent.http.models import RecommendationRequest, WantedProduct
from shopping_agent.http.resolver import ShopResolver
from shopping_agent.http.response import Response, json_reply

if TYPE_CHECKING:
    from shopping_agent.application.recommending import Recommender
    from shopping_agent.domain.profile import Profile, ProfileSchema

_SAID: Final = (
    "gender",
    "notes",
    "families",
    "exclude_notes",
    "size_ml",
    "season",
    "occasion",
    "longevity",
    "sillage",
    "kind",
)
"""What a query may say that its constraints do not."""


class RecommendationRoutes:
    """The recommender is asked for when a request needs it."""

    def __init__(
        self,
        app: ShopResolver,
        *,
        recommender: "Callable[[], Recommender]",
        read: "Callable[[str], tuple[Constraints, Profile]]",
        currency: Callable[[], str],
    ) -> None:
        self._app = app
        self._recommender = recommender
        self._read = read
        self._currency = currency
        app.post("/api/v1/recommendations", access="public", keyed=False)(self.recommend)

    def recommend(self) -> Response:
        from shopping_agent.application.recommendations import recommendations_view

        wanted = read_body(self._app.current_event, RecommendationRequest)
        recommender = self._recommender()
        expert, language, now = recommender.expert, language_of(wanted.locale), time.time()
        profile = expert.schema.parse(wanted.profile)
        constraints = constraints_of(wanted.constraints, expert.schema, self._currency())
        text = wanted.query or ""
        if text.strip():
            said, told = self._read(text)
            constraints, profile = _with(constraints, said), expert.schema.merge(told, profile)
        found = recommender.recommend(
            profile,
            constraints,
            text=text,
            limit=wanted.limit,
            deadline=self._app.visit.deadline,
            now=now,
        )
        return json_reply(recommendations_view(found, expert, language, now))


def constraints_of(
    wanted: WantedProduct | None, schema: "ProfileSchema", currency: str
) -> Constraints:
    """The constraints of a request.

    Raises:
        InvalidFieldError: a season or an occasion that the store does not know, with those that it does.
    """
    if wanted is None:
        return Constraints()
    unit = wanted.currency or currency
    bounds: dict[str, Any] = {
        name: None if amount is None else to_minor(amount, unit)
        for name, amount in (("min_price", wanted.min_price), ("max_price", wanted.max_price))
    }
    stated = Constraints(
        currency=wanted.currency,
        gender=wanted.gender,
        notes=tuple(wanted.notes or ()),
        families=tuple(wanted.families or ()),
        exclude_notes=tuple(wanted.exclude_notes or ()),
        size_ml=wanted.size_ml,
        season=_canonical("season", wanted.season, schema),
        occasion=_canonical("occasion", wanted.occasion, schema),
    )
    return replace(stated, **bounds)


def _with(given: Constraints, said: Constraints) -> Constraints:
    """The given constraints, and of the others what a query says."""
    price = given.bounded or given.currency
    stated = {
        name: value for name in _SAID if not getattr(given, name) and (value := getattr(said, name))
    }
    if not price and said.bounded:
        stated |= {name: getattr(said, name) for name in ("min_price", "max_price", "currency")}
    return replace(given, **stated)


def _canonical(key: str, value: str | None, schema: "ProfileSchema") -> str | None:
    spec = schema.keys.get(key)
    if not value or spec is None:
        return value
    canonical = spec.canonical(value)
    if canonical is None:
        raise InvalidFieldError(
            f"constraints.{key}: it is one of {', '.join(spec.values)}.", field=f"constraints.{key}"
        )
    return canonical
