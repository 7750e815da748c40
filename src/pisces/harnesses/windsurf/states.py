"""Windsurf's and Devin's switches, as documented: `read_config_from` and the `trigger` of rules.

`read_config_from` decides what Devin takes from other tools. Rules of Windsurf itself stay: Cascade reads them anyway.
"""

from __future__ import annotations

import os

from pisces.discovery.conditions import header_of, triggered
from pisces.discovery.config_file import LENIENT
from pisces.discovery.settings_layers import SettingsLayers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, State, StateOf

_RULES = tuple(os.path.join("", folder, "rules", "") for folder in (".devin", ".windsurf"))


def states(scene: Scene) -> StateOf:
    def read() -> SettingsLayers:
        project = [os.path.join(scene.places.cwd, ".devin", name) for name in ("config.local.json", "config.json")]
        user = os.path.join(scene.places.home, ".config", "devin", "config.json")
        return SettingsLayers([(path, LENIENT) for path in (*project, user)], scene.run)

    def state_of(kind: str, found: Found) -> State | None:
        if kind != "context-files":
            return None
        tool = _other_tool(found.source.path)
        if tool:
            return scene.run.once(("devin-settings",), read).off_if(False, "read_config_from", tool)
        in_rules = any(f"{os.sep}{folder}" in found.source.path for folder in _RULES)
        return triggered(header_of(found, scene.run)) if in_rules else None

    return state_of


def _other_tool(path: str) -> str:
    if os.path.basename(path) == ".cursorrules" or f"{os.sep}.cursor{os.sep}" in path:
        return "cursor"
    return "claude" if os.path.basename(path) == "CLAUDE.md" else ""
