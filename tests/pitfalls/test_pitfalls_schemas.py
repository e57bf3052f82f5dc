"""Pitfalls 31 and 32: tool schemas that a provider would refuse, and with them every request."""

import pytest

from tests.pitfalls.turns import FLAGSHIP, PROVIDERS, QUESTION, assert_added

MESSAGES = (
    FLAGSHIP,
    QUESTION,
    "which of these lasts longest?",
    "I want to speak to a person about my order",
    "je cherche un cadeau boisé pour homme",
    "what is in my cart?",
)
# Refused in Gemini's `parameters`, or known to trouble one provider or another.
REFUSED = {"exclusiveMinimum", "exclusiveMaximum", "$schema", "$ref", "$defs", "propertyNames", "const",
           "uniqueItems", "default", "additionalProperties", "title", "oneOf", "allOf", "not"}  # fmt: skip


def declared(request) -> dict[str, dict]:
    """Name and schema of each declared tool."""
    if request.dialect == "gemini":
        listed = [f for t in request.body.get("tools") or () for f in t["functionDeclarations"]]
        return {f["name"]: f.get("parameters") or f.get("parametersJsonSchema") for f in listed}
    functions = [t["function"] for t in request.body.get("tools") or ()]
    return {f["name"]: f["parameters"] for f in functions}


def keys_of(schema: dict) -> set[str]:
    """Keywords used anywhere in a schema; names of properties are none."""
    keys = set(schema) - {"properties"}
    for part in (schema.get("properties") or {}).values():
        keys |= keys_of(part)
    for part in [schema.get("items"), *(schema.get("anyOf") or ())]:
        keys |= keys_of(part) if isinstance(part, dict) else set()
    return keys


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_31_no_keyword_that_a_provider_refuses(talk, fake, best, provider):
    shopper = talk(
        provider, CHECKOUT_URL="https://shop.example/checkout", CHECKOUT_WEBHOOK_SECRET="a-secret"
    )
    assert_added(shopper(FLAGSHIP), best)
    for message in MESSAGES[1:]:
        assert shopper(message).status == 200
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)
    schemas = {name: s for r in fake.requests for name, s in declared(r).items()}
    assert {"search_products", "add_to_cart", "get_cart", "contact_store", "checkout"} <= set(
        schemas
    )
    for name, schema in schemas.items():
        allowed = {"additionalProperties"} if provider != "gemini" else set()
        assert not keys_of(schema) & (REFUSED - allowed), name


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_32_a_tool_without_arguments_has_an_object_of_no_properties(talk, fake, provider):
    talk(provider)(FLAGSHIP)
    schema = declared(fake.requests[0])["get_cart"]
    assert schema is None or (schema["type"].lower(), schema["properties"]) == ("object", {})
    assert '"properties": []' not in str(fake.requests[0].body).replace("'", '"')


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_32_every_array_says_what_it_holds(talk, fake, provider):
    talk(provider)(FLAGSHIP)

    def arrays(schema: dict):
        kinds = schema.get("type")
        if "array" in str(kinds).lower():
            yield schema
        for part in (schema.get("properties") or {}).values():
            yield from arrays(part)

    found = [a for s in declared(fake.requests[0]).values() if s for a in arrays(s)]
    assert found
    assert all(a["items"].get("type") for a in found)
