"""TOML 1.0 as the standard library reads it, which is loaded only where a file is not plain."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tomllib

import pytest
from hypothesis import given, strategies as st

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


_KEYS = ["a", "b", '"c d"', "'e'", "a.b", "é", '"x\\n"', '""', "a b"]
_VALUES = """1 -3 0 01 1_000 1__0 2.5 .5 1. +1 true True "x" 'y' "a\\"b" [1,"x"] [] [1,] [[1],[2]] {x=1} {} {x=1,}
    {x.y=1} {a=1,a=2} {a=[1,{b=2}]} 1979-05-27 inf 0x1 1e5 "unclosed [1 '#' "[x]" [1,,2] '''m'''""".split()
_HEADERS = ["[a]", "[b]", "[a.b]", '[a."c d"]', "[[a]]", "[[a.b]]", "[ a . b ]", "[a.]", "[[a]", "[a] x", "[b.a.c]"]
_OTHERS = ["", "# c", "  ", "x", "=", "[\n 1, # c\n 2 ]"]
_PAIRS = st.tuples(
    st.sampled_from(_KEYS), st.sampled_from(["=", " = "]), st.sampled_from(_VALUES), st.sampled_from(["", " # x"])
).map("".join)
_LINES = st.lists(st.one_of(_PAIRS, st.sampled_from(_HEADERS + _OTHERS)), max_size=5)


@given(_LINES, st.sampled_from(["\n", "\r\n"]))
def test_the_shortcut_answers_as_the_standard_library(lines: list[str], line_end: str) -> None:
    text = line_end.join(lines)
    try:
        expected: object = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(Malformed):
            parse(text)
        return
    assert repr(parse(text)) == repr(expected)


def test_a_plain_file_is_read_without_the_standard_library() -> None:
    program = (
        "import sys; from pisces.formats.toml_current import parse\n"
        'text = \'[a."b c"]\\nx = [1, 2.5, {y = "z"}] # why\\n[[d]]\\ne = true\\n[[d]]\\n\'\n'
        "print(parse(text), 'tomllib' in sys.modules, 're' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "{'a': {'b c': {'x': [1, 2.5, {'y': 'z'}]}}, 'd': [{'e': True}, {}]} False False\n"
