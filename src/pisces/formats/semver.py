"""Is a text a version, exactly as npm's `semver.valid` decides it: that is the test behind Gemini's version warning."""

from __future__ import annotations

import re

LONGEST = 256
LARGEST = 2**53 - 1  # JavaScript's largest safe integer, for each of the three numbers

# What JavaScript's `trim` removes; Python's `strip` removes a different set.
_WHITE_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_WHITE_SPACE += "\u2028\u2029\u202f\u205f\u3000\ufeff"
_NUMBER = "(?:0|[1-9][0-9]*)"
_BEFORE_RELEASE = f"(?:[0-9]*[A-Za-z-][0-9A-Za-z-]*|{_NUMBER})"
_VERSION = (
    rf"v?({_NUMBER})\.({_NUMBER})\.({_NUMBER})"
    rf"(?:-{_BEFORE_RELEASE}(?:\.{_BEFORE_RELEASE})*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


def is_semver(text: str) -> bool:
    if len(text) > LONGEST:
        return False
    found = re.fullmatch(_VERSION, text.strip(_WHITE_SPACE))
    return found is not None and all(int(number) <= LARGEST for number in found.groups())
