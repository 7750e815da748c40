"""A manifest for which Gemini CLI skips the whole extension: what JSON does not allow, no version, an odd name."""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import added, first_member, member_at, members, revalued
from pisces.checking.strict_json import strict_json

_FIRST = "0.0.0"


def fix(spot: Spot) -> Fix | None:
    message = spot.diagnostic.message
    if message.startswith("missing `version`"):
        return _version(spot)
    if message.startswith("the name "):
        return _name(spot)
    return strict_json(spot)


def _version(spot: Spot) -> Fix | None:
    """The version of the package.json beside the manifest, if there is one."""
    values = spot.subject.pages.json(spot.subject.inside("package.json"))
    known = values.get("version") if isinstance(values, dict) else None
    version = known if isinstance(known, str) and known else _FIRST
    before = next((each for each in members(spot.text) if each.name == "name"), first_member(spot.text))
    if before is None:
        return None
    return spot.fix(f"add the version {version}", added(spot.text, before, "version", version))


def _name(spot: Spot) -> Fix | None:
    """Not safe: it is what users type, and other files may name it."""
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    slug = re.sub(r"[^a-z0-9]+", "-", str(member.value).lower()).strip("-") if member else ""
    if member is None or member.name != "name" or not slug:
        return None
    return spot.fix(f"call it `{slug}`", revalued(spot.text, member, slug), safe=False)
