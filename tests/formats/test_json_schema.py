"""Values and JSON Schemas: what fits, what is said of what does not, and that no schema takes for ever."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.growth import LINEAR, growth

from pisces.formats.json_schema import Checker

OBJECT = {
    "type": "object",
    "properties": {
        "action": {"enum": ["add", "list", "done"]},
        "number": {"type": "integer", "minimum": 1},
        "tags": {"type": "array", "items": {"type": "string", "minLength": 1}},
    },
    "required": ["action"],
    "additionalProperties": False,
}


def texts(schema: Any, value: Any) -> list[str]:
    return [misfit.text for misfit in Checker(schema).misfits(value)]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"action": "add", "number": 1, "tags": ["a"]}, []),
        ({}, ["`action` is missing"]),
        (
            {"action": "ad"},
            ['`action` must be one of "add", "list", "done", not the string "ad" (did you mean "add"?)'],
        ),
        ({"action": "list", "number": "many"}, ['`number` must be an integer, not the string "many"']),
        ({"action": "list", "number": 0}, ["`number` must be at least 1, not the number 0"]),
        ({"action": "list", "number": True}, ["`number` must be an integer, not true"]),
        ({"action": "list", "tags": ["a", ""]}, ["`tags[1]` must have at least 1 characters, not 0"]),
        ({"action": "list", "numbr": 1}, ['`numbr` is not one of the arguments (did you mean "number"?)']),
        ([], ["the arguments must be an object, not an array"]),
    ],
)
def test_a_misfit_has_a_path_and_a_hint(value: Any, said: list[str]) -> None:
    assert texts(OBJECT, value) == said


def test_of_several_shapes_the_one_of_the_right_type_is_explained() -> None:
    schema = {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"x": {"type": "integer"}}}]}
    assert texts(schema, {"x": "a"}) == ['`x` must be an integer, not the string "a"']
    assert texts(schema, 5) == ["the arguments must be a string or an object, not the number 5"]


def test_references_are_followed_inside_the_schema_only() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "value": {"type": "integer"}}}
    schema = {"$defs": {"node": node}, "$ref": "#/$defs/node"}
    assert texts(schema, {"next": {"next": {"value": "x"}}}) == [
        '`next.next.value` must be an integer, not the string "x"'
    ]
    named = {"$id": "T0", "type": "object", "properties": {"next": {"$ref": "T0"}}}
    assert texts(named, {"next": {"next": 5}}) == ["`next.next` must be an object, not the number 5"]
    assert texts({"$ref": "https://example.com/schema.json"}, 5) == []
    assert texts({"$ref": "#/nowhere"}, 5) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]},
        {"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}},
    ],
)
def test_a_reference_that_leads_back_ends(schema: Any) -> None:
    texts(schema, 5)
    texts(schema, {"a": [1]})


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("last", [{"type": "string"}, {"type": "object"}])
def test_shapes_that_double_at_every_level_take_no_longer(keyword: str, last: Any) -> None:
    definitions = {
        f"d{n}": {keyword: [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(60)
    }
    Checker({"$defs": {**definitions, "d60": last}, "$ref": "#/$defs/d0"}).misfits({"a": 1})


def test_time_is_linear_in_the_value_and_a_pattern_cannot_be_abused() -> None:
    schema = {"type": "array", "items": {"type": "string", "pattern": "^(a+)+$"}, "uniqueItems": True}
    values = {size: [f"{'a' * 20}!{n}" for n in range(size)] for size in (1000, 4000)}
    assert growth(lambda size: Checker(schema).misfits(values[size], 10**9), 1000) < LINEAR
    Checker({"pattern": "^(a|a)*$"}).misfits("a" * 50_000 + "b")


def test_nonsense_in_a_schema_is_no_keyword() -> None:
    schema = {"type": 5, "enum": "x", "minimum": "1", "required": 5, "properties": [], "items": 7, "anyOf": {}}
    for value in (1, "x", [1], {"a": 1}, None):
        assert texts(schema, value) == []


SCHEMAS: list[Any] = [
    OBJECT,
    {"type": ["integer", "null"]},
    {"multipleOf": 0.5},
    {"exclusiveMinimum": 1, "maximum": 3.5},
    {"type": "string", "pattern": "^a.c", "maxLength": 4},
    {"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "boolean"}},
    {"contains": {"type": "integer"}, "minContains": 2},
    {"uniqueItems": True, "minItems": 1},
    {"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": {"type": "string"}},
    {"propertyNames": {"maxLength": 2}, "minProperties": 1},
    {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {"required": ["c"]}}},
    {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
    {"not": {"type": "string"}},
    {"if": {"type": "integer"}, "then": {"minimum": 2}, "else": {"type": "string"}},
    {"const": 1},
    {"enum": [1, "a", None, {"a": [1.0]}]},
    {"$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}, "$ref": "#/$defs/t"},
]


def some_value(chance: random.Random, depth: int = 0) -> Any:
    scalars = [0, 1, 2, 1.0, 2.5, 0.3, True, False, None, "", "a", "abc", "axcd", "x"]
    kind = chance.randrange(6) if depth < 3 else 0
    if kind == 4:
        return [some_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    if kind == 5:
        names = ["a", "b", "c", "x1", "action", "number", "tags"]
        return {name: some_value(chance, depth + 1) for name in chance.sample(names, chance.randrange(4))}
    return chance.choice(scalars)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: " ".join(schema))
def test_it_agrees_with_jsonschema(schema: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    theirs, ours, chance = jsonschema.Draft202012Validator(schema), Checker(schema), random.Random(7)
    for _ in range(500):
        value = some_value(chance)
        assert (not ours.misfits(value)) == theirs.is_valid(value), value
