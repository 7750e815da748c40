"""The fix for a JSON file that only a forgiving reader takes: without comments, trailing commas and byte order mark."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.fixing import edited
from pisces.checking.json_edits import made_strict
from pisces.formats import json, jsonc
from pisces.formats.malformed import Malformed


def strict_json(spot: Spot) -> Fix | None:
    """Only where that is all that is wrong, so that every value is what it was."""
    edits = made_strict(spot.text)
    try:
        if not edits or json.parse(edited(spot.text, edits)) != jsonc.parse_lenient(spot.text):
            return None
    except Malformed:
        return None
    return spot.fix("remove what JSON does not allow: comments, trailing commas, a byte order mark", *edits)
