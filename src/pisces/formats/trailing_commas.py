"""Commas before a closing bracket, which JSON refuses and many editors write."""

from __future__ import annotations

import re

_STRING = r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?'
# The first branch steps over strings; the second over a comma that follows nothing, which is no trailing comma.
_TRAILING_COMMA = rf"{_STRING}|[\[{{,:]\s*+,|(,)(?=\s*+[\]}}])"


def without_trailing_commas(text: str) -> str:
    """Blanked, so that every place stays where the author sees it."""
    return re.sub(_TRAILING_COMMA, lambda found: " " if found[1] else found[0], text, flags=re.DOTALL)
