"""What an expression can fit is told from its parts: never no where a text exists that it fits."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from pisces.formats.js_regex_match import js_pattern
from pisces.formats.js_regex_reach import can_fit

NAMES = "mcp_abz-"
_PATTERNS = st.lists(
    st.sampled_from(
        ["^", "$", "m", "z", "x", " ", "_", "a*", "b+", "c?", "(a|b)", "(?:x|p)", "|", "[a-c]", "(?!z)", "."]
    ),
    max_size=6,
).map("".join)


@given(_PATTERNS, st.text(NAMES, max_size=6))
def test_what_fits_some_text_can_fit(pattern: str, rest: str) -> None:
    compiled = js_pattern(pattern)
    if compiled is not None and compiled.search(f"m{rest}"):
        assert can_fit(pattern, NAMES, "m")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("m", True),
        ("x", False),
        ("x*", True),
        ("^b", False),
        ("^b?m", True),
        ("^(?:b|m)", True),
        ("a b", False),
        ("a b|c", True),
        ("(", False),
        ("(a)\\1", True),
    ],
)
def test_a_character_that_the_text_cannot_have_decides(pattern: str, expected: bool) -> None:
    assert can_fit(pattern, NAMES, "m") is expected
