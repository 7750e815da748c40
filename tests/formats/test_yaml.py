"""What our YAML reader makes of a text, through its front door."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from pisces.formats.malformed import Malformed
from pisces.formats.yaml import Timestamp, parse, parse_in_full, place_of
from pisces.formats.yaml.quick import UNSURE, flat_mapping


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# only a comment\n", None),
        ("name: a skill\ndescription: does: nothing", Malformed),
        ("name: a skill\ndescription: 'does: nothing'", {"name": "a skill", "description": "does: nothing"}),
        ("a: b # comment\nc: d#e", {"a": "b", "c": "d#e"}),
        ("a:\n- b\n- c\nd: e", {"a": ["b", "c"], "d": "e"}),
        ("- a: 1\n  b: 2\n-\n- - x\n  - y", [{"a": 1, "b": 2}, None, ["x", "y"]]),
        ("a: [b, {c: d}, 'e', \"f\"]", {"a": ["b", {"c": "d"}, "e", "f"]}),
        ("[a: b, {c}]", [{"a": "b"}, {"c": None}]),
        ("a: one\n  two\n\n  three", {"a": "one two\nthree"}),
        ("a: 'one\n  two''s'", {"a": "one two's"}),
        ("a: 'one \t\n  two'", {"a": "one \t two"}),
        ('a: "one  \n  \n  two"', {"a": "one  \ntwo"}),
        ('a: "one\\\n  two\\t\\x41\\u00e9\\U0001F600"', {"a": "onetwo\tA\u00e9\U0001f600"}),
        ('"\\uD83D\\uDE00"', "\U0001f600"),
        ("a: |\n  one\n   two\n\nb: c", {"a": "one\n two\n", "b": "c"}),
        ("a: >-\n  one\n  two\n\n  three\n", {"a": "one two\nthree"}),
        ("a: |+\n  one\n\nb: >2-\n   two", {"a": "one\n\n", "b": " two"}),
        ("|-\none\n two", "one\n two\n"),
        (">\none\ntwo\n", "one two "),
        ("--- |\n  one\n", "one\n"),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
        ("a: 1\n&x b: 2", {"a": 1, "b": 2}),
        ("&x a: 1", Malformed),
        ("&x\na: 1", {"a": 1}),
        ("&x\n&y a", Malformed),
        ("? <<\n: {a: 1}", {"<<": {"a": 1}}),
        ("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3", {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 3}}),
        ("? a\n: b\n? c", {"a": "b", "c": None}),
        ("? [a, b]\n: c\n? {d: e}\n: f", {"a,b": "c", "[object Object]": "f"}),
        ("1: a\ntrue: b\nnull: c\n1.5: d\n1e21: e", {"1": "a", "true": "b", "null": "c", "1.5": "d", "1e+21": "e"}),
        ("%YAML 1.2\n---\na: b\n...\n", {"a": "b"}),
        ("\ufeffa: b\r\nc: d\r\n", {"a": "b", "c": "d"}),
        ("!!str 12", "12"),
        ("!!binary aGk=", b"hi"),
        ("!!set {a, b}", {"a": None, "b": None}),
    ],
)
def test_a_text_means_this(text: str, value: object) -> None:
    if value is Malformed:
        with pytest.raises(Malformed):
            parse(text)
    else:
        assert parse(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("~", None),
        ("Null", None),
        ("TRUE", True),
        ("yes", "yes"),
        ("017", 17),
        ("0o17", 15),
        ("-0x1F", -31),
        ("+0b11", 3),
        ("1_000", 1000),
        ("0x_fF", 255),
        ("1_0.5", 10.5),
        ("1_", "1_"),
        ("_1", "_1"),
        ("1.", 1.0),
        (".5e3", 500.0),
        ("-.5", "-.5"),
        ("-.INF", -math.inf),
        ("1e400", math.inf),
        ("12345678901234567890", 12345678901234567168),
        ("-" + "9" * 5000, -math.inf),
        ("0x" + "f" * 300, math.inf),
        ("2001-01-01", Timestamp("2001-01-01")),
        ("2001-1-1", "2001-1-1"),
        ("2001-1-1 1:00:00.5 +2:30", Timestamp("2001-1-1 1:00:00.5 +2:30")),
    ],
)
def test_a_plain_scalar_means_what_the_default_schema_says(text: str, value: object) -> None:
    assert parse(text) == value
    assert type(parse(text)) is type(value)


def test_a_timestamp_is_not_a_string_but_keeps_its_text() -> None:
    value = parse("2001-01-01")
    assert isinstance(value, Timestamp)
    assert not isinstance(value, str)
    assert value.text == "2001-01-01"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: 1\na: 2", 2, 1),
        ("a: b: c", 1, 5),
        ("a: 1\n\tb: 2", 2, 1),
        ("a: !foo x", 1, 4),
        ("a: *nobody", 1, 4),
        ("a: 1\n---\nb: 2", 2, 1),
        ("a: [1, 2", 2, 1),
        ("a: 'open\nb: c", 1, 4),
        ('a: "\\q"', 1, 5),
        ("a: b\n c: d", 2, 3),
        ("a: - b", 1, 4),
        ("a: @b", 1, 4),
        ("<<: 1", 1, 1),
        ("a: |- x", 1, 4),
        ("%YAML 2.0\n---\n", 1, 1),
        ("a: \x01", 1, 4),
        ("a: \0", 1, 4),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(Malformed) as problem:
        parse(text)
    assert (problem.value.line, problem.value.column) == (line, column)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{" * 100_000,
        "- " * 50_000,
        "? " * 50_000,
        '"\\x' * 30_000,
        "\n".join(" " * depth + "a:" for depth in range(2_000)),
        "'" * 100_001,
        '"' + " " * 100_000,
    ],
    ids=["lists", "mappings", "dashes", "question marks", "escapes", "indentation", "quotes", "an open quote"],
)
def test_hostile_text_is_refused_without_recursion(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text)


def test_aliases_share_what_they_stand_for_instead_of_copying_it() -> None:
    doubling = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    value = parse_in_full("\n".join(doubling))
    assert isinstance(value, dict)
    assert value["a59"][0] is value["a58"]


def test_an_alias_may_stand_for_what_it_is_in() -> None:
    value = parse_in_full("&a [*a]")
    assert isinstance(value, list)
    assert value[0] is value


def test_merging_is_bounded() -> None:
    wide = "a: &a {" + ", ".join(f"k{i}: 1" for i in range(1_000)) + "}\n"
    with pytest.raises(Malformed, match="too many keys"):
        parse(wide + "\n".join(f"b{i}: {{<<: *a}}" for i in range(11)))


_KEYS = st.sampled_from(["name", "description", "a-b", "_x", "null", "true", "n", "name"])
_VALUES = st.one_of(
    st.text(st.characters(codec=None), max_size=12),
    st.text("ab1 :#'\"-?[]{},&*!|>%@`\\~.<\t\r\n\x85\u2028\ufeff\ufffe\xa0", max_size=8),
    st.sampled_from(["true", "~", "1.5", "0x1F", "2001-01-01", "'a b'", '"a b"', "a: b", "- a", "plain text"]),
)


@given(
    st.lists(st.tuples(_KEYS, st.sampled_from([": ", ":", ":  "]), _VALUES), max_size=4), st.sampled_from(["", "\n"])
)
def test_the_shortcut_for_flat_headers_answers_as_the_full_reader(lines: list[tuple[str, str, str]], end: str) -> None:
    text = "\n".join(key + colon + value for key, colon, value in lines) + end
    quick = flat_mapping(text)
    if quick is not UNSURE:
        assert repr(quick) == repr(parse_in_full(text))


def test_the_shortcut_takes_the_usual_header() -> None:
    assert flat_mapping("name: a-skill\ndescription: Use it when (and only when) asked.\r\nversion: 1.0.0\n") == {
        "name": "a-skill",
        "description": "Use it when (and only when) asked.",
        "version": "1.0.0",
    }


@given(st.text("ab:-?#&*!|>'\"[]{},%\\ \n\t1~<.", max_size=40))
def test_any_text_is_read_or_refused_at_a_place_in_it(text: str) -> None:
    line, column = _place_of_refusal(text) or (1, 1)
    assert 1 <= line <= text.count("\n") + 2
    assert column >= 1


def _place_of_refusal(text: str) -> tuple[int, int] | None:
    try:
        parse(text)
    except Malformed as problem:
        return problem.line, problem.column
    return None


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (1, 1)),
        (("name",), (1, 1)),
        (("tools",), (2, 1)),
        (("tools", 1), (4, 3)),
        (("servers", "one", "args"), (8, 5)),
        (("servers", "one", "args", 1), (8, 15)),
        (("servers", "one", "args", 1, "b"), (8, 16)),
        (("copy", "command"), (7, 5)),
        (("missing",), (1, 1)),
        (("tools", 7), (2, 1)),
        (("name", "deeper"), (1, 1)),
    ],
)
def test_a_key_path_has_a_place(path: tuple[str | int, ...], place: tuple[int, int]) -> None:
    text = (
        "name: x\ntools:\n  - read\n  - write\n"
        "servers:\n  one: &one\n    command: node\n    args: [a, {b: c}]\n"
        "copy:\n  <<: *one\n"
    )
    assert place_of(text, path) == place


def test_a_malformed_text_has_no_places() -> None:
    assert place_of("a: [", ("a",)) == (1, 1)
    assert place_of("a: \0", ("a",)) == (1, 1)


def test_reading_yaml_imports_nothing_from_outside_and_no_typing() -> None:
    script = (
        "import sys; sys.path[:0] = " + repr(sys.path) + "\n"
        "before = set(sys.modules)\n"
        "from pisces.formats.yaml import parse\n"
        "parse('a: [1, 0x1F, \"b\"]')\n"
        "print([name for name in ('typing', 'dataclasses', 'pathlib', 'datetime', 'yaml')"
        " if name in sys.modules and name not in before])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def levels(first: str, level: str) -> str:
    """Seventeen values, each of which names the one before it as often as its level does."""
    names = "abcdefghijklmnopqr"
    return f"a: &a {first}\n" + "".join(
        f"{name}: &{name} {level.replace('*', '*' + before)}\n" for before, name in pairwise(names)
    )


@pytest.mark.parametrize(
    "text",
    [
        levels("[x]", "[*, *, *, *, *, *, *, *, *]"),
        levels("{k: x}", "{p: *, q: *, r: *}"),
        "a: &a [*a]\n",
        "a: &a {b: *a}\n",
        "k0: &k0 [x]\n" + "".join(f"k{n}: &k{n} [*k{n - 1}]\n" for n in range(1, 3000)),
        levels("x" * 90_000, "[*, *]"),
    ],
    ids=["lists", "mappings", "a list in itself", "a mapping in itself", "deep", "long texts"],
)
def test_aliases_that_stand_for_too_many_values_are_refused_with_a_place(text: str) -> None:
    with pytest.raises(Malformed, match="aliases of") as refused:
        parse(text)
    assert refused.value.line >= 1


def test_aliases_that_share_a_little_are_read() -> None:
    few = ["x", "y"]
    assert parse("a: &a [x, y]\nb: *a\nc: [*a, *a]\n") == {"a": few, "b": few, "c": [few, few]}
