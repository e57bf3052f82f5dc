"""What a real Qdrant refuses and the local mode does not: bodies it cannot read, filters without a payload index."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from qdrant_client import models


class RefusalError(Exception):
    """An error answer in Qdrant's shape."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def parse(kind: Any, body: bytes) -> Any:
    """A request body as qdrant-client's own model, which forbids unknown fields.

    Raises:
        RefusalError: 400, as the server words it.
    """
    try:
        return _reader(kind).validate_json(body or b"{}")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise RefusalError(400, f"Format error in JSON body: {place}: {first['msg']}") from error


def refusal_of(error: ValueError | NotImplementedError, collection: str) -> RefusalError:
    """What the server answers where local mode raises."""
    text = str(error)
    if text.startswith("Collection ") and text.endswith("not found"):
        return RefusalError(404, f"Not found: Collection `{collection}` doesn't exist!")
    if "already exists" in text:
        return RefusalError(409, f"Wrong input: {text}!")
    if "invalid" in text and "Must be" in text:
        return RefusalError(422, f"Validation error in JSON body: [{text}]")
    if isinstance(error, NotImplementedError):
        return RefusalError(501, text)
    return RefusalError(400, f"Wrong input: {text}")


def check_filters(request: Any, indexes: Mapping[str, str]) -> None:
    """Refuses a filter on a field without a payload index, as strict mode does (Qdrant Cloud's default).

    Args:
        request: a parsed request or part of one; every filter inside is checked.
        indexes: field -> type of its payload index.

    Raises:
        RefusalError: 400, naming the field.
    """
    for condition in _conditions(request):
        accepted = _accepted(condition)
        if accepted and indexes.get(condition.key) not in accepted:
            raise RefusalError(
                400,
                f'Bad request: Index required but not found for "{condition.key}" of one of the following '
                f"types: [{', '.join(accepted)}]. Help: Create an index for this key or use a different filter.",
            )


def _conditions(part: Any) -> Iterator[models.FieldCondition]:
    if isinstance(part, models.FieldCondition):
        yield part
    elif isinstance(part, list):
        if not part or isinstance(part[0], float):
            return
        for item in part:
            yield from _conditions(item)
    elif hasattr(part, "model_fields_set"):
        for name in part.model_fields_set:
            if name not in ("payload", "vector"):
                yield from _conditions(getattr(part, name))


def _accepted(condition: models.FieldCondition) -> tuple[str, ...]:
    """Index types that serve a condition; none when it needs no index."""
    match condition.match:
        case models.MatchValue(value=value):
            return _of_values([value])
        case models.MatchAny(any=values):
            return _of_values(values)
        case models.MatchExcept() as other:
            return _of_values(other.except_)
        case None:
            pass
        case _:
            return ("text",)
    if isinstance(condition.range, models.Range):
        return ("float", "integer")
    if isinstance(condition.range, models.DatetimeRange):
        return ("datetime",)
    if condition.geo_radius or condition.geo_bounding_box or condition.geo_polygon:
        return ("geo",)
    return ()


def _of_values(values: Sequence[Any]) -> tuple[str, ...]:
    first = next(iter(values), "")
    if isinstance(first, bool):
        return ("bool",)
    return ("integer",) if isinstance(first, int) else ("keyword", "uuid")
