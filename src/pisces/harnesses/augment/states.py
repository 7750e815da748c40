"""Conditions of Augment's rules, as documented: `type` is always_apply, manual or agent_requested.

Rules of the user always apply. Servers are switched off in their entry.
"""

from __future__ import annotations

import os

from pisces.discovery.conditions import WHEN_FITTING, WHEN_NAMED, header_of
from pisces.discovery.found import PROJECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, State, StateOf

_RULES = os.path.join("", ".augment", "rules", "")
_TYPES = {"manual": WHEN_NAMED, "agent_requested": WHEN_FITTING}


def states(scene: Scene) -> StateOf:
    def state_of(kind: str, found: Found) -> State | None:
        is_rule = kind == "context-files" and found.source.level == PROJECT and f"{os.sep}{_RULES}" in found.source.path
        file = header_of(found, scene.run) if is_rule else None
        return _TYPES.get(str(file.fields.get("type"))) if file else None

    return state_of
