"""A path of the package that lacks `./`, or names the file of a skill instead of its folder."""

from __future__ import annotations

import os

from pisces.checking.fix import Fix, Spot, TextEdit
from pisces.checking.json_edits import json_text_of, member_at, value_at

_FILE = "/SKILL.md"


def fix(spot: Spot) -> Fix | None:
    if spot.offset < 0:
        return None
    member = member_at(spot.text, spot.offset)
    start = member.value_start if member else spot.offset
    found = value_at(spot.text, start)
    own = _meant(spot, found[0]) if found and isinstance(found[0], str) else ""
    if not found or not own:
        return None
    return spot.fix(f"write `{own}`", TextEdit(start, spot.text[start : found[1]], json_text_of(own)))


def _meant(spot: Spot, path: str) -> str:
    if not path or not os.path.lexists(spot.subject.inside(path)):
        return ""
    if "must be the folder of a skill" in spot.diagnostic.message:
        return path.removesuffix(_FILE) if path.endswith(_FILE) else ""
    is_bare = "must begin with `./`" in spot.diagnostic.message and not path.startswith((".", "/", "~", "$"))
    return f"./{path}" if is_bare else ""
