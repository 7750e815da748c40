"""Values are immutable, comparable, printable and copied with changes; places know where they are."""

from __future__ import annotations

import os
import pickle

import pytest

from pisces.diagnostics import Diagnostic
from pisces.places import Places
from pisces.ui.screen import visible
from pisces.ui.table import table
from pisces.value import Value


class Point(Value):
    x: int
    y: int = 0


class Named(Point):
    name: str = ""


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


def test_a_diagnostic_as_json_has_the_documented_keys() -> None:
    told = Diagnostic("a-code", "error", "message", "p", 1, 2, "hint", "about").as_json()
    assert list(told) == ["code", "severity", "message", "path", "line", "column", "hint"]


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
