"""A timeout that looks like seconds. Not safe: it may be meant."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import member_at, revalued


def fix(spot: Spot) -> Fix | None:
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    if member is None or member.name != "timeout" or not isinstance(member.value, int | float):
        return None
    if isinstance(member.value, bool):
        return None
    whole = round(member.value * 1000)
    return spot.fix(f"write {whole} milliseconds", revalued(spot.text, member, whole), safe=False)
