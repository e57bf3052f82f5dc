"""The tool that recommends: the search's own ranking for a profile, with what the store's rules say of it."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from shopping_agent.application.counselling import Counselling
from shopping_agent.application.search import SearchService
from shopping_agent.application.tools.arguments import (
    InvalidArgumentsError,
    RecommendProducts,
    json_schema,
)
from shopping_agent.application.tools.catalog import MOST_FOUND, products_observation, wanted_of
from shopping_agent.application.tools.registry import Tool
from shopping_agent.application.work import Work
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.errors import InvalidFieldError


class RecommendationTools:
    """`recommend_products` of one turn."""

    def __init__(self, *, counselling: Counselling, search: SearchService, work: Work) -> None:
        self._counselling = counselling
        self._search = search
        self._work = work

    def tools(self) -> list[Tool]:
        return [
            Tool(
                "recommend_products",
                "Recommend products for what is known of the shopper: ranked and explained by the store's rules, best first.",
                RecommendProducts,
                self.recommend,
                parameters=lambda: parameters(self._counselling.schema),
            )
        ]

    def recommend(self, arguments: RecommendProducts, deadline: Deadline) -> JsonObject:
        context, observed = self._work.context, self._work.observed
        profile = self._profile(arguments)
        wanted = wanted_of(arguments, context, observed)
        found = self._counselling.find(
            self._search,
            arguments.query or context.query.text,
            wanted,
            profile,
            limit=min(arguments.limit, MOST_FOUND),
            deadline=deadline,
            now=observed.now,
        )
        observed.searched(found)
        counsel = self._counselling.counsel(self._work, found, wanted, profile, deadline)
        observed.counsel = counsel
        result = products_observation(found, observed.now)
        return {**result, "products": counsel.beside(result["products"]), **counsel.view()}

    def _profile(self, arguments: RecommendProducts) -> Profile:
        """What the model says of the shopper beside what is known of them."""
        schema = self._counselling.schema
        try:
            return schema.merge(self._work.context.known.profile, schema.parse(arguments.profile))
        except InvalidFieldError as error:
            raise InvalidArgumentsError(str(error)) from None


def parameters(schema: ProfileSchema) -> JsonObject:
    """The arguments' JSON schema, the keys and values of the store's profiles in it."""
    plain = _plain()
    keys: dict[str, Any] = {}
    for name, spec in schema.keys.items():
        value = {"type": "string", "enum": list(spec.values)}
        keys[name] = {"type": "array", "items": value} if spec.many else value
    properties = cast(Mapping[str, Any], plain["properties"])
    profile = {**properties["profile"], "type": "object", "properties": keys}
    return {**plain, "properties": {**properties, "profile": profile}}


@cache
def _plain() -> JsonObject:
    return json_schema(RecommendProducts)
