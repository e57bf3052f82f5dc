"""Reading what clients send: JSON bodies into pydantic models, and query parameters, with errors that name the field."""

import binascii
from base64 import b64decode
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from shopping_agent.errors import InvalidFieldError, MalformedRequestError, PayloadTooLargeError
from shopping_agent.http.visit import HttpEvent

MAX_BODY_BYTES = 64 * 1024

ModelT = TypeVar("ModelT", bound=BaseModel)


def read_body(event: HttpEvent, model: type[ModelT]) -> ModelT:
    """The body as `model`.

    Raises:
        MalformedRequestError: no body, not base64 where it says so, not UTF-8 JSON, or not an object.
        PayloadTooLargeError: over `MAX_BODY_BYTES`.
        InvalidFieldError: an object with a wrong or missing field; names the first one.
    """
    try:
        return model.model_validate_json(_given_body(event.raw_event))
    except ValidationError as error:
        raise _refusal(error) from error


def read_parameters(event: HttpEvent, model: type[ModelT]) -> ModelT:
    """The query parameters as `model`; an empty value is the same as an absent one.

    Raises:
        InvalidFieldError: naming the first wrong parameter.
    """
    given = cast(dict[str, str], event.raw_event.get("queryStringParameters") or {})
    try:
        return model.model_validate({name: value for name, value in given.items() if value != ""})
    except ValidationError as error:
        raise _refusal(error) from error


def raw_body(event: dict[str, Any]) -> bytes:
    """The body as it was sent; empty when there is none.

    Raises:
        MalformedRequestError: not text, or not base64 where it says so.
        PayloadTooLargeError: over `MAX_BODY_BYTES`.
    """
    body = event.get("body")
    if not isinstance(body, str):
        return b""
    # Four characters of base64 are three bytes.
    if len(body) > MAX_BODY_BYTES * 4 // 3 + 4:
        raise PayloadTooLargeError(f"The body is larger than {MAX_BODY_BYTES} bytes.")
    try:
        raw = b64decode(body, validate=True) if event.get("isBase64Encoded") else body.encode()
    except (binascii.Error, ValueError) as error:
        raise MalformedRequestError("The body is not readable text.") from error
    if len(raw) > MAX_BODY_BYTES:
        raise PayloadTooLargeError(f"The body is larger than {MAX_BODY_BYTES} bytes.")
    return raw


def _given_body(event: dict[str, Any]) -> bytes:
    raw = raw_body(event)
    if not raw.strip():
        raise MalformedRequestError("The body is empty; send a JSON object.")
    return raw


def _refusal(error: ValidationError) -> MalformedRequestError | InvalidFieldError:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        return MalformedRequestError("The body is not valid JSON.")
    if not first["loc"]:
        return MalformedRequestError("The body is not a JSON object.")
    field = ".".join(str(part) for part in first["loc"])
    reason = first["msg"].removeprefix("Value error, ")
    return InvalidFieldError(f"{field}: {reason}.", field=field)
