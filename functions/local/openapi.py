"""The OpenAPI 3.1 document of both functions, made of the wire models and the route table.

python -m functions.local.openapi            writes functions/store/static/openapi.json
python -m functions.local.openapi --check    fails when the file is not what would be written
"""

import argparse
import json
import sys
from pathlib import Path
from typing import cast

import shopping_agent
from shopping_agent.http.problems import PROBLEM_JSON, title

from functions.local.api_route import ApiRoute, Failure
from functions.local.api_routes import ROUTES
from functions.local.api_schemas import REF, Json, renamed, schemas_of

FILE = Path(__file__).parents[1] / "store" / "static" / "openapi.json"


def document() -> Json:
    """The whole document."""
    names, schemas = schemas_of(ROUTES)
    paths: dict[str, Json] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, names, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Shopping agent",
            "version": shopping_agent.__version__,
            "description": "A serverless shopping agent: the model proposes, our code decides. Errors are RFC 9457 problems; "
            'clients should also accept the gateway\'s own `{"message"}`.',
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in dict.fromkeys(route.tag for route in ROUTES)],
        "paths": paths,
        "components": {
            "schemas": {
                names[key]: renamed(schema, names)
                for key, schema in schemas.items()
                if not key.endswith("Parameters")
            },
            "securitySchemes": {
                "operator": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The shop's OPERATOR_TOKEN.",
                },
                "session": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A guest: the token of POST /api/v1/sessions, or the `sessionToken` of a reply.",
                },
                "user": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": "A user of the shop: a token of its identity provider (RS256 or ES256).",
                },
            },
        },
    }


def written(contents: Json) -> str:
    """The document as the file holds it."""
    return json.dumps(contents, ensure_ascii=False, indent=1) + "\n"


def _operation(route: ApiRoute, names: dict[str, str], schemas: dict[str, Json]) -> Json:
    operation: Json = {
        "operationId": f"{route.method.lower()}{_camel(route.path)}",
        "tags": [route.tag],
        "summary": route.summary,
        **({"description": route.description} if route.description else {}),
        "parameters": _parameters(route, schemas),
        "responses": {
            str(route.status): _success(route, names),
            **({"304": {"description": title(304)}} if route.text_reply is not None else {}),
            **{str(status): _failure(f) for status, f in route.all_failures().items()},
        },
    }
    if route.body is not None:
        content: Json = {"schema": {"$ref": REF + names[route.body.__name__]}}
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {**content, "example": route.body_example}},
        }
    bearers: list[Json] = [{"session": []}, {"user": []}]
    if route.bearer == "operator":
        operation["security"] = [{"operator": []}]
    elif route.bearer != "none":
        operation["security"] = bearers if route.bearer == "required" else [{}, *bearers]
    return {key: value for key, value in operation.items() if value != []}


def _parameters(route: ApiRoute, schemas: dict[str, Json]) -> list[Json]:
    named: list[Json] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": text,
            "schema": {"type": "string", "minLength": 1},
        }
        for name, text in route.named
    ]
    named += [
        {
            "name": name,
            "in": "header",
            "required": True,
            "description": text,
            "schema": {"type": "string"},
        }
        for name, text in route.headers
    ]
    named += _header_parameters(route)
    if route.parameters is None:
        return named
    properties = cast(dict[str, Json], schemas[route.parameters.__name__]["properties"])
    return named + [
        {
            "name": name,
            "in": "query",
            **({"description": schema["description"]} if "description" in schema else {}),
            # A form sends its empty fields too: the same as leaving them out.
            "allowEmptyValue": True,
            "schema": {k: v for k, v in schema.items() if k != "description"},
        }
        for name, schema in properties.items()
    ]


def _header_parameters(route: ApiRoute) -> list[Json]:
    headers: list[tuple[str, str, Json]] = []
    if route.takes_key:
        visible: Json = {"type": "string", "pattern": "^[!-~]{1,255}$"}
        headers.append(
            (
                "Idempotency-Key",
                "The same request under the same key happens once, for 24 hours; later ones are answered alike. Needs a bearer.",
                visible,
            )
        )
    if route.versioned and route.method != "GET":
        etag: Json = {"type": "string", "pattern": '^(\\*|(W/)?"?[0-9]{1,15}"?)$'}
        headers.append(("If-Match", "Change the cart only if its ETag is still this.", etag))
    return [
        {"name": name, "in": "header", "description": text, "schema": schema}
        for name, text, schema in headers
    ]


def _success(route: ApiRoute, names: dict[str, str]) -> Json:
    reply: Json = {"description": title(route.status), "headers": _reply_headers(route)}
    if route.text_reply is not None:
        reply["content"] = {route.text_reply: {}}
    elif route.reply is not None:
        schema = {"$ref": REF + names[route.reply.__name__]}
        reply["content"] = {"application/json": {"schema": schema, "example": route.reply_example}}
    return reply


def _reply_headers(route: ApiRoute) -> Json:
    headers: dict[str, tuple[str, str]] = {"X-Request-Id": ("What to quote to support.", "string")}
    if route.takes_key:
        headers["Idempotency-Replayed"] = ("`true` on a reply that was given before.", "string")
    if route.bearer == "optional":
        headers["X-Session-Token"] = ("As `sessionToken`: only without a bearer.", "string")
    if route.text_reply is not None:
        headers["ETag"] = ("Of this file, for `If-None-Match`.", "string")
    if route.versioned:
        headers["ETag"] = ("The cart's version, for `If-Match`.", "string")
    return {
        name: {"description": text, "schema": {"type": kind}}
        for name, (text, kind) in headers.items()
    }


def _failure(failures: list[Failure]) -> Json:
    reply: Json = {
        "description": " ".join(failure.when for failure in failures),
        "content": {
            PROBLEM_JSON: {
                "schema": {"$ref": REF + "Problem"},
                "examples": {f.code: {"value": _problem_example(f)} for f in failures},
            }
        },
    }
    if any(f.status in (429, 503) or f.code == "request_in_progress" for f in failures):
        reply["headers"] = {
            "Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}
        }
    return reply


def _problem_example(failure: Failure) -> Json:
    return {
        "type": f"urn:shopping-agent:problem:{failure.code}",
        "title": title(failure.status),
        "status": failure.status,
        "detail": failure.when,
        "code": failure.code,
        "instance": "urn:request:Kx1aDg2bCGYEJ3w",
        "requestId": "Kx1aDg2bCGYEJ3w",
        **({"field": "quantity"} if failure.code == "invalid_field" else {}),
        **({"field": "Idempotency-Key"} if failure.code == "idempotency_key_reused" else {}),
        **({"dependency": "redis"} if failure.status == 503 else {}),
    }


def _camel(path: str) -> str:
    words = path.replace("/api/v1", "").replace("{", "by-").replace("}", "").replace(".", "-")
    return "".join(w[:1].upper() + w[1:] for w in words.replace("/", "-").split("-")) or "Page"


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the OpenAPI document")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when it differs")
    text = written(document())
    if not parser.parse_args().check:
        FILE.write_text(text, encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE.name} is out of date: run python -m functions.local.openapi")


if __name__ == "__main__":
    main()
