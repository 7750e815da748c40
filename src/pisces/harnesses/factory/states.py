"""Droid's switches, as documented: `hooksDisabled`, and what managed settings allow.

Managed settings come first, then those of the repository's root, of folders below it, of the user. Plugins are switched
where they are found.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import LENIENT
from pisces.discovery.found import MANAGED
from pisces.discovery.settings_layers import SettingsLayers
from pisces.discovery.state import OFF, State, switched
from pisces.harnesses.factory import MANAGED_FOLDER, SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf
    from pisces.shapes.mcp_server import McpServer


class _Settings(SettingsLayers):
    def __init__(self, scene: Scene) -> None:
        above = [os.path.join(folder, ".factory") for folder in list(scene.places.ancestors())[::-1]]
        user = scene.harness.user_path(scene.places)
        folders = [*(folder for folder in above if folder != user), user]
        managed = (os.path.join(MANAGED_FOLDER, "settings.json"), LENIENT)
        own = [(os.path.join(folder, name), LENIENT) for folder in folders for name in SETTINGS]
        super().__init__([managed, *own], scene.run)
        self.managed = SettingsLayers([managed], scene.run)


def states(scene: Scene) -> StateOf:
    def state_of(kind: str, found: Found) -> State | None:
        if kind not in ("hooks", "mcp-servers"):
            return None
        settings = scene.run.once(("factory-settings",), lambda: _Settings(scene))
        if kind == "hooks":
            return settings.off_if(True, "hooksDisabled") or _only_managed(found, settings.managed)
        return _policy(found.item, settings.managed)

    return state_of


def _only_managed(found: Found, managed: SettingsLayers) -> State | None:
    """Hooks of plugins that the organization itself enables stay."""
    if found.source.level == MANAGED:
        return None
    plugins, _ = managed.decided("enabledPlugins") or ({}, None)
    for key, on in plugins.items() if isinstance(plugins, dict) else ():
        if on is True and found.package and str(key).partition("@")[0] == found.package:
            return None
    return managed.off_if(True, "allowManagedHooksOnly")


def _policy(server: McpServer, managed: SettingsLayers) -> State | None:
    policy, file = managed.decided("mcpPolicy") or ({}, None)
    if file is None or not isinstance(policy, dict) or policy.get("enabled") is not True:
        return None
    allowed = policy.get("allowlist")
    if any(_fits(each, server) for each in (allowed if isinstance(allowed, list) else ()) if isinstance(each, str)):
        return None
    reason = "`mcpPolicy` of the organization does not allow it"
    return switched(OFF, reason, file, ("mcpPolicy", "allowlist"), "ask for it in your organization")


def _fits(allowed: str, server: McpServer) -> bool:
    """An entry names the host of an address, or a command with its first arguments."""
    if server.argv:
        words = tuple(allowed.split())
        return bool(words) and server.argv[: len(words)] == words
    host = server.launch.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0]
    return bool(host) and host.lower() == allowed.lower()
