"""TOML 0.5 in Gemini's dialect: what loads, what does not, and what the author is told."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib

import pytest
from hypothesis import given, strategies as st
from tests.growth import LINEAR, growth

from pisces.formats import toml_current
from pisces.formats.malformed import Malformed
from pisces.formats.toml import DEEPEST, Moment, parse


def test_a_command_file_is_read() -> None:
    text = 'description = "Say it" # short\nprompt = """\nHello {{args}}\n"quoted" \\\n   joined\n"""\n'
    assert parse(text) == {"description": "Say it", "prompt": 'Hello {{args}}\n"quoted" joined\n'}


def test_a_policy_file_is_read() -> None:
    text = '[[rule]]\ntoolName = ["a", "b"]\npriority = 1_00\n'
    text += "[[rule]]\nmodes.deep = { x = 1, y.z = 0x1F }\n[rule.more]\nf = -1.5e3\n"
    assert parse(text) == {
        "rule": [
            {"toolName": ["a", "b"], "priority": 100},
            {"modes": {"deep": {"x": 1, "y": {"z": 31}}}, "more": {"f": -1500.0}},
        ]
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a = """x\r\ny"""', {"a": "x\r\ny"}),
        ("a = '''\r\nx\ry'''", {"a": "x\ry"}),
        ("a = 1\r", {"a": 1}),
        ("# \x01 \x7f\na = 1", {"a": 1}),
        ("a.b = 1\n[a]\nc = 2", {"a": {"b": 1, "c": 2}}),
        ("a = {b = 1, }", {"a": {"b": 1}}),
        ("a = [1.]", {"a": [1.0]}),
    ],
)
def test_what_gemini_reads_and_tomllib_does_not_read_like_that_is_read_like_gemini(text: str, value: object) -> None:
    assert parse(text) == value


def test_a_date_keeps_its_text() -> None:
    assert parse("a = 1979-05-27T07:32:00Z\nb = 1979-02-30") == {
        "a": Moment("1979-05-27T07:32:00Z"),
        "b": Moment("1979-02-30"),
    }


def test_an_integer_of_thousands_of_digits_becomes_a_float() -> None:
    assert parse("a = " + "9" * 5000) == {"a": float("inf")}


FAULTS = [
    ("\ufeffa = 1", "byte order mark at the start: save the file as UTF-8 without it", 1, 1),
    ("a = Hello there", "text is written in quotes, `Hello` is not", 1, 5),
    ("a = True", "`True` is not TOML: write `true`", 1, 5),
    ("a = 01", "unexpected `1`: the line should end here", 1, 6),
    ("a = .5", "`.5` is not a number or a date in TOML", 1, 5),
    ("a =", "the value is missing", 1, 4),
    ("a: 1", "expected `=` after the key `a`", 1, 2),
    ("= 1", "expected a key, found `=`", 1, 1),
    ('a = 1\nb = "x\ny"', 'the text is not closed on its line: longer text is written between `"""`', 2, 5),
    ('a = "C:\\dir"', "`\\d` is not an escape in TOML: write `\\\\d`, or put the text in single quotes", 1, 8),
    ('a = """\nx\\ y"""', "a backslash before a space: it may only end its line", 2, 2),
    ('a = "\\u12"', "`\\u` needs 4 hexadecimal digits", 1, 6),
    ('a = "\\uD800"', "there is no character U+D800", 1, 6),
    ("a = 'x\x01'", "control character U+0001 inside text: write it as `\\u0001`", 1, 7),
    ('a = """\nx\x00"""', "control character U+0000 inside text: write it as `\\u0000`", 2, 2),
    ('\na = """x', 'the text is not closed with `"""`', 2, 5),
    ("a = '''x", "the text is not closed with `'''`", 1, 5),
    ('a = """x""""', 'unexpected `"`: the line should end here', 1, 12),
    ("a = 1\nb = 2\na = 3", "`a` is already defined", 3, 1),
    ("[a]\n[b]\n[a]", "`a` is already defined", 3, 2),
    ("[a]\n[[a]]", "`a` is already defined, and not as a list of tables", 2, 3),
    ("a = {}\n[x]\n[a.b]", "`a` already has a value, so it cannot be a table", 3, 2),
    ("[a]\nb = {}\nb.c = 1", "`b` is already defined", 3, 1),
    ("[a", "the table name should be closed with `]`", 1, 3),
    ('a = [1, "x"]', "a list holds one kind of value, not both integer and text", 1, 9),
    ("a = [1, 2.0]", "a list holds one kind of value, not both integer and float", 1, 9),
    ("a = [1 2]", "missing comma", 1, 8),
    ("a = [1,\n2\n", "the list is not closed", 1, 5),
    ("a = {b = 1\n}", "an inline table has to be closed on the line where it starts", 1, 5),
    ("a = {b = 1 c = 2}", "missing comma", 1, 12),
    ("a = 1 b = 2", "unexpected `b`: the line should end here", 1, 7),
]


@pytest.mark.parametrize(("text", "message", "line", "column"), FAULTS)
def test_a_fault_is_named_at_its_exact_place(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(Malformed) as caught:
        parse(text)
    assert (caught.value.message, caught.value.line, caught.value.column) == (message, line, column)


@pytest.mark.parametrize("depth", [DEEPEST + 1, 10_000, 1_000_000])
@pytest.mark.parametrize("shape", ["list", "table", "key", "header"])
def test_nesting_beyond_the_limit_is_malformed(shape: str, depth: int) -> None:
    text = {
        "list": lambda: "a = " + "[" * depth + "]" * depth,
        "table": lambda: "a = " + "{a = " * depth + "1" + "}" * depth,
        "key": lambda: "a." * depth + "a = 1",
        "header": lambda: "[" + "a." * depth + "a]",
    }[shape]()
    with pytest.raises(Malformed, match="nested more than 100 levels deep"):
        parse(text)


def test_nesting_up_to_the_limit_is_read() -> None:
    depth = DEEPEST - 1
    assert parse("a = " + "[" * depth + "]" * depth)
    assert parse("[" + "a." * depth + "a]")


def _long_texts(size: int) -> None:
    for text in (
        "[" + ".".join("a" * 100) + "]\n" + "".join(f"[{'a.' * 90}b{n}]\n" for n in range(size // 40)),
        'a = """' + '\\"' * size,
        "a = '" + "x" * size * 5,
        "[[a]]\n" * size,
        "a = [" + "1," * size * 5 + "]",
        "a" * size * 5,
        "a = 1" + "_1" * size,
        "a = 1" + "_1" * size + "_",
        "\n" * size * 5 + "# x\n" * size * 5,
    ):
        try:
            parse(text)
        except Malformed:
            continue


