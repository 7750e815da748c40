"""TOML 1.0 is read by the standard library; its refusals get a line and a column."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pisces.formats.malformed import Malformed
from pisces.formats.toml_current import parse


def test_lists_may_mix_types() -> None:
    assert parse('a = [1, "x"]') == {"a": [1, "x"]}


@pytest.mark.parametrize(
    ("text", "line", "column"), [("a = 1\nb = \n", 2, 5), ("a = [1", 1, 7), ("[x\n", 1, 3), ("a = '", 1, 6)]
)
def test_a_refusal_has_a_place(text: str, line: int, column: int) -> None:
    with pytest.raises(Malformed) as refusal:
        parse(text)
    assert (refusal.value.line, refusal.value.column) == (line, column)


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(Malformed):
        parse("a = " + "[" * 100_000)


@given(st.text())
def test_nothing_but_malformed_is_raised(text: str) -> None:
    with contextlib.suppress(Malformed):
        parse(text)
