"""Strict JSON is what JavaScript's `JSON.parse` reads, and every refusal says what to change and where."""

from __future__ import annotations

import inspect
import json as standard
import random
import shutil
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from pisces.formats import json
from pisces.formats.malformed import Malformed

FAULTS = [
    ("", "the text is empty", 1, 1),
    (" \n ", "the text is empty", 2, 2),
    ('{"a": 1,}', "trailing comma before `}`", 1, 8),
    ("[1,\n  2,\n]", "trailing comma before `]`", 2, 4),
    ('{\r\n  "a": 1,\r\n}\r\n', "trailing comma before `}`", 2, 9),
    ('{"a": 1 // why\n}', "comments are not allowed in JSON", 1, 9),
    ("/* why */ {}", "comments are not allowed in JSON", 1, 1),
    ("# why\n{}", "comments are not allowed in JSON", 1, 1),
    ("{'a': 1}", "single quotes: JSON wants double quotes", 1, 2),
    ("{“a”: 1}", "curly quotes: JSON wants straight double quotes", 1, 2),
    ('{"a": 1\n "b": 2}', 'missing comma before `"b"`', 2, 2),
    ("[1 2]", "missing comma before `2`", 1, 4),
    ('{"a" 1}', "missing `:` before `1`", 1, 6),
    ("\ufeff{}", "byte order mark at the start: save the file as UTF-8 without it", 1, 1),
    ("{a: 1}", "keys are written in double quotes, `a` is not", 1, 2),
    ('{"a": yes}', "text is written in double quotes, `yes` is not", 1, 7),
    ("[NaN]", "`NaN` is not allowed in JSON", 1, 2),
    ('["NaN", -Infinity]', "`-Infinity` is not allowed in JSON", 1, 9),
    ("[True]", "`True` is not JSON: write `true`", 1, 2),
    ("[01]", "`01` is not a number in JSON", 1, 2),
    ("[+1]", "`+1` is not a number in JSON", 1, 2),
    ("[.5]", "`.5` is not a number in JSON", 1, 2),
    ('["a\nb"]', "the string is not closed on its line", 1, 2),
    ('["C:\\dir"]', "`\\d` is not an escape in JSON: a backslash itself is written `\\\\`", 1, 5),
    ('["\\u12"]', "`\\u` needs four hexadecimal digits", 1, 3),
    ('["a\tb"]', "the string contains the control character U+0009: write it as `\\u0009`", 1, 4),
    ("[1,\u00a02]", "invisible character U+00A0: delete it or write a plain space", 1, 4),
    ('{"a": [1}', "`}` does not close the `[` of line 1", 1, 9),
    ('{\n"a": [1', "the text ends, but the `[` of line 2 is not closed", 2, 8),
    ("{} {}", "unexpected `{` after the end of the value", 1, 4),
    ("[,]", "expected a value, found `,`", 1, 2),
    ("{,}", "expected a key, found `,`", 1, 2),
]


@pytest.mark.parametrize(("text", "message", "line", "column"), FAULTS)
def test_a_fault_is_named_at_its_exact_place(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(Malformed) as caught:
        json.parse(text)
    assert (caught.value.message, caught.value.line, caught.value.column) == (message, line, column)


def test_of_two_equal_keys_the_last_wins() -> None:
    assert json.parse('{"a": 1, "a": 2}') == {"a": 2}


def test_an_integer_of_thousands_of_digits_becomes_a_float() -> None:
    assert json.parse("[" + "1" * 5000 + ", 7]") == [float("inf"), 7]


def test_a_fault_after_an_integer_of_thousands_of_digits_is_still_malformed() -> None:
    with pytest.raises(Malformed, match="NaN"):
        json.parse("[" + "1" * 5000 + ", NaN]")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("depth", [10_000, 1_000_000])
@pytest.mark.parametrize("closed", [True, False])
def test_nesting_beyond_the_limit_is_malformed(opening: str, depth: int, closed: bool) -> None:
    closing = {"[": "]", "{": "}"}[opening[0]]
    with pytest.raises(Malformed, match="nested more than 500 levels deep"):
        json.parse(opening * depth + ("1" + closing * depth if closed else ""))


def test_nesting_up_to_the_limit_is_read_and_brackets_in_strings_do_not_count() -> None:
    assert json.parse("[" * json.DEEPEST + "]" * json.DEEPEST)
    assert json.parse('"' + "[" * 10_000 + '"') == "[" * 10_000
    assert json.parse("[" + "[]," * 10_000 + "[]]")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="C and Python frames are counted apart since 3.12")
def test_a_caller_that_is_deep_in_the_stack_gets_malformed_and_no_crash() -> None:
    def descend(left: int) -> object:
        return json.parse("[" * 400 + "]" * 400) if left == 0 else descend(left - 1)

    used = len(inspect.stack(0))
    with pytest.raises(Malformed, match="levels deep"):
        descend(sys.getrecursionlimit() - used - 120)


@given(st.text())
def test_arbitrary_text_is_read_or_malformed(text: str) -> None:
    try:
        json.parse(text)
    except Malformed as fault:
        line, column = fault.line, fault.column
    else:
        line = column = 1
    assert 1 <= line <= text.count("\n") + 1
    assert 1 <= column <= len(text) + 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    )
)
def test_what_the_standard_library_writes_is_read_back(value: object) -> None:
    assert json.parse(standard.dumps(value)) == value


PIECES = [
    "{", "}", "[", "]", ",", ":", '"a"', '"b"', "1", "-0", "1.5e3", "01", "1.", "true", "null", "NaN", "'a'", " ",
    "\n", "\r\n", "\t", "\\", '"\\u00e9"', '"\\x"', '"', "//", "/*", "*/", "\ufeff", "\xa0", "\x00", "é", '"\x1f"',
    "+1", "\ud800", '"\\ud800"', "١",
]  # fmt: skip
SEEDS = ['{"a": [1, 2.5, {"b": null}], "c": "x\\n"}', "[[], {}, [1]]", '"text"', "{}"]


def some_texts(count: int) -> list[str]:
    chance = random.Random(7)
    texts = []
    for _ in range(count):
        text = chance.choice(SEEDS) if chance.random() < 0.7 else "".join(chance.choices(PIECES, k=chance.randrange(6)))
        for _ in range(chance.randrange(3)):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice([*PIECES, ""]) + text[at + chance.randrange(2) :]
        texts.append(text)
    return texts


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_json_is_read_as_node_reads_it() -> None:
    script = """
    const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    const read = (text) => { try { return { value: JSON.parse(text) }; } catch { return null; } };
    process.stdout.write(JSON.stringify(texts.map(read)));
    """
    texts = some_texts(4000)
    done = subprocess.run(
        ["node", "-e", script], input=standard.dumps(texts), capture_output=True, text=True, check=True, timeout=60
    )
    for text, theirs in zip(texts, standard.loads(done.stdout), strict=True):
        try:
            ours = {"value": json.parse(text)}
        except Malformed:
            ours = None
        assert ours == theirs, text


def test_a_mistake_is_found_without_the_json_module() -> None:
    """Python 3.11's scanner raises SystemError there: the listing path never loads `json`."""
    code = (
        "import sys; from pisces.formats.json import parse; from pisces.formats.malformed import Malformed\n"
        "assert 'json' not in sys.modules\n"
        "try: parse('{\"a\": 1,}')\n"
        "except Malformed as error: print(error.line, error.column)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.stdout == "1 8\n", done.stderr
