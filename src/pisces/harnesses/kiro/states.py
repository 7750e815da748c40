"""Conditions of Kiro's steering files, as documented: `inclusion` is always, fileMatch, manual or auto.

Hooks and servers are switched off where they are configured.
"""

from __future__ import annotations

import os

from pisces.discovery.conditions import WHEN_FITTING, WHEN_NAMED, header_of, with_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, State, StateOf


def states(scene: Scene) -> StateOf:
    def state_of(kind: str, found: Found) -> State | None:
        if kind != "context-files" or os.path.basename(found.source.path) == "AGENTS.md":
            return None
        file = header_of(found, scene.run)
        mode = file.fields.get("inclusion") if file else None
        if file and mode == "fileMatch":
            return with_files(file.fields.get("fileMatchPattern"))
        return {"manual": WHEN_NAMED, "auto": WHEN_FITTING}.get(str(mode))

    return state_of
