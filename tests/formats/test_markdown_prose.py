"""The prose of a Markdown text is found in time that grows with the text alone, whatever an author writes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.growth import LINEAR, growth

from pisces.formats.markdown_prose import paragraphs, without_comments

HOSTILE: dict[str, Callable[[int], str]] = {
    "backticks of every length": lambda n: " ".join("`" * length for length in range(n // 40)),
    "single backticks": lambda n: "` " * n,
    "unclosed comments": lambda n: "x <!-- " * n,
    "unclosed tags": lambda n: "<a " * n,
    "fences": lambda n: "```\n" * n,
    "items": lambda n: "- a\n" * n,
    "blank lines": lambda n: "\n    x\n" * n,
    "comment lines": lambda n: "<!--\n" * n,
    "closed comments": lambda n: "<!-- x -->\n" * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_with_the_text(name: str) -> None:
    make = HOSTILE[name]
    assert growth(lambda size: [*paragraphs(make(size))], 8_000) < LINEAR


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("a `b` c", ["a   c"]),
        ("one\ntwo\n\nthree", ["one\ntwo", "three"]),
        ("a\n```\nb\n```\nc", ["a", "c"]),
        ("a\n\n    b\n    c\n\nd", ["a", "d"]),
        ("- a\n\n    b", ["- a", "    b"]),
        ("<pre>\na\n\nb</pre>\nc", ["c"]),
        ("<!-- a\n\nb --> c", [" c"]),
        ("a <!-- b --> c", ["a  c"]),
        ("~~~\n```\n~~~\na", ["a"]),
    ],
)
def test_code_html_and_comments_are_no_prose(text: str, prose: list[str]) -> None:
    assert [paragraph.text for paragraph in paragraphs(text)] == prose


def test_only_comments_that_start_a_line_are_taken_out() -> None:
    assert without_comments("a\n<!-- b\nc -->\nd <!-- e -->\n<!-- f --> g\n") == "a\nd <!-- e -->\n g\n"
