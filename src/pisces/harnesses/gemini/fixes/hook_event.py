"""An event in the wrong case, or of Claude Code. The second is not safe: the hook runs from then on."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import member_at, renamed
from pisces.checking.key_fix import respelled
from pisces.discovery.finders.event_hooks import EVENTS, FROM_CLAUDE


def fix(spot: Spot) -> Fix | None:
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    if member is None:
        return None
    same = respelled(member.name, EVENTS)
    own = same or FROM_CLAUDE.get(member.name, "")
    hooks = (spot.subject.pages.json(spot.diagnostic.path) or {}).get("hooks")
    if not own or not isinstance(hooks, dict) or own in hooks:
        return None
    return spot.fix(f"write `{own}`", renamed(spot.text, member, own), safe=False)
