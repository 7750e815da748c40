"""The fix for a version that is nearly a semantic one: `1.2`, `v1.2.3`, `1.0.0rc1`."""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import member_at, revalued
from pisces.formats.semver import is_semver

_NEARLY = re.compile(
    r"[vV]?(0|[1-9]\d*)\.(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?[-.]?((?:a|b|rc|alpha|beta|dev)\.?\d+)?", re.ASCII
)


def version_fix(spot: Spot) -> Fix | None:
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    if member is None or not isinstance(member.value, str | int | float) or isinstance(member.value, bool):
        return None
    written = spot.text[member.value_start : member.end].strip('"')
    version = semantic(f"{written}.0" if isinstance(member.value, int) else written)
    return spot.fix(f"write `{version}`", revalued(spot.text, member, version)) if version else None


def semantic(version: str) -> str:
    """The semantic version that was meant; empty where that is not certain."""
    found = _NEARLY.fullmatch(version)
    if found is None:
        return ""
    made = ".".join((found[1], found[2], found[3] or "0")) + (f"-{found[4]}" if found[4] else "")
    return made if is_semver(made) else ""
