"""What the shortcut reads, the full reader reads in the same way; where it is not sure, it says nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from pisces.formats.malformed import Malformed
from pisces.formats.toml import TomlReader
from pisces.formats.toml_plain import plain_pairs

PIECES = [
    "a",
    "b-1",
    " = ",
    "=",
    '"',
    '""',
    '"""',
    "x",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\\",
    "#",
    "'",
    "[a]",
    "é",
    "\0",
    "\x7f",
    "\ufeff",
]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ('a = "x"', {"a": "x"}),
        ('a="x"\nb = ""\n', {"a": "x", "b": ""}),
        ('a = "x"  \r\n\n  \nb = """\none "two" three\n"""\n', {"a": "x", "b": 'one "two" three\n'}),
        ('a = """\r\nx\r\n"""', {"a": "x\r\n"}),
        ('a = """"""\n', {"a": ""}),
    ],
)
def test_texts_one_below_the_other_are_read(text: str, values: dict[str, str]) -> None:
    assert plain_pairs(text) == values == TomlReader(text).document()


@pytest.mark.parametrize(
    "text",
    [
        *(
            'a = "x" # note',
            '# note\na = "x"',
            "a = 'x'",
            "a = 1",
            '[t]\na = "x"',
            'a.b = "x"',
            '"a" = "x"',
            '\na = "x"',
        ),
        *(
            'a = "\\n"',
            'a = """\\n"""',
            'a = "x"\na = "y"',
            'a = "x" b = "y"',
            'a = "x',
            'a = """x',
            'a = "\0"',
            'a = """\0"""',
        ),
        'a = """x""""',
    ],
)
def test_everything_else_is_left_to_the_full_reader(text: str) -> None:
    assert plain_pairs(text) is None


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.booleans())
def test_what_is_read_is_what_the_full_reader_reads(text: str, is_behind: bool) -> None:
    text = f'k = "v"\nlong = """{text}' if is_behind else text
    plain = plain_pairs(text)
    if plain is None:
        return
    try:
        whole = TomlReader(text).document()
    except Malformed as error:
        pytest.fail(f"{text!r} is refused: {error.message}")
    assert plain == whole
