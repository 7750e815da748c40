"""A version passes or not as npm's semver says; the table is what Gemini's `extensions validate` warned about."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from pisces.formats.semver import is_semver

VERSIONS = {
    "1.0.0": True,
    "v1.2.3": True,
    " 1.2.3 ": True,
    "\ufeff1.2.3\n": True,
    "1.0.0-beta.1": True,
    "1.0.0-0a": True,
    "1.0.0-9007199254740993": True,
    "1.0.0+build": True,
    "1.0.0+001": True,
    "9007199254740991.0.0": True,
    "1.2.3" + " " * 251: True,
    "=1.0.0": False,
    "V1.0.0": False,
    "v 1.0.0": False,
    "1": False,
    "1.5": False,
    "1.0": False,
    "1.2.3.4": False,
    "01.0.0": False,
    "1.0.0-": False,
    "1.0.0-01": False,
    "1.0.0-a..b": False,
    "1.0.0+": False,
    "latest": False,
    "": False,
    "^1.2.3": False,
    "\x1c1.2.3": False,
    "\u0661.2.3": False,
    "9007199254740992.0.0": False,
    "1.2.3" + " " * 252: False,
}


@pytest.mark.parametrize(("text", "valid"), VERSIONS.items())
def test_a_version_is_valid_as_in_npm(text: str, valid: bool) -> None:
    assert is_semver(text) is valid


@given(st.text(alphabet=st.sampled_from("0123456789.-+va \n")))
def test_arbitrary_text_gets_an_answer(text: str) -> None:
    assert is_semver(text) in (True, False)
