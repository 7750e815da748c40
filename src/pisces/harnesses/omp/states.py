"""oh-my-pi's switches (18.2.3): `disabledProviders`, `disabledExtensions`, `skills.*`, `mcp.*`, `disabledServers`.

Settings of the project replace those of the user key by key. It knows no folder trust.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, YAML, ConfigFile, config_at
from pisces.discovery.found import PROJECT
from pisces.discovery.settings_layers import SettingsLayers
from pisces.discovery.state import OFF, State, switched
from pisces.formats.wildcard import wildcard_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf

# The words that ids in `disabledExtensions` begin with.
_IDS = {
    "skills": "skill",
    "modules": "extension-module",
    "mcp-servers": "mcp",
    "commands": "slash-command",
    "subagents": "agent",
}
_OWN = "native"


class _Settings(SettingsLayers):
    def __init__(self, scene: Scene) -> None:
        user, project = scene.harness.user_path(scene.places), scene.places.absolute(scene.harness.project_dir)
        places = [(os.path.join(folder, name), syntax) for folder in (project, user) for name, syntax in _FILES]
        super().__init__(places, scene.run)
        servers = config_at(os.path.join(user, "mcp.json"), JSON, scene.run)
        self.servers = servers if isinstance(servers, ConfigFile) else None


_FILES = (("config.yml", YAML), ("settings.json", JSON))


def states(scene: Scene) -> StateOf:
    def state_of(kind: str, found: Found) -> State | None:
        settings = scene.run.once(("omp-settings",), lambda: _Settings(scene))
        if kind in ("packages", "settings"):
            return None
        everything = settings.off_if_listed(("disabledProviders",), _OWN)
        single = _IDS.get(kind, "")
        off = everything or (
            settings.off_if_listed(("disabledExtensions",), f"{single}:{found.item.name}") if single else None
        )
        if off or kind not in ("skills", "mcp-servers"):
            return off
        return _skill(found, settings) if kind == "skills" else _server(found, settings)

    return state_of


def _skill(found: Found, settings: _Settings) -> State | None:
    level = "enablePiProject" if found.source.level == PROJECT else "enablePiUser"
    off = settings.off_if(False, "skills", "enabled") or settings.off_if(False, "skills", level)
    off = off or settings.off_if_listed(("skills", "ignoredSkills"), found.item.name)
    included, file = settings.decided("skills", "includeSkills") or ([], None)
    if off or not isinstance(included, list) or not included or file is None:
        return off
    if any(isinstance(each, str) and wildcard_matches(each, found.item.name) for each in included):
        return None
    return switched(OFF, "`skills.includeSkills` does not name it", file, ("skills", "includeSkills"), "add it there")


def _server(found: Found, settings: _Settings) -> State | None:
    off = settings.off_if(False, "mcp", "enableProjectConfig") if found.source.level == PROJECT else None
    listed = settings.servers.part(("disabledServers",)) if settings.servers else None
    if off or settings.servers is None or not isinstance(listed, list) or found.item.name not in listed:
        return off
    return switched(OFF, "`disabledServers` names it", settings.servers, ("disabledServers",), "remove it there")
