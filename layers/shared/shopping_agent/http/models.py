"""The wire: requests as they are validated, replies as they are documented (JSON, camelCase, amounts in major units).

Replies are built by the domain's `view`s; the reply models here are what OpenAPI and the tests hold them to.
Models are built when first used, so that a function pays only for those it reads.
"""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from shopping_agent.domain.cart import CartNotice
from shopping_agent.domain.catalog import Gender
from shopping_agent.domain.intent import Finish, Intent, Route

MAX_MESSAGE_CHARACTERS = 2000
MAX_QUANTITY = 1_000_000
"""What a request may hold at all; the shop's own caps refuse far less with a reason."""

ProductId = Annotated[StrictStr, Field(min_length=1, max_length=200)]

Price = Annotated[Decimal, Field(ge=0, le=10**12), WithJsonSchema({"type": "number", "minimum": 0})]


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


class Wire(BaseModel):
    """Base of all wire models."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="ignore", defer_build=True
    )


# --- requests --------------------------------------------------------------------------------


class PageContext(Wire):
    """Where in the storefront the shopper is: what "this" means."""

    product_id: ProductId | None = None
    page: StrictStr | None = Field(default=None, max_length=500)


class ChatRequest(Wire):
    message: Annotated[
        StrictStr,
        Field(min_length=1, max_length=MAX_MESSAGE_CHARACTERS),
        AfterValidator(_not_blank),
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


class ChangeParameters(Wire):
    """Query parameters of the routes that change a cart without a body."""

    version: int | None = Field(
        default=None, ge=0, description="Change the cart only if it still has this version."
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
        default=None, max_length=500, description="`nextCursor` of the page before."
    )


# --- replies ---------------------------------------------------------------------------------


class NotesReply(Wire):
    model_config = ConfigDict(title="Notes")

    top: list[str]
    heart: list[str]
    base: list[str]


class ProductReply(Wire):
    """A product with its live price and stock."""

    model_config = ConfigDict(title="Product")

    id: str
    name: str
    brand: str
    description: str
    price: float = Field(description="The live price, in major units of `currency`.")
    compare_at_price: float | None = Field(
        default=None, description="The regular price while a sale holds."
    )
    currency: str
    stock: int | None = Field(description="Pieces; null when unknown but sellable.")
    in_stock: bool
    url: str
    image_url: str
    gender: Gender | None
    families: list[str]
    notes: NotesReply
    accords: list[str]
    concentration: str | None = None
    sillage: str | None = None
    longevity: str | None = None
    seasons: list[str]
    occasions: list[str]
    size_ml: int | None
    variant_of: str | None = None
    options: dict[str, str] | None = None


class ProductListReply(Wire):
    model_config = ConfigDict(title="ProductList")

    products: list[ProductReply]
    next_cursor: str | None = Field(default=None, description="Absent on the last page.")


class CartLineReply(Wire):
    model_config = ConfigDict(title="CartLine")

    product_id: str
    name: str
    brand: str
    image_url: str
    quantity: int
    unit_price: float
    line_total: float
    available: bool
    notice: CartNotice | None = Field(
        default=None, description="What changed since the line was written."
    )


class CartReply(Wire):
    """The cart at live prices. `total` is of goods, before delivery."""

    model_config = ConfigDict(title="Cart")

    items: list[CartLineReply]
    count: int
    total: float
    currency: str
    version: int = Field(description="Grows by one with every change.")
    session_token: str | None = Field(
        default=None,
        description="Only in the reply to a request without a bearer: the new guest's token.",
    )


class ChoiceReply(Wire):
    model_config = ConfigDict(title="Choice")

    label: str
    product_id: str | None = None


class ActionReply(Wire):
    """What this turn did to the cart."""

    model_config = ConfigDict(title="Action")

    type: str
    product_id: str | None = None
    quantity: int | None = None
    undo: bool | None = None


class UsageReply(Wire):
    model_config = ConfigDict(title="Usage")

    calls: int
    input_tokens: int
    output_tokens: int


class ChatReply(Wire):
    answer: str
    intent: Intent
    route: Route
    cart: CartReply
    products: list[ProductReply]
    choices: list[ChoiceReply]
    suggestions: list[str]
    actions: list[ActionReply]
    session_id: str
    turn_id: str
    finish: Finish
    usage: UsageReply
    model: str
    session_token: str | None = Field(
        default=None,
        description="Only in the reply to a request without a bearer: the new guest's token.",
    )


class SessionReply(Wire):
    model_config = ConfigDict(title="Session")

    token: str
    session_id: str
    expires_at: str = Field(description="ISO 8601, UTC.")


class DependencyReply(Wire):
    model_config = ConfigDict(title="Dependency")

    ready: bool
    ms: int = Field(description="How long the last check took.")


class HealthReply(Wire):
    model_config = ConfigDict(title="Health")

    status: Literal["ok", "degraded", "down"]
    version: str
    python: str
    dependencies: dict[str, DependencyReply]


class Problem(Wire):
    """RFC 9457 problem details. Further members depend on `code`."""

    type: str
    title: str
    status: int
    detail: str
    code: str = Field(description="Stable; what clients should branch on.")
    instance: str
    request_id: str
    field: str | None = Field(default=None, description="The wrong field, with 422.")
    dependency: str | None = Field(default=None, description="What is not available, with 503.")
    limit: int | None = Field(
        default=None, description="The largest quantity that would be accepted."
    )
