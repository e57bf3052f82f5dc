"""Replies as they are documented: JSON, camelCase, amounts in major units.

The domain's `view`s build them; these models are what OpenAPI and the tests hold them to, and no request loads them.
"""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from shopping_agent.domain.cart import CartNotice, LeftOutReason
from shopping_agent.domain.catalog import Gender
from shopping_agent.domain.intent import Finish, Intent, Language, Route
from shopping_agent.domain.progress import StepKind
from shopping_agent.http.models import Wire


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
    checkout_id: str | None = Field(
        default=None, description="What the shop's checkout calls it, where that is not `id`."
    )


class ViolationReply(Wire):
    """A filter that a product does not meet."""

    model_config = ConfigDict(title="Violation")

    constraint: Literal["maxPrice", "minPrice", "currency", "gender", "notes", "inStock", "kind"]
    wanted: float | str | bool | list[str] = Field(description="What was asked for.")
    by: float | None = Field(
        default=None, description="Of a price: by how much it misses, in major units."
    )


class NearestProductReply(ProductReply):
    """A product that meets not all filters, with those that it does not meet."""

    model_config = ConfigDict(title="NearestProduct")

    violates: list[ViolationReply]


class ProductListReply(Wire):
    model_config = ConfigDict(title="ProductList")

    products: list[ProductReply]
    next_cursor: str | None = Field(default=None, description="Absent on the last page.")
    nearest: list[NearestProductReply] | None = Field(
        default=None,
        description="Only where no product meets the filters: what comes nearest, best first.",
    )


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


class LeftOutReply(Wire):
    """A line of a guest's cart of which only `moved` of `wanted` pieces came over."""

    model_config = ConfigDict(title="LeftOut")

    product_id: str
    name: str
    notice: LeftOutReason
    wanted: int
    moved: int


class CartReply(Wire):
    """The cart at live prices. `total` is of goods, before delivery."""

    model_config = ConfigDict(title="Cart")

    items: list[CartLineReply]
    count: int
    total: float
    currency: str
    version: int = Field(description="Grows by one with every change.")
    notices: list[LeftOutReply] | None = Field(
        default=None, description="Only after a merge: what of the guest's cart did not come over."
    )
    session_token: str | None = Field(
        default=None,
        description="Only in the reply to a request without a bearer: the new guest's token.",
    )


class ChoiceReply(Wire):
    model_config = ConfigDict(title="Choice")

    label: str
    product_id: str | None = None


class ActionReply(Wire):
    """What this turn did to the cart; with the type `checkout` the link to its checkout, with `contact` one to a person."""

    model_config = ConfigDict(title="Action")

    type: str
    product_id: str | None = None
    quantity: int | None = None
    undo: bool | None = None
    url: str | None = Field(
        default=None,
        description="Where the checkout is, or how a person is reached: https, tel or mailto.",
    )
    expires_at: str | None = Field(default=None, description="Until when; ISO 8601, UTC.")


class TokensReply(Wire):
    calls: int = Field(description="Of the model, those that failed included.")
    input_tokens: int = Field(description="All that was sent, what came from a cache included.")
    output_tokens: int = Field(description="All that was generated, reasoning included.")
    cached_tokens: int = Field(description="Of the input, what came from the provider's cache.")
    cost_usd: float | None = Field(description="US dollars; null where a price is not known.")


class ModelUsageReply(TokensReply):
    model_config = ConfigDict(title="ModelUsage")

    provider: str
    model: str = Field(description="As the provider named what answered.")


class UsageReply(TokensReply):
    """What the turn used of language models."""

    model_config = ConfigDict(title="Usage")

    models: list[ModelUsageReply] = Field(description="By model, in the order of first use.")


class ChatProductReply(ProductReply):
    """A product as an answer shows it."""

    model_config = ConfigDict(title="ChatProduct")

    reasons: list[str] | None = Field(
        default=None,
        description="Why it was recommended, in the shopper's language; absent where nothing was.",
    )


class ChatReply(Wire):
    answer: str
    intent: Intent
    route: Route
    cart: CartReply
    products: list[ChatProductReply]
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


class StepReply(Wire):
    model_config = ConfigDict(title="Step")

    seq: int = Field(description="From 1; the next request's `after`.")
    kind: StepKind
    label: str = Field(description="In the shopper's language.")
    ms: int = Field(description="Since the turn began.")


class StepsReply(Wire):
    """What a turn is doing. Nothing of a turn that has not begun, is forgotten, or is another shopper's."""

    model_config = ConfigDict(title="Steps")

    steps: list[StepReply]
    done: bool = Field(description="Whether the turn has its answer.")


class ContactsReply(Wire):
    model_config = ConfigDict(title="Contacts")

    whatsapp: str
    phone: str
    email: str
    hours: str


class StoreReply(Wire):
    """Who the store is, in the language of the locale."""

    model_config = ConfigDict(title="Store")

    name: str
    currency: str
    language: Language
    suggestions: list[str] = Field(description="What a conversation may begin with.")
    notice: str = Field(description="That the assistant is an automated one.")
    contacts: ContactsReply
    values: dict[str, str] = Field(
        description="Words for values of products, such as `family.citrus` or `season.summer`."
    )


class CheckoutReply(Wire):
    """A link that carries the cart's lines to the shop's own checkout."""

    model_config = ConfigDict(title="Checkout")

    url: str
    expires_at: str = Field(description="ISO 8601, UTC.")
    session_token: str | None = Field(
        default=None,
        description="Only in the reply to a request without a bearer: the new guest's token.",
    )


class HandOffLineReply(Wire):
    model_config = ConfigDict(title="HandOffLine")

    id: str = Field(description="What the shop's checkout calls the product.")
    product_id: str
    name: str
    quantity: int
    unit_price: float
    line_total: float


class HandOffReply(Wire):
    """A cart as it was handed over. `total` is of goods, before delivery."""

    model_config = ConfigDict(title="HandOff")

    reference: str
    lines: list[HandOffLineReply]
    currency: str
    total: float
    cart_version: int
    issued_at: str = Field(description="ISO 8601, UTC.")
    expires_at: str = Field(description="ISO 8601, UTC.")


class SessionReply(Wire):
    model_config = ConfigDict(title="Session")

    token: str
    session_id: str
    expires_at: str = Field(description="ISO 8601, UTC.")


class KeptRecordReply(Wire):
    """One thing that is kept of the shopper."""

    model_config = ConfigDict(title="KeptRecord")

    kind: str
    holds: str = Field(description="What it is, in words.")
    key: str
    seconds_left: int | None = Field(description="Until it is forgotten, at most.")
    data: Any = Field(description="As it is kept.")


class ExportReply(Wire):
    """Everything that is kept of the shopper."""

    model_config = ConfigDict(title="Export")

    session_id: str
    exported_at: str = Field(description="ISO 8601, UTC.")
    records: list[KeptRecordReply]
    next_cursor: str | None = Field(default=None, description="Absent on the last page.")


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
