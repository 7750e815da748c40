"""Is a text a version? Decided as npm's `semver.valid` does, which is the test behind Gemini's version warning."""

from __future__ import annotations

import re

from pisces.formats.js_text import trimmed

LONGEST = 256
LARGEST = 2**53 - 1  # JavaScript's largest safe integer, for each of the three numbers

_NUMBER = "(?:0|[1-9][0-9]*)"
_PRE_RELEASE = f"(?:[0-9]*[A-Za-z-][0-9A-Za-z-]*|{_NUMBER})"
_VERSION = (
    rf"v?({_NUMBER})\.({_NUMBER})\.({_NUMBER})"
    rf"(?:-{_PRE_RELEASE}(?:\.{_PRE_RELEASE})*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


def is_semver(text: str) -> bool:
    if len(text) > LONGEST:
        return False
    found = re.fullmatch(_VERSION, trimmed(text))
    return found is not None and all(int(number) <= LARGEST for number in found.groups())
