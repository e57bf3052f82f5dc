import json
import re

import jsonschema
import pytest

from functions.chat import app as chat
from functions.local import openapi
from functions.local.api_routes import ROUTES
from functions.store import app as store

DOCUMENT = json.loads(openapi.FILE.read_text(encoding="utf-8"))
PAGES = re.compile(r"^/(docs/.+|[^/]+\.(js|css|svg|png|ico|webp|woff2|txt|html))$")


def template(path: str) -> str:
    return re.sub(r"<(\w+)>", "{}", re.sub(r"{\w+}", "{}", path))


def documented(function: str) -> set[tuple[str, str]]:
    return {(r.method, template(r.path)) for r in ROUTES if r.function == function}


def operations():
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield f"{method} {path}", operation


def examples():
    for name, operation in operations():
        if "requestBody" in operation:
            yield f"{name} body", operation["requestBody"]["content"]["application/json"]
        for status, reply in operation["responses"].items():
            for content in reply.get("content", {}).values():
                if "schema" in content:
                    yield f"{name} {status}", content


def valid(schema: dict, instance) -> None:
    whole = {**schema, "components": DOCUMENT["components"]}
    jsonschema.Draft202012Validator(whole).validate(instance)


def test_the_committed_document_is_what_the_code_says() -> None:
    assert openapi.FILE.read_text(encoding="utf-8") == openapi.written(openapi.document())


@pytest.mark.parametrize(("function", "app"), [("store", store.app), ("chat", chat.app)])
def test_every_route_of_a_function_is_documented_and_no_other(function, app) -> None:
    routes = {(m, template(p)) for m, p in app.route_table() if not PAGES.match(p)}
    assert routes == documented(function)


def test_every_operation_has_its_own_id_and_says_what_it_does() -> None:
    ids = [operation["operationId"] for _, operation in operations()]
    assert len(set(ids)) == len(ids) == len(ROUTES)
    assert all(operation["summary"] for _, operation in operations())


def test_every_reference_leads_somewhere() -> None:
    for name in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(DOCUMENT)):
        assert name in DOCUMENT["components"]["schemas"]


@pytest.mark.parametrize(("name", "content"), list(examples()))
def test_every_example_fits_its_schema(name, content) -> None:
    valid(content["schema"], content["example"])


@pytest.mark.parametrize(
    ("method", "path", "body", "schema"),
    [
        ("POST", "/api/v1/sessions", None, "Session"),
        ("GET", "/api/v1/cart", None, "Cart"),
        ("POST", "/api/v1/cart/items", {"productId": "rose"}, "Cart"),
        ("POST", "/api/v1/cart/items", {"productId": "nope"}, "Problem"),
        ("POST", "/api/v1/cart/items", {"productId": 3}, "Problem"),
        ("GET", "/api/v1/products", None, "ProductList"),
        ("GET", "/api/v1/products/oud", None, "Product"),
        ("GET", "/api/v1/health", None, "Health"),
        ("GET", "/nope", None, "Problem"),
    ],
)
def test_what_the_store_answers_fits_the_document(call, method, path, body, schema) -> None:
    valid({"$ref": f"#/components/schemas/{schema}"}, call(method, path, body).json)
