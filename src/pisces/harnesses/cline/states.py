"""Cline's switches (SDK 0.0.78): `disabled` and `enabled` in a header, `disabledPlugins` of the global settings.

The toggles of the editor's rules panel are state of the editor and cannot be read here.
"""

from __future__ import annotations

import os

from pisces.discovery.conditions import header_of, header_off, with_files
from pisces.discovery.config_file import JSON
from pisces.discovery.settings_layers import SettingsLayers
from pisces.discovery.state import OFF, State
from pisces.harnesses.cline.finders.settings_place import stored_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.markdown_file import MarkdownFile
    from pisces.discovery.state import Scene, StateOf

_WITH_HEADERS = ("commands", "context-files", "skills")


def states(scene: Scene) -> StateOf:
    def read() -> SettingsLayers:
        path = stored_at(scene.places, "global-settings.json", "CLINE_GLOBAL_SETTINGS_PATH")
        return SettingsLayers([(path, JSON)], scene.run)

    def state_of(kind: str, found: Found) -> State | None:
        if kind == "modules":
            settings = scene.run.once(("cline-settings",), read)
            return settings.off_if_listed(("disabledPlugins",), found.source.path)
        if kind not in _WITH_HEADERS or os.path.basename(found.source.path) == "AGENTS.md":
            return None
        file = header_of(found, scene.run)
        if file is None:
            return None
        return _switch(file) or (_paths(file) if kind == "context-files" else None)

    return state_of


def _switch(file: MarkdownFile) -> State | None:
    """`enabled` counts only where `disabled` is not there."""
    if isinstance(file.fields.get("disabled"), bool):
        return header_off(file, "disabled", True)
    return header_off(file, "enabled", False)


def _paths(file: MarkdownFile) -> State | None:
    if file.fields.get("paths") == []:
        return State(OFF, "`paths` in its header is empty", file.path, file.place("paths")[0], "remove `paths`")
    return with_files(file.fields.get("paths"))
