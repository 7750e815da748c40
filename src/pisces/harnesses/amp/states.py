"""Amp's approvals and switches, as documented: `amp.mcpPermissions`, `amp.skills.disable...`.

A server of the workspace's settings runs after `amp mcp approve`; where Amp writes that down is not documented. Of the
rules of `amp.mcpPermissions` the first that fits decides; without one a server may run.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import LENIENT
from pisces.discovery.found import PROJECT
from pisces.discovery.settings_layers import SettingsLayers
from pisces.discovery.state import OFF, WAITING, State, switched
from pisces.formats.wildcard import wildcard_matches
from pisces.harnesses.amp import MANAGED_FOLDER, SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf
    from pisces.shapes.mcp_server import McpServer

_RULES = "amp.mcpPermissions"


def states(scene: Scene) -> StateOf:
    def read() -> SettingsLayers:
        here = [[os.path.join(folder, ".amp", name) for name in SETTINGS] for folder in scene.places.ancestors()]
        nearest = next((paths for paths in here if any(map(os.path.lexists, paths))), [])
        user = scene.harness.user_path(scene.places)
        paths = [*nearest, *(os.path.join(user, name) for name in SETTINGS)]
        managed = os.path.join(MANAGED_FOLDER, "managed-settings.json")
        return SettingsLayers([(path, LENIENT) for path in (managed, *paths)], scene.run)

    def state_of(kind: str, found: Found) -> State | None:
        if kind not in ("mcp-servers", "skills"):
            return None
        settings = scene.run.once(("amp-settings",), read)
        if kind == "skills" or os.path.basename(found.source.path) == "mcp.json":
            off = _skills_off(found, scene, settings)
            return off or (_rejected(found.item, settings) if kind == "mcp-servers" else None)
        return _rejected(found.item, settings) or _approval(found)

    return state_of


def _skills_off(found: Found, scene: Scene, settings: SettingsLayers) -> State | None:
    path, home = found.source.path, scene.places.home
    if f"{os.sep}.claude{os.sep}" in path:
        return settings.off_if(True, "amp.skills.disableClaudeCodeSkills")
    shared = (os.path.join(home, ".config", "agents", ""), os.path.join(home, ".agents", ""))
    return settings.off_if(True, "amp.skills.disableGlobalAgentsSkills") if path.startswith(shared) else None


def _rejected(server: McpServer, settings: SettingsLayers) -> State | None:
    rules, file = settings.decided(_RULES) or ([], None)
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        if file and isinstance(rule, dict) and _fits(rule.get("matches"), server):
            rejected = switched(OFF, f"a rule of `{_RULES}` rejects it", file, (_RULES, index), "allow it before that")
            return rejected if rule.get("action") == "reject" else None
    return None


def _fits(wanted: object, server: McpServer) -> bool:
    """Every key of the rule fits; a command is meant with its arguments or without."""
    texts = {
        "command": (server.command, " ".join(server.argv)) if server.argv else (),
        "args": (" ".join(server.argv[1:]),) if server.argv else (),
        "url": (server.url,) if server.url else (),
    }
    for key, patterns in wanted.items() if isinstance(wanted, dict) else ():
        listed = patterns if isinstance(patterns, list) else [patterns]
        if not any(wildcard_matches(str(each), text) for each in listed for text in texts.get(str(key), ())):
            return False
    return isinstance(wanted, dict)


def _approval(found: Found) -> State | None:
    if found.source.level != PROJECT:
        return None
    reason = "a server of a workspace depends on approval in Amp, and where Amp remembers it is not known"
    return State(WAITING, reason, "", 0, f"`amp mcp approve {found.item.name}`")
