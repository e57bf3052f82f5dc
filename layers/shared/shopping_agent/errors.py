"""Every error our code raises on purpose.

ShoppingAgentError
├── ConfigurationError            a setting or a store pack is wrong: the process must not start
├── RequestError                  what the caller sent cannot be served (`status`, `code`, `field`)
│   ├── MalformedRequestError     400
│   ├── UnauthorizedError         401
│   ├── ForbiddenError            403
│   ├── NotFoundError             404
│   ├── InProgressError           409, carries `retry_after` seconds
│   ├── PayloadTooLargeError      413
│   ├── InvalidFieldError         422, names the field
│   └── TooManyRequestsError      429, carries `retry_after` seconds
├── CartRefusedError              a cart change that the shop's rules refuse (404, 409 or 422)
├── DeadlineExceededError         the turn's time is over
├── DependencyError               something we depend on is down, slow or lying (503, `dependency`)
│   ├── StateUnavailableError     redis
│   ├── IndexUnavailableError     search
│   ├── EmbeddingUnavailableError embeddings
│   ├── SecretsUnavailableError   secrets
│   ├── IdentityUnavailableError  identity
│   ├── ObjectsUnavailableError   bucket
│   └── QueueUnavailableError     queue
├── LanguageModelError            a model's provider failed (`kind`, `retry_after`, `remedy`)
└── CatalogFileError              a whole catalog file cannot be read (`code`)
"""

from typing import Final, Literal

CartRefusal = Literal[
    "unknown_product",
    "out_of_stock",
    "cart_limit",
    "currency_mismatch",
    "version_conflict",
    "invalid_quantity",
    "nothing_to_undo",
    "empty_cart",
    "lines_unavailable",
    "checkout_off",
    "checkout_unmapped",
    "checkout_too_large",
]

CART_REFUSAL_STATUS: Final[dict[str, int]] = {
    "unknown_product": 404,
    "out_of_stock": 409,
    "cart_limit": 409,
    "currency_mismatch": 409,
    "version_conflict": 409,
    "nothing_to_undo": 409,
    "empty_cart": 409,
    "lines_unavailable": 409,
    "checkout_off": 409,
    "checkout_unmapped": 409,
    "checkout_too_large": 409,
    "invalid_quantity": 422,
}


class ShoppingAgentError(Exception):
    """Root of the tree in this module's docstring."""


class ConfigurationError(ShoppingAgentError):
    """A setting or a store pack is wrong; the message names it and what would work."""


class RequestError(ShoppingAgentError):
    """The request cannot be served; the message is shown to the client."""

    status: int = 400
    code: str = "bad_request"

    def __init__(self, message: str, *, code: str | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code or self.code
        self.field = field


class MalformedRequestError(RequestError):
    """The body is not what the route reads (400)."""

    code = "malformed_request"


class UnauthorizedError(RequestError):
    """No bearer, or one that does not verify (401)."""

    status = 401
    code = "unauthorized"


class ForbiddenError(RequestError):
    """A bearer that may not do this (403)."""

    status = 403
    code = "forbidden"


class NotFoundError(RequestError):
    """No such route or product (404)."""

    status = 404
    code = "not_found"


class InProgressError(RequestError):
    """The same request is still being served elsewhere (409)."""

    status = 409
    code = "in_progress"

    def __init__(self, message: str, *, retry_after: int, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.retry_after = retry_after


class PayloadTooLargeError(RequestError):
    """A body over the limit (413)."""

    status = 413
    code = "payload_too_large"


class InvalidFieldError(RequestError):
    """A field with a value that cannot work (422); `field` names it."""

    status = 422
    code = "invalid_field"


class TooManyRequestsError(RequestError):
    """A limit is reached (429)."""

    status = 429
    code = "rate_limited"

    def __init__(self, message: str, *, retry_after: int, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.retry_after = retry_after


class CartRefusedError(ShoppingAgentError):
    """The shop's rules refuse a cart change.

    Args:
        code: why, one of `CART_REFUSAL_STATUS`.
        message: what is wrong and what would work, in English.
        limit: the largest quantity that would be accepted, where that is the reason.
    """

    def __init__(self, code: CartRefusal, message: str, *, limit: int | None = None) -> None:
        super().__init__(message)
        self.code: CartRefusal = code
        self.limit = limit

    @property
    def status(self) -> int:
        return CART_REFUSAL_STATUS[self.code]


class DeadlineExceededError(ShoppingAgentError):
    """The time given to a call or a turn is over."""


class DependencyError(ShoppingAgentError):
    """A dependency did not answer as it should. The message is for logs, never for a shopper."""

    dependency: str = "dependency"


class StateUnavailableError(DependencyError):
    """Redis is down, slow or answers nonsense."""

    dependency = "redis"


class IndexUnavailableError(DependencyError):
    """Qdrant is down, slow or answers nonsense."""

    dependency = "search"


class EmbeddingUnavailableError(DependencyError):
    """The embedding provider is down, slow or answers nonsense."""

    dependency = "embeddings"


class SecretsUnavailableError(DependencyError):
    """Secrets Manager, or the extension in front of it, does not hand out our secret."""

    dependency = "secrets"


class IdentityUnavailableError(DependencyError):
    """The identity provider does not hand out the keys that its tokens are signed with."""

    dependency = "identity"


class ObjectsUnavailableError(DependencyError):
    """The bucket is down, slow or forbids what we need."""

    dependency = "bucket"


class QueueUnavailableError(DependencyError):
    """The queue of ingestion work is down, slow or forbids what we need."""

    dependency = "queue"


LanguageModelFault = Literal[
    "rate_limited",
    "quota_exhausted",
    "too_large",
    "auth",
    "model_gone",
    "content_refused",
    "bad_request",
    "overloaded",
    "timeout",
    "connection",
    "malformed",
]


Remedy = Literal["again", "plain", "smaller"]
"""What makes a second attempt at the same provider worth it: the same once more, without optional parts, or less of it."""


class LanguageModelError(ShoppingAgentError):
    """A provider failed in one of the ways of `LanguageModelFault`.

    Args:
        kind: what happened.
        message: for logs; never holds a key or a provider's own text.
        retry_after: seconds that the provider asked us to wait, where it said so.
        remedy: what a second attempt should change; None when the provider would only fail again.
        hint: for the model, with the second attempt: what was wrong with its reply. Never a provider's own text.
        input_tokens, output_tokens: what the failed attempt was billed for, where the provider said so.
    """

    def __init__(
        self,
        kind: LanguageModelFault,
        message: str,
        *,
        retry_after: float | None = None,
        remedy: Remedy | None = None,
        hint: str = "",
        input_tokens: int = 0,
        output_tokens: int = 0,
    ) -> None:
        super().__init__(message)
        self.kind: LanguageModelFault = kind
        self.retry_after = retry_after
        self.remedy: Remedy | None = remedy
        self.hint = hint
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


class CatalogFileError(ShoppingAgentError):
    """A whole file is refused: unreadable, too large, or it would delete too much."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
