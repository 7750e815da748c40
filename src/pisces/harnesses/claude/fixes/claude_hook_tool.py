"""A matcher with the tool names of another harness. Not safe: the hook runs from then on."""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import member_at, revalued
from pisces.discovery.tool_names import names_elsewhere

_NAMES = re.compile(r"\w+(?:\|\w+)*")


def fix(spot: Spot) -> Fix | None:
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    if member is None or not isinstance(member.value, str) or not _NAMES.fullmatch(member.value):
        return None
    own = names_elsewhere("claude")
    names = [own.get(name, "") for name in member.value.split("|")]
    if not all(names):
        return None
    matcher = "|".join(dict.fromkeys(names))
    return spot.fix(f"write `{matcher}`", revalued(spot.text, member, matcher), safe=False)
