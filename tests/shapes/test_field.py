"""Typed views of fields as found: the first usable spelling counts, and a wrong type reads as absent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pisces.shapes.field import Flag, Number, Several, Table, Text, Texts, WordList, words_of
from pisces.value import Value


class Thing(Value):
    fields: Mapping[str, Any]

    text = Text("text", "old-text")
    number = Number("number", "old-number")
    flag = Flag("flag", "old-flag")
    words = WordList("words", "old-words")
    texts = Texts("texts", "old-texts")
    several = Several("several", "old-several")
    table = Table("table", "old-table")


EMPTY: dict[str, Any] = {
    "text": "",
    "number": None,
    "flag": None,
    "words": None,
    "texts": None,
    "several": None,
    "table": {},
}


@pytest.mark.parametrize(
    ("name", "found", "read"),
    [
        ("text", " as it is ", " as it is "),
        ("text", 5, "5"),
        ("text", 1.5, "1.5"),
        ("number", 0, 0),
        ("number", 2.5, 2.5),
        ("flag", True, True),
        ("flag", False, False),
        ("flag", " True ", True),
        ("flag", "false", False),
        ("words", ["Read", 1], ("Read", "1")),
        ("words", "Read, Grep", ("Read", "Grep")),
        ("words", "", ()),
        ("texts", ["a b", 1], ("a b", "1")),
        ("texts", [], ()),
        ("several", "git push", ("git push",)),
        ("several", ["git push", "rm"], ("git push", "rm")),
        ("table", {"a": [1]}, {"a": [1]}),
    ],
)
def test_a_field_is_read_under_each_of_its_spellings(name: str, found: object, read: object) -> None:
    assert getattr(Thing({name: found}), name) == read
    assert getattr(Thing({f"old-{name}": found}), name) == read


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("text", True),
        ("text", ["a"]),
        ("text", None),
        ("number", "5"),
        ("number", True),
        ("flag", 1),
        ("flag", "yes"),
        ("words", {"a": 1}),
        ("words", 5),
        ("texts", "a"),
        ("several", {"a": 1}),
        ("table", ["a"]),
        ("table", "a"),
    ],
)
def test_a_value_of_the_wrong_type_reads_as_absent_and_is_kept(name: str, found: object) -> None:
    thing = Thing({name: found})
    assert getattr(thing, name) == EMPTY[name]
    assert thing.fields == {name: found}


@pytest.mark.parametrize("name", EMPTY)
def test_an_absent_field_has_a_value_that_says_so(name: str) -> None:
    assert getattr(Thing({}), name) == EMPTY[name]


def test_the_first_usable_spelling_counts() -> None:
    assert Thing({"old-text": "old", "text": "new"}).text == "new"
    assert Thing({"text": "", "old-text": "old"}).text == "old"
    assert Thing({"text": ["no text"], "old-text": "old"}).text == "old"
    assert Thing({"number": "5", "old-number": 6}).number == 6
    assert Thing({"table": "x", "old-table": {"a": 1}}).table == {"a": 1}
    assert Thing({"flag": False, "old-flag": True}).flag is False


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Read, Grep,Glob", ("Read", "Grep", "Glob")),
        ("Read Grep\tGlob", ("Read", "Grep", "Glob")),
        ("Bash(git add:*), Bash(git commit -m *)", ("Bash(git add:*)", "Bash(git commit -m *)")),
        ("Agent(a, b) Read", ("Agent(a, b)", "Read")),
        ("Bash(a(b, c), d), Read", ("Bash(a(b, c), d)", "Read")),
        ("Read), Grep(x)", ("Read)", "Grep(x)")),
        ("Bash(git add", ("Bash(git add",)),
        (" , ", ()),
    ],
)
def test_words_are_divided_outside_of_brackets_only(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words
