"""A setting that looks like a secret. Users are asked for its value again, so the author has to want it."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import added, member_at


def fix(spot: Spot) -> Fix | None:
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    if member is None or member.name != "envVar":
        return None
    return spot.fix('add `"sensitive": true`', added(spot.text, member, "sensitive", value=True), safe=False)
