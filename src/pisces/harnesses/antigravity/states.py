"""Conditions of Antigravity's rules, as documented: `trigger` is always_on, manual, model_decision or glob.

Hooks are switched off by name in their file, plugins in their manifest, servers in their entry.
"""

from __future__ import annotations

import os

from pisces.discovery.conditions import header_of, triggered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, State, StateOf

_RULES = f"{os.sep}rules{os.sep}"


def states(scene: Scene) -> StateOf:
    def state_of(kind: str, found: Found) -> State | None:
        is_rule = kind == "context-files" and _RULES in found.source.path
        return triggered(header_of(found, scene.run)) if is_rule else None

    return state_of
