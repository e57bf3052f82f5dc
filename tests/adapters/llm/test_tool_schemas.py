"""Tools as each provider declares them: nothing in a schema that one of them refuses."""

import re
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.llm.plain_schema import plain_object
from shopping_agent.adapters.llm.tool_schemas import declarations, parameters_of
from shopping_agent.adapters.rules import load_expert
from shopping_agent.application.tools.cart import CartTools
from shopping_agent.application.tools.catalog import CatalogTools
from shopping_agent.application.tools.checkout import CheckoutTools
from shopping_agent.application.tools.guides import GuideTools
from shopping_agent.application.tools.recommend import RecommendationTools
from shopping_agent.application.tools.registry import OFFERED
from shopping_agent.domain.conversation import ToolSpec

DIALECTS = ("openai", "groq", "xai", "gemini")
WORDS = {"type", "description", "enum", "properties", "required", "items"}
BOUNDS = {"minimum", "maximum", "minItems", "maxItems"}
SCHEMA = load_expert("", load_store_pack().vocabulary).schema
NOTHING: Any = None  # what the tools run is not asked for
COUNSELLING: Any = SimpleNamespace(schema=SCHEMA)
TOOLS = {
    tool.name: tool.spec()
    for tools in (
        *(
            object.__new__(group).tools()
            for group in (CartTools, CatalogTools, CheckoutTools, GuideTools)
        ),
        RecommendationTools(counselling=COUNSELLING, search=NOTHING, work=NOTHING).tools(),
    )
    for tool in tools
}
OFFERS = [(intent, name) for intent, names in OFFERED.items() for name in names]


def parameters(declared, dialect):
    return (
        declared["parametersJsonSchema"]
        if dialect == "gemini"
        else declared["function"]["parameters"]
    )


def nodes(schema):
    yield schema
    for member in schema.get("properties", {}).values():
        yield from nodes(member)
    if "items" in schema:
        yield from nodes(schema["items"])


def broken_rules(schema, dialect):
    """What a provider would refuse of a schema."""
    allowed = WORDS if dialect == "groq" else WORDS | BOUNDS
    wrong = []
    if schema["type"] != "object" or not isinstance(schema.get("properties"), dict):
        wrong.append("not an object with properties")
    for node in nodes(schema):
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        wrong += [f"refused word {word}" for word in set(node) - allowed]
        wrong += [
            f"unknown type {k}"
            for k in kinds
            if k not in ("object", "array", "string", "integer", "number", "boolean", "null")
        ]
        if "array" in kinds and "items" not in node:
            wrong.append("an array of nothing")
        if "enum" in node and ("null" in kinds) != (None in node["enum"]):
            wrong.append("enum and type disagree on null")
        if not set(node.get("required", ())) <= set(node.get("properties", {})):
            wrong.append("requires what it does not have")
        if node.get("required") == []:
            wrong.append("an empty list of required names")
        if node.get("description", "x") in (None, ""):
            wrong.append("an empty description")
        for name, member in node.get("properties", {}).items():
            optional = name not in node.get("required", ())
            if dialect == "groq" and optional and "null" not in member["type"]:
                wrong.append(f"{name} may not be null")
    jsonschema.Draft202012Validator.check_schema(schema)
    return wrong


def test_every_offered_tool_is_among_the_tools_rendered_here():
    assert {name for _, name in OFFERS} == set(TOOLS)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("intent", "name"), OFFERS)
def test_every_tool_of_every_intent_is_accepted_by_every_provider(intent, name, dialect):
    [declared] = declarations([TOOLS[name]], dialect)
    described = declared if dialect == "gemini" else declared["function"]
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", described["name"])
    assert isinstance(described["description"], str)
    assert described["description"]
    assert broken_rules(parameters(declared, dialect), dialect) == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_tool_without_arguments_has_an_object_of_no_properties(dialect):
    for given in (
        {},
        {"type": "object"},
        {"properties": []},
        {"type": "string"},
        {"properties": None},
    ):
        [declared] = declarations([ToolSpec("get_cart", "The cart.", given)], dialect)
        assert parameters(declared, dialect) == {"type": "object", "properties": {}}


def test_a_tool_without_a_description_is_described_by_its_name():
    descriptions: tuple[Any, ...] = ("", None)
    for description in descriptions:
        [declared] = declarations([ToolSpec("get_cart", description, {})], "groq")
        assert declared["function"]["description"] == "get_cart"


def test_groq_takes_null_and_every_length_for_an_optional_argument():
    [declared] = declarations([TOOLS["search_products"]], "groq")
    schema = declared["function"]["parameters"]
    given = {"query": "oud", "maxPrice": None, "gender": None, "notes": None, "limit": None}
    jsonschema.validate(given, schema)
    jsonschema.validate({"query": "oud", "limit": 500}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"query": None}, schema)


