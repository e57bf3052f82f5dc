"""Tool arguments: forgiving about how models spell values, strict about what they mean.

The models send "5" for 5, 5.0 for 5, null for "not given", one text where a list is asked, and keys of their own.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from shopping_agent.domain.text import fold


class InvalidArgumentsError(Exception):
    """Arguments that cannot be used; the message tells the model which and why."""


class Arguments(BaseModel):
    """Base of all argument models: camelCase names outside, unknown keys ignored."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
        coerce_numbers_to_str=True,
        str_strip_whitespace=True,
    )


def _listed(value: Any) -> Any:
    """A list from one text, a JSON list in a text, or comma-separated words."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.startswith("["):
        try:
            return json.loads(text, strict=False)
        except ValueError:
            return [text]
    return [part.strip() for part in re.split(r"[,;|،؛]", text) if part.strip()]


def _folded(value: Any) -> Any:
    return fold(value).strip() if isinstance(value, str) else value


_ProductId = Annotated[str, Field(min_length=1, max_length=200, description="id of a product")]
_Words = Annotated[
    list[Annotated[str, Field(max_length=60)]], Field(max_length=20), BeforeValidator(_listed)
]
_Amount = Annotated[Decimal, Field(ge=0, le=100_000_000, allow_inf_nan=False)]


class NoArguments(Arguments):
    """A tool that takes none."""


class SearchProducts(Arguments):
    query: Annotated[
        str,
        Field(min_length=1, max_length=400, description="what the shopper wants, in their words"),
    ]
    max_price: Annotated[_Amount | None, Field(description="in the store's currency")] = None
    min_price: _Amount | None = None
    gender: Annotated[Literal["women", "men", "unisex"] | None, BeforeValidator(_folded)] = None
    notes: Annotated[_Words, Field(description="wanted notes or families, in English")] = Field(
        default_factory=list[str]
    )
    exclude_notes: Annotated[_Words, Field(description="refused notes or families, in English")] = (
        Field(default_factory=list[str])
    )
    limit: Annotated[int, Field(ge=1, description="at most 10")] = 5


class RecommendProducts(SearchProducts):
    query: Annotated[str, Field(max_length=400, description="what is wanted, in their words")] = ""
    profile: Annotated[dict[str, Any], Field(description="what the shopper told of themselves")] = (
        Field(default_factory=dict[str, Any])
    )


class GetProduct(Arguments):
    product_id: _ProductId


class CompareProducts(Arguments):
    product_ids: Annotated[
        list[_ProductId], Field(min_length=2, max_length=4), BeforeValidator(_listed)
    ]


class AddToCart(Arguments):
    product_id: _ProductId
    quantity: Annotated[int, Field(description="pieces to add, from 1")] = 1


class UpdateCartItem(Arguments):
    product_id: _ProductId
    quantity: Annotated[int, Field(description="the new quantity; 0 removes the line")]


class RemoveFromCart(Arguments):
    product_id: _ProductId


class SearchGuides(Arguments):
    query: Annotated[
        str, Field(min_length=1, max_length=400, description="the question, in the shopper's words")
    ]


class ContactStore(Arguments):
    reason: Annotated[str, Field(max_length=200, description="why a person is needed")] = ""


_A = TypeVar("_A", bound=Arguments)


def parse_arguments(model: type[_A], arguments: Mapping[str, Any]) -> _A:
    """The arguments of a call, coerced.

    Raises:
        InvalidArgumentsError: naming each wrong argument.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    try:
        return model.model_validate(given)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, e['loc'])) or 'arguments'}: {e['msg']}"
            for e in error.errors(include_url=False, include_input=False)
        )
        raise InvalidArgumentsError(wrong) from None


_KEPT: Final = frozenset(
    {"type", "description", "properties", "items", "required", "enum", "minItems", "maxItems"}
)


def json_schema(model: type[Arguments]) -> dict[str, Any]:
    """The JSON schema of an argument model, in the subset that every provider accepts.

    No `$ref`, `anyOf`, `default`, `title` or exclusive bound (providers refuse some of them); an optional field
    is one that `required` does not name.
    """
    schema: dict[str, Any] = {"properties": {}, **_plain(model.model_json_schema())}
    schema.pop("description", None)  # the docstring of the model: not for a language model
    return schema


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    branches = [b for b in schema.get("anyOf", ()) if b.get("type") != "null"]
    if branches:
        # Decimal is "number or numeric text" to pydantic: the number is what a model should send.
        schema = {**branches[0], **{k: v for k, v in schema.items() if k == "description"}}
        return _plain(schema)
    plain: dict[str, Any] = {k: v for k, v in schema.items() if k in _KEPT}
    if "properties" in plain:
        plain["properties"] = {k: _plain(v) for k, v in plain["properties"].items()}
    if "items" in plain:
        plain["items"] = _plain(plain["items"])
    return plain
