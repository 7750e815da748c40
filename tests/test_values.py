"""Values are immutable, comparable, printable and copied with changes; places know where they are."""

from __future__ import annotations

import copy
import importlib
import json
import os
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import pisces
from pisces.diagnostics import Diagnostic
from pisces.places import Places
from pisces.ui.screen import visible
from pisces.ui.table import table
from pisces.value import EMPTY, FrozenList, FrozenMapping, Value, frozen


class Point(Value):
    x: int
    y: int = 0


class Named(Point):
    name: str = ""


class Holder(Value):
    held: Any


class Nothing(Value):
    pass


class Unhashable:
    __hash__ = None  # type: ignore[assignment]  # what Python does to a class with an `__eq__` of its own


def test_fields_are_given_in_order_by_name_or_by_default() -> None:
    assert Point(1) == Point(x=1, y=0)
    assert Named(1, name="a").as_tuple() == (1, 0, "a")


def test_a_value_never_changes() -> None:
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
    assert point.replace(x=2) == Point(2)
    assert point == Point(1)


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"z": 1})])
def test_wrong_fields_are_refused(given: tuple[int, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Point(*given, **named)


def test_values_of_different_kinds_are_different() -> None:
    assert Point(1) != Named(1)
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert repr(Point(1)) == "Point(x=1, y=0)"
    assert pickle.loads(pickle.dumps(Point(3))) == Point(3)


def class_of(annotations: list[str], *bases: type, **assigned: object) -> Any:
    """A class made as the `class` statement makes it, where type checkers cannot see what is wrong with it."""
    kind: Any = type(Value)
    return kind("Made", bases or (Value,), {"__annotations__": dict.fromkeys(annotations, "Any"), **assigned})


def test_a_field_of_a_base_is_not_redefined() -> None:
    with pytest.raises(TypeError, match="Made redefines 'x'"):
        class_of(["x"], Point)
    with pytest.raises(TypeError, match="Made redefines 'y'"):
        class_of(["y"], Named, y=2)


def test_a_field_of_a_base_is_not_hidden_by_an_attribute() -> None:
    with pytest.raises(TypeError, match="Made redefines 'x'"):
        class_of([], Point, x=property(len))


def test_a_field_that_two_bases_inherit_is_one_field() -> None:
    made = class_of(["z"], class_of([], Point), class_of([], Point), z=3)
    assert made(1, 2).as_tuple() == (1, 2, 3)


def test_a_field_without_default_does_not_follow_one_with_default() -> None:
    with pytest.raises(TypeError, match="Made: 'b' has no default"):
        class_of(["a", "b"], a=1)
    with pytest.raises(TypeError, match="Made: 'name' has no default"):
        class_of(["name"], Point)
    assert class_of(["a", "b"], b=1)(0).as_tuple() == (0, 1)


def test_annotations_that_python_evaluates_later_are_fields_too() -> None:
    """A class body has no `__annotations__` on Python 3.14 without the future import, but a function."""
    kind: Any = type(Value)
    made = kind("Made", (Value,), {"__annotate_func__": lambda _format: {"a": int, "b": int}, "b": 2})
    assert made(1).as_tuple() == (1, 2)


@pytest.mark.parametrize(
    "default",
    [[], {}, set(), bytearray(), ([],), Unhashable()],
    ids=["list", "dict", "set", "bytearray", "list-in-a-tuple", "unhashable"],
)
def test_a_default_that_values_would_share_and_could_change_is_refused(default: object) -> None:
    with pytest.raises(TypeError, match="Made: the default of 'a'"):
        class_of(["a"], a=default)


def test_tuples_and_frozen_mappings_are_defaults() -> None:
    made = class_of(["a", "b"], a=(), b=EMPTY)
    assert made() == made((), {})


ELSEWHERE = ("pisces.adapters.", "pisces.models.pydantic_ai")  # they need frameworks


def test_every_value_of_the_house_can_be_made() -> None:
    """Classes that break the rules above fail when they are imported. Adapters are, in the environment of each."""
    for module in pkgutil.walk_packages(pisces.__path__, "pisces."):
        if not module.name.endswith("__main__") and not module.name.startswith(ELSEWHERE):
            importlib.import_module(module.name)


@pytest.mark.parametrize(
    ("one", "other"),
    [(Point(1), Point(2)), (Point(1, 2), Point(1, 3)), (Named(1), Named(1, 0, "a")), (Holder(1), Holder([]))],
)
def test_a_difference_in_any_field_makes_values_different(one: Value, other: Value) -> None:
    assert one != other
    assert other != one


def test_values_with_no_field_and_with_one_are_compared() -> None:
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())
    assert Nothing().as_tuple() == ()
    assert Nothing().replace() == Nothing()
    assert Holder(1) == Holder(1)
    assert hash(Holder("a")) == hash(Holder("a"))
    assert Holder(1).as_tuple() == (1,)


def test_a_base_that_was_compared_before_its_subclass_compares_its_own_fields_only() -> None:
    assert Point(1) == Point(1)
    derived = class_of(["z"], Point, z=0)
    assert derived(1, z=2) != derived(1, z=3)
    assert derived(1, z=2).as_tuple() == (1, 0, 2)


def test_what_is_the_same_object_is_equal() -> None:
    not_a_number = float("nan")
    assert Holder(not_a_number) == Holder(not_a_number)


def test_another_type_may_know_how_to_compare_itself_with_a_value() -> None:
    class Anything:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            return True

    assert Point(1) == Anything()
    assert Point(1) != (1, 0)


def test_a_value_that_holds_something_unhashable_has_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(Holder([]))


def test_replace_refuses_a_field_that_does_not_exist() -> None:
    with pytest.raises(TypeError, match=r"Point.*'z'"):
        Point(1).replace(z=1)


CHANGES: dict[str, Callable[[Any], object]] = {
    "setitem": lambda mapping: mapping.__setitem__("a", 2),
    "delitem": lambda mapping: mapping.__delitem__("a"),
    "ior": lambda mapping: mapping.__ior__({"a": 2}),
    "clear": lambda mapping: mapping.clear(),
    "pop": lambda mapping: mapping.pop("a"),
    "popitem": lambda mapping: mapping.popitem(),
    "setdefault": lambda mapping: mapping.setdefault("b", 2),
    "update": lambda mapping: mapping.update(a=2),
    "attribute": lambda mapping: setattr(mapping, "a", 2),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_frozen_mapping_never_changes(change: str) -> None:
    mapping = FrozenMapping({"a": 1})
    with pytest.raises((TypeError, AttributeError)):
        CHANGES[change](mapping)
    assert mapping == {"a": 1}


def test_each_way_to_change_a_dict_is_refused() -> None:
    """A method that a later Python adds to `dict` is looked at by somebody."""
    reading = {"copy", "fromkeys", "get", "items", "keys", "values"}
    methods = {name for name in vars(dict) if not name.startswith("_")}
    assert methods - reading == {"clear", "pop", "popitem", "setdefault", "update"}


def test_a_frozen_mapping_is_an_ordinary_dict_to_readers() -> None:
    mapping = FrozenMapping({"a": 1}, b=2)
    assert isinstance(mapping, dict)
    assert EMPTY == {}
    assert json.dumps(mapping) == '{"a": 1, "b": 2}'
    assert {**mapping, "c": 3} == {"a": 1, "b": 2, "c": 3}
    assert type(mapping | {"c": 3}) is dict
    assert repr(mapping) == "{'a': 1, 'b': 2}"


def test_a_frozen_mapping_has_the_hash_of_its_items() -> None:
    assert hash(FrozenMapping(a=1, b=2)) == hash(FrozenMapping(b=2, a=1))
    assert hash(EMPTY) == hash(FrozenMapping())
    with pytest.raises(TypeError):
        hash(FrozenMapping(a=Unhashable()))


def copies(value: object) -> Iterator[object]:
    yield copy.copy(value)
    yield copy.deepcopy(value)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(value, protocol))


def test_frozen_mappings_are_copied_and_pickled() -> None:
    mapping = FrozenMapping(a=[{"b": 1}])
    for copied in copies(mapping):
        assert copied == mapping
        assert type(copied) is FrozenMapping
    for copied in copies(Holder(mapping)):
        assert copied == Holder(mapping)


def test_frozen_data_has_nothing_that_changes_inside() -> None:
    data = {"list": [1, {"deep": [2]}], "set": {3}, "tuple": ([4],), "none": None}
    kept = frozen(data)
    assert kept == {"list": [1, {"deep": [2]}], "set": frozenset({3}), "tuple": ([4],), "none": None}
    assert type(kept["list"][1]) is FrozenMapping
    hash(kept)
    data["list"] = []
    assert kept["list"]


def test_a_frozen_mapping_freezes_what_it_is_made_of() -> None:
    assert FrozenMapping({"a": [1]}) == {"a": [1]}


LIST_CHANGES: dict[str, Callable[[Any], object]] = {
    "item": lambda items: items.__setitem__(0, 2),
    "slice": lambda items: items.__setitem__(slice(0, 1), [2]),
    "del": lambda items: items.__delitem__(0),
    "+=": lambda items: items.__iadd__([2]),
    "*=": lambda items: items.__imul__(2),
    "append": lambda items: items.append(2),
    "clear": lambda items: items.clear(),
    "extend": lambda items: items.extend([2]),
    "insert": lambda items: items.insert(0, 2),
    "pop": lambda items: items.pop(),
    "remove": lambda items: items.remove(1),
    "reverse": lambda items: items.reverse(),
    "sort": lambda items: items.sort(),
}


@pytest.mark.parametrize("change", LIST_CHANGES)
def test_a_frozen_list_never_changes(change: str) -> None:
    items = frozen([1, {"a": [1]}])
    with pytest.raises(TypeError):
        LIST_CHANGES[change](items)
    with pytest.raises(TypeError):
        LIST_CHANGES[change](items[1]["a"])
    assert items == [1, {"a": [1]}]


def test_each_way_to_change_a_list_is_refused() -> None:
    methods = {name for name in vars(list) if not name.startswith("_")}
    assert methods - {"copy", "count", "index"} == set(LIST_CHANGES) - {"item", "slice", "del", "+=", "*="}


def test_a_frozen_list_is_an_ordinary_list_to_readers() -> None:
    items = FrozenList([1, [2]])
    assert isinstance(items, list)
    assert json.dumps(items) == "[1, [2]]"
    assert type(items + [3]) is list  # noqa: RUF005  # what authors write
    assert type(items[:1]) is list
    for copied in copies(items):
        assert copied == items
        assert type(copied) is FrozenList


@pytest.mark.parametrize(
    "value", ["text", 1, None, True, (), (1, ("a",)), frozenset({1}), frozen({"a": [{"b": 1}]}), Point(1), (EMPTY,)]
)
def test_what_is_frozen_already_is_not_copied(value: object) -> None:
    assert frozen(value) is value


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")], ids=["lists", "objects"])
def test_data_nested_300_levels_deep_can_be_frozen(opening: str, closing: str) -> None:
    assert frozen(json.loads(opening * 300 + "1" + closing * 300))


def test_a_diagnostic_as_json_has_the_documented_keys() -> None:
    told = Diagnostic("a-code", "error", "message", "p", 1, 2, "hint", "about").as_json()
    assert list(told) == ["code", "severity", "message", "path", "line", "column", "hint"]


def test_a_class_with_many_values_makes_them_as_before() -> None:
    """After the first ones, its `__init__` is compiled."""

    class Base(Value):
        x: int
        y: int = 0

    class More(Base):
        name: str = ""

    class Checked(Value):
        x: int

        def __init__(self, x: int) -> None:
            super().__init__(x + 1)  # type: ignore[call-arg]

    class Later(Checked):
        pass

    for number in range(200):
        assert Base(number).as_tuple() == (number, 0)
        assert Base(x=number, y=1).as_tuple() == Base(number, 1).as_tuple() == (number, 1)
        assert More(number, name="n").as_tuple() == (number, 0, "n")
        assert Base(number).replace(y=3).y == 3
        assert Checked(number).x == Later(number).x == number + 1
        for wrong in ((), (1, 2, 3)):
            with pytest.raises(TypeError):
                Base(*wrong)
        with pytest.raises(TypeError):
            Base(1, z=2)  # type: ignore[call-arg]

    class After(Base):
        z: int = 4

    assert After(1).as_tuple() == (1, 0, 4)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/home/me/work/a.md", "a.md"),
        ("/home/me/work", "."),
        ("/home/me/.gemini", "~/.gemini"),
        ("/home/me", "~"),
        ("/home/meme/x", "/home/meme/x"),
        ("/home/me/workshop", "~/workshop"),
    ],
)
@pytest.mark.skipif(os.sep != "/", reason="paths as POSIX writes them")
def test_paths_are_shown_short(path: str, shown: str) -> None:
    assert Places("/home/me", "/home/me/work").shown(path) == shown


@pytest.mark.skipif(os.sep != "/", reason="paths as POSIX writes them")
def test_paths_are_read_as_users_write_them() -> None:
    places = Places("/home/me", "/home/me/work")
    assert places.absolute("~/x") == "/home/me/x"
    assert places.absolute("./x/../y") == "/home/me/work/y"
    assert Places("/h", "/h/w", {"PI_CODING_AGENT_DIR": "~/moved"}).agent_dir == "/h/moved"
    assert list(Places("/home/me", "/home/me/a/b").ancestors()) == ["/home/me/a/b", "/home/me/a", "/home/me"]


def test_control_characters_are_made_visible() -> None:
    assert visible("a\x1b[31mb\nc\u202e") == "a\\x1b[31mb\\nc\\u202e"


def test_wide_characters_are_counted_as_they_are_drawn() -> None:
    assert list(table([["日本", "x"], ["a", "y"]])) == ["日本  x", "a     y"]
