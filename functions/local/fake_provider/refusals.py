"""What the providers say when they refuse a request: one error, in the shape of each."""

from typing import Any

from functions.local.fake_provider.script import Answer, Dialect

_GEMINI_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    402: "RESOURCE_EXHAUSTED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_XAI_CODE = {
    400: "invalid-argument",
    401: "unauthenticated",
    403: "permission-denied",
    404: "not-found",
    413: "request-too-large",
    422: "unprocessable",
    429: "resource-exhausted",
    500: "internal-error",
    503: "unavailable",
}


class RefusedError(Exception):
    """A request that the provider does not take."""

    def __init__(
        self, message: str, *, status: int = 400, code: str | None = None, reason: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.reason = reason


def refusal(dialect: Dialect, error: RefusedError) -> Answer:
    """The provider's answer to a request that it refuses."""
    return Answer(
        error.status,
        error_body(dialect, error.status, str(error), code=error.code, reason=error.reason),
    )


def error_body(
    dialect: Dialect,
    status: int,
    message: str,
    *,
    code: str | None = None,
    reason: str = "",
    details: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """An error in the provider's documented shape.

    Args:
        code: of OpenAI's and Groq's errors.
        reason: of Gemini's ErrorInfo.
        details: of Gemini's error, beside ErrorInfo.
    """
    if dialect == "gemini":
        listed = list(details or ())
        if reason:
            kind = "type.googleapis.com/google.rpc.ErrorInfo"
            listed.insert(
                0, {"@type": kind, "reason": reason, "domain": "generativelanguage.googleapis.com"}
            )
        error: dict[str, Any] = {
            "code": status,
            "message": message,
            "status": _GEMINI_STATUS.get(status, "UNKNOWN"),
        }
        return {"error": {**error, **({"details": listed} if listed else {})}}
    if dialect == "xai":
        return {"code": _XAI_CODE.get(status, "internal-error"), "error": message}
    kind = "invalid_request_error" if status < 500 else "internal_server_error"
    error = {"message": message, "type": kind}
    if dialect == "openai":
        error |= {"param": None, "code": code}
    elif code:
        error |= {"code": code}
    return {"error": error}
