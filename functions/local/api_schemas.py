"""The wire models as schemas of the OpenAPI document."""

import json
import re
from collections.abc import Sequence
from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from shopping_agent.http.replies import Problem

from functions.local.api_route import ApiRoute

REF = "#/components/schemas/"

Json = dict[str, Any]


def schemas_of(routes: Sequence[ApiRoute]) -> tuple[dict[str, str], dict[str, Json]]:
    """Every model's schema by class name, and the public name of each."""
    used: list[type[BaseModel]] = [Problem]
    for route in routes:
        used += [m for m in (route.body, route.reply, route.parameters) if m is not None]
    _, definitions = models_json_schema(
        [(model, "validation") for model in dict.fromkeys(used)], ref_template=REF + "{model}"
    )
    found = cast(dict[str, Json], definitions["$defs"])
    names = {key: str(schema.get("title", key)) for key, schema in found.items()}
    sent = _reachable([r.body.__name__ for r in routes if r.body is not None], found)
    return names, {
        key: cast(Json, _tidy(schema, nulls=key in sent)) for key, schema in found.items()
    }


def _reachable(names: list[str], definitions: dict[str, Json]) -> set[str]:
    """These schemas and all that they refer to."""
    found: set[str] = set()
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            names += re.findall(rf'"{REF}([^"]+)"', json.dumps(definitions[name]))
    return found


def _tidy(node: Any, *, nulls: bool) -> Any:
    """Titles go, and the null defaults. In replies the null goes too: a field that may be left out is left out, never
    sent as null. In requests null is the same as leaving it out.
    """
    if isinstance(node, list):
        return [_tidy(item, nulls=nulls) for item in cast(list[Any], node)]
    if not isinstance(node, dict):
        return node
    schema: Json = {
        key: _tidy(value, nulls=nulls)
        for key, value in cast(Json, node).items()
        if not (key == "title" and isinstance(value, str))
    }
    options = schema.get("anyOf")
    if "default" in schema and schema["default"] is None and isinstance(options, list):
        del schema["default"]
        if not nulls:
            del schema["anyOf"]
            kept = [o for o in cast(list[Json], options) if o.get("type") != "null"]
            schema = {**schema, **(kept[0] if len(kept) == 1 else {"anyOf": kept})}
    return schema


def renamed(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, list):
        return [renamed(item, names) for item in cast(list[Any], node)]
    if not isinstance(node, dict):
        return node
    return {
        key: REF + names[value.removeprefix(REF)] if key == "$ref" else renamed(value, names)
        for key, value in cast(Json, node).items()
    }
