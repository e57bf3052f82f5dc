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
            content = operation["requestBody"]["content"]["application/json"]
            yield f"{name} body", content["schema"], content["example"]
        for status, reply in operation["responses"].items():
            for content in reply.get("content", {}).values():
                several = {code: e["value"] for code, e in content.get("examples", {}).items()}
                if "example" in content:
                    several[""] = content["example"]
                for code, example in several.items():
                    yield f"{name} {status} {code}", content["schema"], example


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


@pytest.mark.parametrize(("name", "schema", "example"), list(examples()))
def test_every_example_fits_its_schema(name, schema, example) -> None:
    valid(schema, example)


@pytest.mark.parametrize(("app", "function"), [(store.app, "store"), (chat.app, "chat")])
def test_the_document_and_the_entrance_say_the_same_of_bearers_and_keys(app, function) -> None:
    rules = {(r.method, template(r.path)): r for r in app.rules()}
    bearers = {"guest": "optional", "bearer": "required", "public": "none", "signed": "none"}
    bearers["operator"] = "operator"
    for route in ROUTES:
        if route.function != function:
            continue
        rule = rules[route.method, template(route.path)]
        assert (rule.access == "page") == route.is_page, route.path
        if not route.is_page:
            assert bearers[rule.access] == route.bearer, route.path
            assert route.method == "GET" or rule.keyed == route.keyed, route.path


def test_what_a_bearer_is_optional_or_required_for_is_declared() -> None:
    security = {name: operation.get("security") for name, operation in operations()}
    assert {} in security["post /api/v1/ai/cart"]
    assert {} in security["get /api/v1/cart"]
    assert {} not in security["post /api/v1/cart/merge"]
    assert security["get /api/v1/products"] is None


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
