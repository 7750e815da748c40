"""What counts as a difference between a program and `pisces list`, and that a seed always writes the same workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.workspaces.comparison import differences
from tests.conformance.workspaces.generate import WRITERS
from tests.conformance.workspaces.workspace import Item, Verdict

KINDS = ("skills",)


def lines(theirs: list[Item], ours: list[Item]) -> list[str]:
    return [*differences({"skills": theirs}, {"skills": ours}, KINDS)]


def test_the_same_items_with_the_same_states_agree() -> None:
    items: list[Item] = [("a", "/x/a", "active"), ("b", "/x/b", "off"), ("c", "/x/c", "waiting")]
    assert lines(items, items) == []


def test_what_only_one_of_them_loads_is_a_difference() -> None:
    assert lines([("a", "/x/a", "active")], []) == ["skills a (/x/a): loaded, pisces says nothing"]
    assert lines([], [("a", "/x/a", "active")]) == ["skills a (/x/a): not loaded, pisces says active"]
    shadowed = lines([("a", "/x/a", "active")], [("a", "/x/a", "shadowed"), ("a", "/y/a", "active")])
    assert shadowed == [
        "skills a (/x/a): loaded, pisces says shadowed",
        "skills a (/y/a): not loaded, pisces says active",
    ]


def test_what_is_off_or_waiting_must_be_listed_as_that() -> None:
    assert lines([("a", "/x/a", "off")], [("a", "/x/a", "active")]) == ["skills a (/x/a): off, pisces says active"]
    assert lines([("a", None, "waiting")], []) == ["skills a: waiting, pisces says nothing"]


def test_where_the_program_does_not_say_why_any_other_state_will_do() -> None:
    assert lines([("a", None, "inactive")], [("a", "/x/a", "untrusted")]) == []
    assert lines([("a", None, "inactive")], [("a", "/x/a", "active")]) == [
        "skills a (/x/a): not loaded, pisces says active"
    ]


def test_two_items_of_one_name_are_two() -> None:
    twice: list[Item] = [("a", None, "active"), ("a", None, "active")]
    assert lines(twice, [("a", "/x/a", "active")]) == ["skills a: loaded, pisces says active"]


def test_a_program_that_refuses_to_start_loads_nothing() -> None:
    refused: Verdict = {"refused": [("broken settings", None, "refused")]}
    assert [*differences(refused, {"skills": [("a", "/x/a", "refused")]}, KINDS)] == []
    assert [*differences(refused, {"skills": [("a", "/x/a", "active")]}, KINDS)] == [
        "refuses to start (broken settings), pisces lists as active: skills a"
    ]


def test_kinds_that_a_program_says_nothing_about_are_not_compared() -> None:
    assert [*differences({}, {"skills": [("a", "/x/a", "active")]}, KINDS)] == []


@pytest.mark.parametrize("program", WRITERS)
def test_a_seed_writes_the_same_workspace_again(tmp_path: Path, program: str) -> None:
    one, other = (WRITERS[program](7, tmp_path / name) for name in ("one", "two"))

    def files(root: Path) -> dict[str, str]:
        found = (path for path in root.rglob("*") if path.is_file())
        return {str(path.relative_to(root)): path.read_text("utf-8").replace(str(root), "") for path in found}

    assert files(one.home.parent) == files(other.home.parent) != {}
    assert one.traits == other.traits
