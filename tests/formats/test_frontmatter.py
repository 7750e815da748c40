"""How a Markdown file falls into header and body, and what is read from a header that is not YAML."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from pisces.formats.frontmatter import Frontmatter, simple_fields, split

# Gemini's expression; `\A` because JavaScript's `^` without the m flag is the start of the text only.
_GEMINI = re.compile(r"\A---\r?\n([\s\S]*?)\r?\n---(?:\r?\n([\s\S]*))?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nname: a\n---\nbody\n", Frontmatter("name: a", "body\n", 2)),
        ("---\r\nname: a\r\n---\r\nbody", Frontmatter("name: a", "body", 2)),
        ("---\nname: a\n---", Frontmatter("name: a", "", 2)),
        ("---\n\n---\nbody", Frontmatter("", "body", 2)),
        ("---\n---\nbody", None),
        ("---\n---\n---\n", Frontmatter("---", "", 2)),
        ("---\nname: a\n--- trailing\nbody", Frontmatter("name: a", "", 2)),
        ("---\nname: a\n----\nbody", Frontmatter("name: a", "", 2)),
        ("\n---\nname: a\n---\n", None),
        ("\ufeff---\nname: a\n---\n", None),
        ("--- \nname: a\n---\n", None),
        ("---\nname: a", None),
        ("", None),
    ],
)
def test_a_text_is_split_like_this(text: str, expected: Frontmatter | None) -> None:
    assert split(text) == expected


@given(st.lists(st.sampled_from(["---", "-", "\n", "\r", "\r\n", "a", " ", "b: c", "---\n"]), max_size=12).map("".join))
def test_splitting_is_what_the_regular_expression_of_gemini_does(rest: str) -> None:
    for text in (rest, "---\n" + rest, "---\r\n" + rest):
        found = _GEMINI.match(text)
        expected = None if found is None else (found[1], found[2] or "")
        ours = split(text)
        assert (None if ours is None else (ours.header, ours.body)) == expected


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        ("name: a\ndescription: it says: this", {"name": "a", "description": "it says: this"}),
        ("name:a\ndescription:b", {"name": "a", "description": "b"}),
        ("  name:   a  \n\tdescription: b", {"name": "a", "description": "b"}),
        ("name: a\nname: b", {"name": "b"}),
        ("description: >\n  one\n  two\n\n  three", {"description": "> one two"}),
        ("description:\n  one\n\ttwo\nname: x", {"description": "one two", "name": "x"}),
        ("description: a\n  name: x", {"description": "a name: x"}),
        ("name:\ndescription:", {"name": "", "description": ""}),
        ("name: \"quoted\"\r\ndescription: 'q'\r\n", {"name": '"quoted"', "description": "'q'"}),
        ("Name: a\nmy-name: b\nname : c", {}),
        ("name: a\rb", {}),
        ("name: \u00a0a\ufeff", {"name": "a"}),
        ("name: \x1fa\x85", {"name": "\x1fa\x85"}),
        ("description: a\n \u3000\n  b", {"description": "a"}),
        ("", {}),
    ],
)
def test_the_second_attempt_reads_name_and_description_by_line(header: str, fields: dict[str, str]) -> None:
    assert simple_fields(header) == fields
