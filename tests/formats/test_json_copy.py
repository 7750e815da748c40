"""A private copy of JSON data: read once, shared with nobody, and an error for what JSON does not have."""

from __future__ import annotations

import enum
from collections import UserDict
from types import MappingProxyType
from typing import Any

import pytest

from pisces.formats.json_copy import DEEPEST, NotJson, json_copy, same_json
from pisces.value import FrozenMapping


class Colour(enum.StrEnum):
    RED = "red"


class Liar(dict[str, Any]):
    """Answers otherwise each time it is asked."""

    def __getitem__(self, key: str) -> Any:
        return "rm"

    def items(self) -> Any:
        return [("command", "ls")]


class Texts(str):
    def __contains__(self, _part: object) -> bool:
        return False


def test_nothing_of_the_copy_is_shared_with_its_source() -> None:
    source = FrozenMapping({"a": {"b": [1, {"c": 2}]}})
    copy = json_copy(source)
    dict.__setitem__(source["a"]["b"][1], "c", "changed")
    list.append(source["a"]["b"], 3)
    assert copy == {"a": {"b": [1, {"c": 2}]}}
    assert copy is not source


def test_subclasses_become_what_they_stand_for() -> None:
    class Number(int):
        pass

    copy = json_copy({"a": Liar(command="x"), "b": Texts("rm -rf"), "c": Colour.RED, "d": Number(5), "e": (1, 2)})
    assert copy == {"a": {"command": "ls"}, "b": "rm -rf", "c": "red", "d": 5, "e": [1, 2]}
    assert [type(copy[key]) for key in "bcd"] == [str, str, int]
    assert copy["a"]["command"] == "ls"
    assert "rm" in copy["b"]


@pytest.mark.parametrize("mapping", [UserDict({"a": 1}), MappingProxyType({"a": 1})])
def test_other_mappings_are_read_once(mapping: Any) -> None:
    assert json_copy({"given": mapping}) == {"given": {"a": 1}}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"items": (each for each in "ab")}, "`items` is of the type `generator`"),
        ({"a": [0, {"b": {1, 2}}]}, "`a[1].b` is of the type `set`"),
        ({"a": b"x"}, "`a` is of the type `bytes`"),
        ({"a": {1: 2}}, "`a` has the key 1, which is no text"),
        ({"n": float("nan")}, "`n` is `nan`"),
        ({"n": object()}, "`n` is of the type `object`"),
    ],
)
def test_what_json_does_not_have_is_named_with_its_path(value: Any, said: str) -> None:
    with pytest.raises(NotJson) as raised:
        json_copy(value)
    assert said in str(raised.value)


def test_cycles_and_endless_data_end() -> None:
    cycle: dict[str, Any] = {}
    cycle["self"] = cycle
    with pytest.raises(NotJson, match=f"deeper than {DEEPEST} levels"):
        json_copy(cycle)
    shared: list[Any] = ["x"]
    for _ in range(100):
        shared = [shared, shared]
    with pytest.raises(NotJson, match="more than 1000000 values"):
        json_copy(shared)


def test_true_is_not_one() -> None:
    assert not same_json(json_copy({"a": [True]}), json_copy({"a": [1]}))
    assert not same_json(json_copy({"a": 1}), json_copy({"a": 1, "b": 2}))
    assert same_json(json_copy({"a": [1, {"b": None}]}), json_copy({"a": [1, {"b": None}]}))
