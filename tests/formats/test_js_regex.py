"""The patterns that `new RegExp(text)` takes, one reason each. The whole comparison is in tests/conformance."""

from __future__ import annotations

import pytest

from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_regex_match import is_dangerous


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "]",
        "{",
        "a{",
        "a{,1}",
        "x{1}?",
        "(?=a)*",
        r"[\d-z]",
        r"[a-\d]",
        "[^]",
        r"\u{1}",
        r"\p{L}",
        r"\k<n>",
        r"\c",
        r"(?<a>x)\k<a>",
        r"\k<a>(?<a>x)",
        r"(?<\u0061>x)",
        "(?<$>x)",
        "a{99999999999,88888888888}",
        r"[\c-z]",
        "\n",
    ],
)
def test_javascript_compiles(pattern: str) -> None:
    assert regex_flaw(pattern) == ""


@pytest.mark.parametrize(
    "pattern",
    [
        "\\",
        "(",
        ")",
        "[",
        "[b-a]",
        "*",
        "a**",
        "^*",
        "|*",
        "{1}",
        "a{2,1}",
        "a{1}{2}",
        "(?<=a)*",
        "(?",
        "(?P<n>a)",
        "(?i:a)",
        "(?<1>a)",
        "(?<n>a)(?<n>b)",
        r"(?<n>a)\k<m>",
        r"(?<n>a)\k",
        "[😀-a]",
        r"[\x62-\x61]",
        r"[\b-\x01]",
    ],
)
def test_javascript_refuses(pattern: str) -> None:
    assert regex_flaw(pattern)


def test_gemini_fears_long_patterns_and_repeated_repetitions() -> None:
    assert is_dangerous("(a+)+")
    assert is_dangerous("a" * 2049)
    assert is_dangerous("😀" * 1025)
    assert not is_dangerous("(a+)b+")
    assert not is_dangerous("(a+\r)+")
