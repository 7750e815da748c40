"""A timeout that looks like milliseconds. Not safe: it may be meant."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import member_at, revalued


def fix(spot: Spot) -> Fix | None:
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    if member is None or member.name != "timeout" or not isinstance(member.value, int | float):
        return None
    seconds = member.value / 1000
    value = int(seconds) if seconds.is_integer() else seconds
    return spot.fix(f"write {value:g} seconds", revalued(spot.text, member, value), safe=False)
