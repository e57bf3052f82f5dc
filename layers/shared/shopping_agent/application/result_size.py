"""One bound on what a tool may tell a model: lists lose their ends and texts are cut, and it stays valid JSON."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.fencing import compact_json

MAX_CHARACTERS: Final = 6_000
_NOTE: Final = "This result was too long: lists were shortened from their end, long texts cut."
_NOTE_SIZE: Final = len(compact_json({"note": _NOTE}))
_SHORTEST_TEXT: Final = 120
# Every cut takes what is over from the largest part: a few are enough, and more would mean thousands of parts.
_MOST_CUTS: Final = 40

_Place = tuple[Any, Any]
"""A container and the key or index in it."""


def within_size(result: JsonObject, limit: int = MAX_CHARACTERS) -> JsonObject:
    """The result, shortened to about `limit` characters of JSON where it has more."""
    if len(compact_json(result)) <= limit:
        return result
    shorter = cast(dict[str, Any], _copy(result))
    room = limit - _NOTE_SIZE
    for _ in range(_MOST_CUTS):
        over = len(compact_json(shorter)) - room
        if over <= 0:
            return {**shorter, "note": _NOTE}
        if not _cut_largest(shorter, over):
            break
    ok = {"ok": result["ok"]} if isinstance(result.get("ok"), bool) else {}
    return {**ok, "note": "This result was too long to be given."}


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        entries = cast(Mapping[Any, Any], value)
        return {str(key): _copy(inner) for key, inner in entries.items()}
    if isinstance(value, list | tuple):
        return [_copy(inner) for inner in cast(list[Any], value)]
    return value


def _cut_largest(result: dict[str, Any], over: int) -> bool:
    """Shorten the list that is largest, else the text that is: by as much as is over, as far as that goes."""
    lists = [p for p in _places(result) if isinstance(p[0][p[1]], list) and len(p[0][p[1]]) > 1]
    if lists:
        holder, key = max(lists, key=_size)
        holder[key] = _shortened(holder[key], over)
        return True
    texts = [p for p in _places(result) if isinstance(p[0][p[1]], str)]
    holder, key = max(texts, key=_size, default=(None, None))
    if holder is None or len(holder[key]) <= _SHORTEST_TEXT:
        return False
    holder[key] = holder[key][: max(_SHORTEST_TEXT - 1, len(holder[key]) - over - 1)] + "…"
    return True


def _shortened(items: list[Any], over: int) -> list[Any]:
    kept = list(items)
    while over > 0 and len(kept) > 1:
        over -= len(compact_json(kept.pop())) + 1
    return kept


def _places(value: Any) -> Iterator[_Place]:
    """Every place in a JSON value that holds another one."""
    listed = isinstance(value, list)
    for key in list(cast(Iterable[Any], range(len(cast(list[Any], value))) if listed else value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _size(place: _Place) -> int:
    return len(compact_json(place[0][place[1]]))
