"""Annotations of a tool's function become schemas, and what the model sends becomes values of these types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.modules.schema import signature_of
from pisces.testing import scripted_session

TYPES = '''
from __future__ import annotations
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired, Optional, TypedDict, Union
from uuid import UUID

class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"

class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2

class Odd(enum.Enum):
    A = object()
    B = object()

@dataclass
class Point:
    """Where it is."""
    x: int
    y: int = 0

@dataclass
class Tree:
    name: str
    children: list[Tree] = field(default_factory=list)

@dataclass
class Even:
    n: int
    def __post_init__(self):
        if self.n % 2:
            raise ValueError("n must be even")

class Options(TypedDict):
    deep: bool
    where: NotRequired[Path]

class Pair(NamedTuple):
    left: str
    right: int = 3

UserId = NewType("UserId", int)

def extension(pisces):
    @dataclass
    class Local:
        colour: Colour

    @pisces.tool()
    def it(value: {hint}):
        return repr(value)
'''


def called(folder: Path, hint: str, *values: Any) -> tuple[dict[str, Any], list[str]]:
    """The schema of the argument, and what the tool got for each value."""
    path = folder / "mod.py"
    path.write_text(TYPES.replace("{hint}", hint))
    with scripted_session(path) as session:
        schema = json.loads(json.dumps(session.runner.tools["it"].parameters))
        texts = [session.tool("it", value=value).text for value in values]
        assert not session.errors
    return schema, texts


@pytest.mark.parametrize(
    ("hint", "schema", "value", "got"),
    [
        ("Colour", {"type": "string", "enum": ["red", "blue"]}, "red", "<Colour.RED: 'red'>"),
        ("Level", {"type": "integer", "enum": [1, 2]}, "2", "<Level.HIGH: 2>"),
        (
            "datetime",
            {"type": "string", "format": "date-time"},
            "2026-01-31T12:00:00",
            "datetime.datetime(2026, 1, 31, 12, 0)",
        ),
        ("date", {"type": "string", "format": "date"}, "2026-01-31", "datetime.date(2026, 1, 31)"),
        ("time", {"type": "string", "format": "time"}, "12:30", "datetime.time(12, 30)"),
        ("timedelta", {"type": "number", "description": "seconds"}, 90, "datetime.timedelta(seconds=90)"),
        ("Decimal", {"type": ["number", "string"]}, "1.10", "Decimal('1.10')"),
        ("bytes", {"type": "string", "contentEncoding": "base64"}, "aGk=", "b'hi'"),
        ("Path", {"type": "string", "format": "path"}, "a/b", "PosixPath('a/b')"),
        ("UserId", {"type": "integer"}, "7", "7"),
        ("int", {"type": "integer"}, 5.0, "5"),
        ("float", {"type": "number"}, 5, "5.0"),
        ("str | int", {"anyOf": [{"type": "string"}, {"type": "integer"}]}, 5, "5"),
        ("Optional[int]", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, None, "None"),
        ("Union[date, int]", {"anyOf": [{"type": "string", "format": "date"}, {"type": "integer"}]}, 3, "3"),
        (
            "list[list[int]]",
            {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
            [["1"], [2]],
            "[[1], [2]]",
        ),
        ("Sequence[Path]", {"type": "array", "items": {"type": "string", "format": "path"}}, ["a"], "[PosixPath('a')]"),
        ("set[str]", {"type": "array", "items": {"type": "string"}, "uniqueItems": True}, ["a"], "{'a'}"),
        ("tuple[int, ...]", {"type": "array", "items": {"type": "integer"}}, [1, 2], "(1, 2)"),
        (
            "dict[str, date]",
            {"type": "object", "additionalProperties": {"type": "string", "format": "date"}},
            {"a": "2026-01-31"},
            "{'a': datetime.date(2026, 1, 31)}",
        ),
        ("Mapping[int, int]", {"type": "object", "additionalProperties": {"type": "integer"}}, {"1": 2}, "{1: 2}"),
        (
            "Annotated[int, 'how many', {'minimum': 1}]",
            {"type": "integer", "description": "how many", "minimum": 1},
            2,
            "2",
        ),
        ("Literal['a', 1]", {"enum": ["a", 1]}, "a", "'a'"),
        ("Any", {}, {"a": [1]}, "{'a': [1]}"),
    ],
)
def test_a_type_has_a_schema_and_gets_its_values(tmp_path: Path, hint: str, schema: Any, value: Any, got: str) -> None:
    whole, texts = called(tmp_path, hint, value)
    assert whole["properties"]["value"] == schema
    assert texts == [got]


def test_dataclasses_typed_dicts_and_named_tuples_are_objects(tmp_path: Path) -> None:
    whole, texts = called(tmp_path, "Point", {"x": "1"}, {"x": 1, "z": 2}, {"y": 1})
    assert whole["properties"]["value"] == {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 0}},
        "required": ["x"],
        "additionalProperties": False,
        "description": "Where it is.",
    }
    assert texts[0] == "Point(x=1, y=0)"
    assert "- `value.z` is not one of the arguments" in texts[1]
    assert "- `value.x` is missing (an integer)" in texts[2]
    whole, texts = called(tmp_path, "Options", {"deep": "true", "where": "a"}, {"deep": True})
    assert whole["properties"]["value"]["required"] == ["deep"]
    assert texts == ["{'deep': True, 'where': PosixPath('a')}", "{'deep': True}"]
    assert called(tmp_path, "Pair", {"left": "a"})[1] == ["Pair(left='a', right=3)"]
    assert called(tmp_path, "list[Point]", [{"x": 1}, {"x": 2}])[1] == ["[Point(x=1, y=0), Point(x=2, y=0)]"]
    assert called(tmp_path, "Point | None", None, {"x": 1})[1] == ["None", "Point(x=1, y=0)"]
    assert called(tmp_path, "Odd", "A")[1][0].startswith("<Odd.A: ")


def test_a_class_of_the_factory_is_known_although_annotations_are_texts(tmp_path: Path) -> None:
    _, texts = called(tmp_path, "Local", {"colour": "blue"}, {"colour": "green"})
    assert texts[0].endswith("Local(colour=<Colour.BLUE: 'blue'>)")
    assert '- `value.colour` must be one of "red", "blue", not the string "green"' in texts[1]


def test_a_name_means_what_it_means_where_the_function_stands() -> None:
    def of_factory(value: Path, other: int) -> None: ...

    found = signature_of(of_factory, {"Path": bool}).schema["properties"]
    assert found == {"value": {"type": "boolean"}, "other": {"type": "integer"}}
    unknown = signature_of(of_factory, {"Path": 1, "int": str}).schema["properties"]
    assert unknown == {"value": {}, "other": {"type": "string"}}


def test_a_class_may_contain_itself(tmp_path: Path) -> None:
    whole, texts = called(
        tmp_path, "Tree", {"name": "a", "children": [{"name": "b"}]}, {"name": "a", "children": [{"name": 1, "x": 2}]}
    )
    assert whole["properties"]["value"] == {"$ref": "#/$defs/Tree"}
    assert whole["$defs"]["Tree"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert texts[0] == "Tree(name='a', children=[Tree(name='b', children=[])])"
    assert "- `value.children[0].x` is not one of the arguments" in texts[1]


@pytest.mark.parametrize(
    ("hint", "value", "said"),
    [
        ("Even", {"n": 3}, "- `value` is refused: n must be even"),
        ("list[Even]", [{"n": 2}, {"n": 3}], "- `value[1]` is refused: n must be even"),
        (
            "datetime",
            "tomorrow",
            '- `value` must be a date and time, such as `2026-01-31T12:00:00Z`, not the string "tomorrow"',
        ),
        ("bytes", "!", "- `value` must be Base64"),
        ("dict[str, date]", {"a": "x"}, "- `value.a` must be a date"),
        ("Decimal", "ten", "- `value` must be a decimal number"),
        ("UUID", "x", "- `value` must be a UUID"),
    ],
)
def test_what_the_type_itself_refuses_is_told_to_the_model(tmp_path: Path, hint: str, value: Any, said: str) -> None:
    _, (text,) = called(tmp_path, hint, value)
    assert said in text
    assert "Received: " in text


def test_an_annotation_that_cannot_be_resolved_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "mod.py"
    path.write_text(TYPES.replace("value: {hint}", "value: int, other: Missing = None"))
    with scripted_session(path) as session:
        properties = session.runner.tools["it"].parameters["properties"]
        assert properties == {"value": {"type": "integer"}, "other": {}}


def test_pydantic_models_check_themselves(tmp_path: Path) -> None:
    pytest.importorskip("pydantic")
    text = """
