"""The one place where errors become replies: RFC 9457 `application/problem+json` with a stable `code`."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from shopping_agent.errors import (
    CartRefusedError,
    DeadlineExceededError,
    DependencyError,
    InProgressError,
    LanguageModelError,
    RequestError,
    TooManyRequestsError,
)
from shopping_agent.http.response import Response

PROBLEM_JSON = "application/problem+json"
RETRY_SECONDS = 2


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    request_id: str,
    headers: Mapping[str, str] | None = None,
    **members: Any,
) -> Response:
    """A problem reply. `members` that are None are left out."""
    body = {
        "type": f"urn:shopping-agent:problem:{code}",
        "title": title(status),
        "status": status,
        "detail": detail,
        "code": code,
        "instance": f"urn:request:{request_id}",
        "requestId": request_id,
        **{name: value for name, value in members.items() if value is not None},
    }
    return Response(
        status=status,
        content_type=PROBLEM_JSON,
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
        headers=headers or {},
    )


def title(status: int) -> str:
    """A status in the words of RFC 9110, whichever Python runs (they changed in 3.13)."""
    return {413: "Content Too Large", 422: "Unprocessable Content"}.get(
        status, HTTPStatus(status).phrase
    )


def problem_of(error: Exception, request_id: str) -> Response:
    """The reply for an error of our tree; any other error is a 500 that says nothing about itself."""
    match error:
        case TooManyRequestsError() | InProgressError():
            return problem(
                error.status,
                error.code,
                str(error),
                request_id=request_id,
                headers={"Retry-After": str(error.retry_after)},
            )
        case RequestError():
            return problem(
                error.status, error.code, str(error), request_id=request_id, field=error.field
            )
        case CartRefusedError():
            return problem(
                error.status, error.code, str(error), request_id=request_id, limit=error.limit
            )
        case DependencyError():
            return _unavailable(error.dependency, request_id)
        case LanguageModelError():
            return _model_problem(error, request_id)
        case DeadlineExceededError():
            return problem(
                503,
                "deadline_exceeded",
                "The request took too long. Please try again.",
                request_id=request_id,
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        case _:
            return problem(
                500, "internal_error", "Something went wrong on our side.", request_id=request_id
            )


def _unavailable(dependency: str, request_id: str) -> Response:
    return problem(
        503,
        f"{dependency}_unavailable",
        f"{dependency} is not available at the moment. Please try again.",
        request_id=request_id,
        headers={"Retry-After": str(RETRY_SECONDS)},
        dependency=dependency,
    )


def _model_problem(error: LanguageModelError, request_id: str) -> Response:
    if error.kind not in ("rate_limited", "quota_exhausted"):
        return _unavailable("model", request_id)
    wait = max(1, round(error.retry_after or RETRY_SECONDS))
    return problem(
        429,
        "model_rate_limited",
        "The assistant is busy. Please try again later.",
        request_id=request_id,
        headers={"Retry-After": str(wait)},
        dependency="model",
    )
