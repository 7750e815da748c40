"""Continue's switches (its source of 2026-06): `disableAllHooks` of any settings file, and the header of rules.

`cn` reads that switch in Claude Code's settings too.
"""

from __future__ import annotations

import os

from pisces.discovery.conditions import WHEN_FITTING, WHEN_NAMED, header_of, with_files
from pisces.discovery.config_file import JSON
from pisces.discovery.settings_layers import SettingsLayers
from pisces.discovery.state import OFF, State, switched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf

_SWITCH = "disableAllHooks"


def states(scene: Scene) -> StateOf:
    def read() -> SettingsLayers:
        cwd, user = scene.places.cwd, scene.harness.user_path(scene.places)
        folders = [os.path.join(cwd, ".continue"), os.path.join(cwd, ".claude")]
        paths = [os.path.join(folder, name) for name in ("settings.local.json", "settings.json") for folder in folders]
        users = [os.path.join(folder, "settings.json") for folder in (user, os.path.join(scene.places.home, ".claude"))]
        return SettingsLayers([(path, JSON) for path in (*paths, *users)], scene.run)

    def state_of(kind: str, found: Found) -> State | None:
        if kind == "hooks":
            return _hooks_off(scene.run.once(("continue-settings",), read))
        return _rule(found, scene) if kind == "context-files" else None

    return state_of


def _hooks_off(settings: SettingsLayers) -> State | None:
    for value, file in settings.said(_SWITCH):
        if value:
            return switched(OFF, f"`{_SWITCH}` is set", file, (_SWITCH,), "remove it there")
    return None


def _rule(found: Found, scene: Scene) -> State | None:
    file = header_of(found, scene.run) if found.source.path.endswith(".md") else None
    if file is None or file.fields.get("alwaysApply") is True:
        return None
    condition = with_files(file.fields.get("globs"))
    if condition or file.fields.get("alwaysApply") is not False:
        return condition
    return WHEN_FITTING if file.fields.get("description") else WHEN_NAMED