def test_long_texts_take_linear_time() -> None:
    assert growth(_long_texts, 5_000) < LINEAR


@given(st.text())
def test_arbitrary_text_is_read_or_malformed(text: str) -> None:
    try:
        parse(text)
    except Malformed as fault:
        line, column = fault.line, fault.column
    else:
        line = column = 1
    assert 1 <= line <= text.count("\n") + 1
    assert 1 <= column <= len(text) + 1


@given(
    st.lists(
        st.sampled_from([*"ab=.[]{}\"'\\#,-_:+0123456789TZ \t\n\r", '"""', "'''", "a=", "\\u", "inf"]), max_size=40
    ).map("".join)
)
def test_text_that_looks_like_toml_is_read_or_malformed(text: str) -> None:
    try:
        parse(text)
    except Malformed:
        return


plain = st.characters(exclude_categories=["Cs", "Cc"])


@given(
    st.dictionaries(st.from_regex(r"[A-Za-z0-9_-]+", fullmatch=True), st.text(plain) | st.integers() | st.booleans())
)
def test_plain_documents_are_read_as_tomllib_reads_them(value: dict[str, str | int | bool]) -> None:
    quoted = {
        key: '"""' + item.replace("\\", "\\\\").replace('"', '\\"') + '"""'
        for key, item in value.items()
        if isinstance(item, str)
    }
    text = "\n".join(f"{key} = {quoted.get(key, str(item).lower())}" for key, item in value.items())
    assert parse(text) == value == tomllib.loads(text)


def test_reading_toml_imports_neither_typing_nor_datetime() -> None:
    code = "import sys, pisces.formats.toml as t; t.parse('a = 1979-05-27'); print(*sys.modules)"
    environment = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert not {"typing", "datetime", "tomllib"} & set(done.stdout.split())


@pytest.mark.parametrize("text", ["a." * 2000 + "a = 1", '"a" . ' * 2000 + "b = 1", "x = {" + "a." * 2000 + "b = 1}"])
def test_a_key_of_endless_parts_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match="too many parts"):
        toml_current.parse(text)
