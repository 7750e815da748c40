"""A tool that other harnesses call so. Not safe: it is excluded from then on."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot, TextEdit
from pisces.checking.json_edits import json_text_of, value_at
from pisces.harnesses.gemini.tools import own_name


def fix(spot: Spot) -> Fix | None:
    found = value_at(spot.text, spot.offset) if spot.offset >= 0 else None
    own = own_name(found[0]) if found and isinstance(found[0], str) else ""
    if not found or not own:
        return None
    edit = TextEdit(spot.offset, spot.text[spot.offset : found[1]], json_text_of(own))
    return spot.fix(f"write `{own}`", edit, safe=False)