from pydantic import BaseModel, Field
class Inner(BaseModel):
    n: int = Field(ge=1)
class Order(BaseModel):
    name: str
    parts: list[Inner] = []
def extension(pisces):
    @pisces.tool()
    def it(value: Order):
        return repr(value)
"""
    path = tmp_path / "mod.py"
    path.write_text(text)
    with scripted_session(path) as session:
        schema = session.runner.tools["it"].parameters
        assert schema["$defs"]["Order.Inner"]["properties"]["n"]["minimum"] == 1
        assert (
            session.tool("it", value={"name": "a", "parts": [{"n": "2"}]}).text == "Order(name='a', parts=[Inner(n=2)])"
        )
        assert (
            "`value.parts[0].n` must be at least 1" in session.tool("it", value={"name": "a", "parts": [{"n": 0}]}).text
        )


def test_defaults_that_json_does_not_have_are_shown_as_it_writes_them(tmp_path: Path) -> None:
    path = tmp_path / "mod.py"
    defaults = "a: Colour = Colour.RED, b: Path = Path('x'), c: Point = Point(1), d: int = 2"
    path.write_text(TYPES.replace("value: {hint}", defaults).replace("repr(value)", "repr((a, b, c, d))"))
    with scripted_session(path) as session:
        properties = session.runner.tools["it"].parameters["properties"]
        assert {name: each.get("default") for name, each in properties.items()} == {
            "a": "red",
            "b": "x",
            "c": None,
            "d": 2,
        }
        assert session.tool("it").text == "(<Colour.RED: 'red'>, PosixPath('x'), Point(x=1, y=0), 2)"
        json.dumps(session.runner.tools["it"].parameters)
