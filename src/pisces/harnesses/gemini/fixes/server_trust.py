"""`trust` in an extension, which Gemini CLI drops."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import member_at, removed


def fix(spot: Spot) -> Fix | None:
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    return spot.fix("remove `trust`", removed(spot.text, member)) if member and member.name == "trust" else None
