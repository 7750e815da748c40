"""Arguments of tools are checked against their schema, converted where nothing is lost, and explained to the model."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.modules.tool_arguments import BadArguments, fitted
from pisces.shapes.tool import Tool


def tool(schema: Any, **more: Any) -> Tool:
    whole = {"type": "object", "properties": {"x": schema}, **more}
    return Tool("t", "", whole, lambda given, _context: given)


@pytest.mark.parametrize(
    ("schema", "given", "made"),
    [
        ({"type": "integer"}, "5", 5),
        ({"type": "integer"}, " 5.0 ", 5),
        ({"type": "integer"}, 5.0, 5.0),
        ({"type": "integer"}, True, 1),
        ({"type": "number"}, "1e3", 1000.0),
        ({"type": "number"}, "0x10", 16),
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, "False", False),
        ({"type": "boolean"}, 1, True),
        ({"type": "string"}, 5, "5"),
        ({"type": "string"}, 5.0, "5"),
        ({"type": "string"}, True, "true"),
        ({"type": ["integer", "null"]}, "5", 5),
        ({"type": ["integer", "string"]}, "5", "5"),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "5", "5"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "5", 5),
        ({"type": "array", "items": {"type": "integer"}}, ["1", 2], [1, 2]),
        ({"type": "array", "items": {"type": "string"}}, "one", ["one"]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"a": "1"}, {"a": 1}),
        ({"allOf": [{"type": "integer"}, {"minimum": 2}]}, "3", 3),
        ({"type": "integer", "enum": [1, 2]}, "2", 2),
        ({"prefixItems": [{"type": "integer"}], "items": {"type": "string"}, "type": "array"}, ["1", 2], [1, "2"]),
    ],
)
def test_values_are_converted_where_nothing_is_lost(schema: Any, given: Any, made: Any) -> None:
    after = fitted(tool(schema), {"x": given})["x"]
    assert (after, type(after)) == (made, type(made)) or (after == made and isinstance(made, list | dict))


@pytest.mark.parametrize(
    ("schema", "given"),
    [
        ({"type": "integer"}, "5.5"),
        ({"type": "integer"}, "five"),
        ({"type": "integer"}, ""),
        ({"type": "integer"}, "9" * 400),
        ({"type": "number"}, "Infinity"),
        ({"type": "boolean"}, "yes"),
        ({"type": "boolean"}, 2),
        ({"type": "string"}, ["a"]),
        ({"type": "array", "items": {"type": "integer"}}, "one"),
        ({"type": "array", "items": {"type": "string"}}, '["one"]'),
        ({"type": "object"}, "{}"),
    ],
)
def test_what_would_be_a_guess_is_refused(schema: Any, given: Any) -> None:
    with pytest.raises(BadArguments, match=r"- `x` must be "):
        fitted(tool(schema), {"x": given})


def test_null_is_left_out_if_it_may_be_missing_and_refused_if_not() -> None:
    assert fitted(tool({"type": "string"}), {"x": None}) == {}
    assert fitted(tool({"type": ["string", "null"]}), {"x": None}) == {"x": None}
    with pytest.raises(BadArguments, match="`x` must be a string, not null"):
        fitted(tool({"type": "string"}, required=["x"]), {"x": None})


def test_the_model_is_told_every_misfit_with_its_path_and_what_was_received() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["red", "green"]}}}
    with pytest.raises(BadArguments) as raised:
        fitted(tool({"type": "array", "items": schema}), {"x": [{}, {"a": "one", "b": "gren"}]})
    assert str(raised.value) == (
        "`t` was not called, because its arguments do not fit:\n"
        '- `x[1].a` must be an integer, not the string "one"\n'
        '- `x[1].b` must be one of "red", "green", not the string "gren" (did you mean "green"?)\n'
        'Received: {"x": [{}, {"a": "one", "b": "gren"}]}'
    )


def test_a_long_argument_is_not_sent_back_whole() -> None:
    with pytest.raises(BadArguments) as raised:
        fitted(tool({"type": "integer"}), {"x": "a" * 1_000_000})
    assert len(str(raised.value)) < 2000


@pytest.mark.parametrize("given", [{"x": iter("ab")}, {"x": b"a"}, {1: 2}, [1], "text", None])
def test_what_is_no_object_of_json_data_is_refused(given: Any) -> None:
    with pytest.raises(BadArguments):
        fitted(tool({}), given)