# Other shapes than our models make: what tools of a store's own could bring.
STRANGE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Strange",
    "type": "object",
    "additionalProperties": False,
    "$defs": {
        "Colour": {"title": "Colour", "enum": ["red", "blue"], "type": "string"},
        "Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}},
        "A~b/c": {"type": "integer"},
    },
    "properties": {
        "colour": {"$ref": "#/$defs/Colour", "default": "red", "description": "its colour"},
        "maybe": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Colour"}], "default": None},
        "count": {
            "type": "integer",
            "exclusiveMinimum": 0,
            "exclusiveMaximum": 10,
            "multipleOf": 1,
        },
        "ratio": {"type": "number", "exclusiveMinimum": 0, "minimum": -1},
        "kind": {"const": "gift"},
        "one": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
        "all": {"allOf": [{"type": "string"}, {"description": "merged"}]},
        "either": {"type": ["string", "null"], "enum": ["a", None], "nullable": True},
        "tags": {"type": "array", "uniqueItems": True, "minItems": 1, "contains": {}},
        "pair": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]},
        "map": {
            "type": "object",
            "propertyNames": {"pattern": "^x"},
            "additionalProperties": {"type": "string"},
        },
        "tree": {"$ref": "#/$defs/Node"},
        "lost": {"$ref": "#/$defs/Nowhere"},
        "escaped": {"$ref": "#/$defs/A~0b~1c"},
        "whatever": {},
        "always": True,
        "upper": {"type": "STRING", "format": "date-time", "pattern": "x", "minLength": 1},
        "mixed": {"enum": [1, 2]},
        "if": {
            "type": "string",
            "if": {},
            "then": {},
            "not": {},
            "examples": ["a"],
            "readOnly": True,
        },
    },
    "required": ["colour", "count", "gone"],
    "dependentRequired": {"one": ["all"]},
    "unevaluatedProperties": False,
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_schemas_of_other_shapes_are_cut_down_to_what_every_provider_accepts(dialect):
    [declared] = declarations([ToolSpec("strange", "Strange.", STRANGE)], dialect)
    assert broken_rules(parameters(declared, dialect), dialect) == []


def test_what_a_schema_means_survives_the_cut():
    plain = plain_object(STRANGE)
    properties = plain["properties"]
    assert plain["required"] == ["colour", "count"]
    assert properties["colour"] == {
        "type": "string",
        "description": "its colour",
        "enum": ["red", "blue"],
    }
    assert properties["maybe"] == {"type": ["string", "null"], "enum": ["red", "blue", None]}
    assert properties["count"] == {"type": "integer", "minimum": 1, "maximum": 9}
    assert properties["ratio"] == {"type": "number", "minimum": -1}
    assert properties["kind"] == {"type": "string", "enum": ["gift"]}
    assert properties["one"] == {"type": "integer"}
    assert properties["all"] == {"type": "string", "description": "merged"}
    assert properties["either"] == {"type": ["string", "null"], "enum": ["a", None]}
    assert properties["tags"] == {"type": "array", "items": {"type": "string"}, "minItems": 1}
    assert properties["pair"]["items"] == {"type": "number"}
    assert properties["map"] == {"type": "object", "properties": {}}
    assert properties["lost"] == properties["whatever"] == properties["upper"] == {"type": "string"}
    assert properties["escaped"] == {"type": "integer"}
    assert properties["mixed"] == {"type": "integer", "enum": [1, 2]}


def test_a_schema_that_holds_itself_ends():
    node = plain_object(STRANGE)["properties"]["tree"]
    depth = 0
    while "next" in node["properties"]:
        node = node["properties"]["next"]
        depth += 1
    assert 0 < depth <= 10
    assert plain_object({"$ref": "#"}) == {"type": "object", "properties": {}}


def test_a_tool_is_rendered_once_and_its_schema_is_left_as_it_was():
    spec = ToolSpec("strange", "Strange.", STRANGE)
    before = repr(STRANGE)
    assert declarations([spec], "groq")[0] is declarations([spec], "groq")[0]
    assert parameters_of(spec) is parameters_of(spec)
    assert repr(STRANGE) == before


def test_more_tools_than_are_kept_are_still_rendered_rightly():
    specs = [
        ToolSpec(f"tool_{i}", "T.", {"properties": {f"p{i}": {"type": "string"}}})
        for i in range(700)
    ]
    for spec, declared in zip(specs, declarations(specs, "xai"), strict=True):
        assert (
            declared["function"]["parameters"]["properties"].keys()
            == spec.parameters["properties"].keys()
        )
