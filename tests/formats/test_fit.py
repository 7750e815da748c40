"""Every misfit is told, with the path that leads to it."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.formats.fit import FLAG, NUMBER, TEXT, WHOLE, Either, Listed, Mapped, Record, misfits, one_of

SERVER = Record({"command": TEXT}, {"args": Listed(TEXT), "env": Mapped(TEXT), "trust": FLAG}, closed=True)


def told(value: Any, shape: Any) -> list[tuple[tuple[str | int, ...], str]]:
    return [(each.path, each.message) for each in misfits(value, shape)]


def test_what_fits_has_no_misfit() -> None:
    assert told({"command": "x", "args": ["y"], "env": {"A": "b"}, "trust": True}, SERVER) == []


def test_all_misfits_are_told_not_only_the_first() -> None:
    value = {"args": ["y", 5], "env": {"A": None}, "trust": "yes", "extra": 1}
    assert told(value, SERVER) == [
        ((), "needs `command`"),
        (("args", 1), "must be text, not a number"),
        (("env", "A"), "must be text, not nothing"),
        (("trust",), "must be true or false, not text"),
        (("extra",), "unknown key `extra`"),
    ]


@pytest.mark.parametrize("value", [None, 5, "x", [1]])
def test_something_else_than_an_object_is_said(value: Any) -> None:
    assert told(value, SERVER)[0][1].startswith("must be an object, not ")


@pytest.mark.parametrize(
    ("value", "shape", "fits"),
    [(5, WHOLE, True), (5.0, WHOLE, True), (5.5, WHOLE, False), (True, NUMBER, False), (float("nan"), WHOLE, False)],
)
def test_numbers_are_numbers(value: Any, shape: Any, fits: bool) -> None:
    assert (told(value, shape) == []) is fits


def test_of_several_shapes_the_nearest_speaks() -> None:
    shape = Either((TEXT, Listed(TEXT)))
    assert told("x", shape) == []
    assert told(["x"], shape) == []
    assert told(["x", 5], shape) == [((1,), "must be text, not a number")]


def test_a_word_out_of_a_few() -> None:
    assert told("maybe", one_of("yes", "no")) == [((), "must be one of `yes`, `no`")]
