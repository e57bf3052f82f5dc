"""Requests as they are validated: JSON, camelCase, amounts in major units.

Models are built when first used, so that a function pays only for those it reads. Replies are in `replies.py`.
"""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic.alias_generators import to_camel

from shopping_agent.domain.catalog import Gender
from shopping_agent.domain.visible import visible

MAX_MESSAGE_CHARACTERS = 2000
MAX_QUANTITY = 1_000_000
"""What a request may hold at all; the shop's own caps refuse far less with a reason."""

ProductId = Annotated[StrictStr, Field(min_length=1, max_length=200)]

Price = Annotated[Decimal, Field(ge=0, le=10**12), WithJsonSchema({"type": "number", "minimum": 0})]


def _readable(text: str) -> str:
    """The message as its writer saw it."""
    text = visible(text)
    if not text.strip():
        raise ValueError("must not be blank")
    return text


class Wire(BaseModel):
    """Base of all wire models."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="ignore", defer_build=True
    )


class PageContext(Wire):
    """Where in the storefront the shopper is: what "this" means."""

    product_id: ProductId | None = None
    page: StrictStr | None = Field(default=None, max_length=500)


class ChatRequest(Wire):
    message: Annotated[
        StrictStr,
        Field(min_length=1, max_length=MAX_MESSAGE_CHARACTERS),
        AfterValidator(_readable),
    ]
    turn_id: StrictStr | None = Field(default=None, min_length=1, max_length=100)
    locale: StrictStr | None = Field(default=None, max_length=35)
    context: PageContext | None = None


class CartItemRequest(Wire):
    product_id: ProductId
    quantity: StrictInt = Field(default=1, ge=1, le=MAX_QUANTITY)
    version: StrictInt | None = Field(
        default=None, ge=0, description="Change the cart only if it still has this version."
    )


class QuantityRequest(Wire):
    quantity: StrictInt = Field(ge=0, le=MAX_QUANTITY, description="0 removes the line.")
    version: StrictInt | None = Field(
        default=None, ge=0, description="Change the cart only if it still has this version."
    )


class MergeRequest(Wire):
    guest_token: StrictStr = Field(
        min_length=1, max_length=512, description="The token of the session before signing in."
    )


class ChangeParameters(Wire):
    """Query parameters of the routes that change a cart without a body."""

    version: int | None = Field(
        default=None, ge=0, description="Change the cart only if it still has this version."
    )


class CheckoutWebhook(Wire):
    """An order that the shop's checkout took for one of our hand-offs."""

    order_id: StrictStr = Field(
        min_length=1, max_length=100, description="The shop's own number: it is counted once."
    )
    reference: StrictStr = Field(
        min_length=1, max_length=100, description="The hand-off's, from its link."
    )
    total: Price | None = Field(
        default=None, description="Goods and whatever else was paid; else the hand-off's counts."
    )
    currency: StrictStr | None = Field(
        default=None, pattern="^[A-Z]{3}$", description="Of `total`; else the hand-off's."
    )


class ExportParameters(Wire):
    """Query parameters of GET /api/v1/sessions/current/export."""

    cursor: str | None = Field(
        default=None, max_length=500, description="`nextCursor` of the page before."
    )


class StatisticsParameters(Wire):
    """Query parameters of GET /api/v1/ops/statistics."""

    days: int = Field(default=7, ge=1, le=35, description="The last days, today's included.")


class StepsParameters(Wire):
    """Query parameters of GET /api/v1/ai/turns/{turnId}/steps."""

    after: int = Field(
        default=0, ge=0, le=1_000_000, description="`seq` of the last step that is known."
    )


class StoreParameters(Wire):
    """Query parameters of GET /api/v1/store."""

    locale: str | None = Field(
        default=None, max_length=35, description="Such as `fr-MA`; English where it is not ours."
    )


class ProductListParameters(Wire):
    """Query parameters of GET /api/v1/products."""

    query: str | None = Field(
        default=None, max_length=500, description="What to find, in the shopper's words."
    )
    min_price: Price | None = None
    max_price: Price | None = None
    gender: Gender | None = None
    in_stock: bool | None = None
    limit: int = Field(default=24, ge=1, le=100)
    cursor: str | None = Field(
        default=None,
        max_length=500,
        description="`nextCursor` of the page before; good for the same `query` and filters.",
    )

    @field_validator("max_price")
    @classmethod
    def _not_below_the_least(cls, value: Decimal | None, given: ValidationInfo) -> Decimal | None:
        least = given.data.get("min_price")
        if value is not None and least is not None and value < least:
            raise ValueError("must not be below minPrice")
        return value


Words = Annotated[list[Annotated[StrictStr, Field(max_length=60)]], Field(max_length=20)]


class WantedProduct(Wire):
    """What a recommended product must be, and what it had better be."""

    model_config = ConfigDict(extra="forbid", title="RecommendationConstraints")

    min_price: Price | None = None
    max_price: Price | None = None
    currency: StrictStr | None = Field(
        default=None, pattern="^[A-Z]{3}$", description="Of the prices; else the store's."
    )
    gender: Gender | None = None
    notes: Words | None = Field(default=None, description="It must have each of them.")
    families: Words | None = Field(default=None, description="The more of them, the better.")
    exclude_notes: Words | None = Field(default=None, description="It must have none of them.")
    season: StrictStr | None = Field(default=None, max_length=60)
    occasion: StrictStr | None = Field(default=None, max_length=60)
    size_ml: StrictInt | None = Field(default=None, ge=1, le=100_000)
    in_stock: StrictBool | None = Field(
        default=None, description="Only what can be bought is recommended, whatever this says."
    )

    @field_validator("max_price")
    @classmethod
    def _not_below_the_least(cls, value: Decimal | None, given: ValidationInfo) -> Decimal | None:
        least = given.data.get("min_price")
        if value is not None and least is not None and value < least:
            raise ValueError("must not be below minPrice")
        return value


class RecommendationRequest(Wire):
    profile: dict[str, Any] = Field(
        description="What is known of the shopper; each key holds a value or a list of values. The keys and values are the "
        "store's own (`profile.json` of its pack); an unknown one is answered with those that there are."
    )
    constraints: WantedProduct | None = None
    query: StrictStr | None = Field(
        default=None,
        max_length=500,
        description="Words to search by; they are a part of the score.",
    )
    limit: StrictInt = Field(default=5, ge=1, le=20)
    locale: StrictStr | None = Field(
        default=None, max_length=35, description="Of reasons and questions, such as `fr-MA`."
    )
