"""A manifest for which Claude Code refuses the whole plugin, where it is certain what was meant."""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot
from pisces.checking.fixes import plugin_path
from pisces.checking.json_edits import JsonMember, member_at, removed, revalued

_READ_ANYWAY = {key: (f"./{key}/", f"./{key}", f"{key}/", key) for key in ("agents", "commands", "skills")}
_WITH_EMAIL = re.compile(r"([^<>]*[^<>\s])\s*<([^<>\s@]+@[^<>\s@]+)>")


def fix(spot: Spot) -> Fix | None:
    if spot.offset < 0:
        return None
    member = member_at(spot.text, spot.offset)
    if member is None:
        return plugin_path.fix(spot)
    if _is_read_anyway(member):
        return spot.fix(f"remove `{member.name}`, which is read without it", removed(spot.text, member))
    if member.name == "author" and isinstance(member.value, str) and member.value.strip():
        return spot.fix("write an object with a name", revalued(spot.text, member, _person(member.value)))
    url = member.value.get("url") if member.name == "repository" and isinstance(member.value, dict) else None
    if isinstance(url, str):
        return spot.fix("write the address alone", revalued(spot.text, member, url))
    return plugin_path.fix(spot)


def _person(text: str) -> dict[str, str]:
    """`Ann <ann@example.org>`, or a name alone."""
    found = _WITH_EMAIL.fullmatch(text.strip())
    return {"name": found[1], "email": found[2]} if found else {"name": text.strip()}


def _is_read_anyway(member: JsonMember) -> bool:
    values = [member.value] if isinstance(member.value, str) else member.value
    usual = _READ_ANYWAY.get(member.name, ())
    return isinstance(values, list) and len(values) == 1 and values[0] in usual
