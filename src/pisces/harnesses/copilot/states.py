"""Copilot's switches and folder trust, as GitHub documents them for its command line.

Servers and hooks of a repository load only in a folder that is trusted: `trustedFolders` of `config.json`. Lists of
what is disabled add up over all settings files; of other switches the nearest file decides. What VS Code remembers
cannot be read here: it asks before it starts a server of `.vscode/mcp.json` for the first time.
"""

from __future__ import annotations

import os

from pisces.discovery.conditions import header_of, only_if_named, with_files
from pisces.discovery.config_file import LENIENT
from pisces.discovery.found import PROJECT
from pisces.discovery.settings_layers import SettingsLayers
from pisces.discovery.state import UNTRUSTED, WAITING, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf

_OF_VS_CODE = f"{os.sep}.vscode{os.sep}mcp.json"
_DISABLED = {"mcp-servers": ("disabledMcpServers",), "skills": ("disabledSkills",)}
_ASKED = "VS Code starts it only after you say that you trust it, and remembers that out of our sight"


def settings_of(scene: Scene) -> SettingsLayers:
    """Local, then those of the repository, then the shared ones of Claude Code, then the user's."""
    names = (".github/copilot/settings.local.json", ".github/copilot/settings.json")
    shared = (".claude/settings.local.json", ".claude/settings.json")
    paths = [os.path.join(scene.places.cwd, *name.split("/")) for name in (*names, *shared)]
    user = os.path.join(scene.harness.user_path(scene.places), "settings.json")
    return scene.run.once(
        ("copilot-settings",), lambda: SettingsLayers([(path, LENIENT) for path in (*paths, user)], scene.run)
    )


def states(scene: Scene) -> StateOf:
    def state_of(kind: str, found: Found) -> State | None:
        of_project = found.source.level == PROJECT and not found.package
        if kind == "mcp-servers" and found.source.path.endswith(_OF_VS_CODE):
            return State(WAITING, _ASKED, "", 0, "start it in VS Code and say that you trust it")
        if kind in _DISABLED:
            off = settings_of(scene).off_if_listed_anywhere(_DISABLED[kind], found.item.name)
            return off or (_trust(scene) if kind == "mcp-servers" and of_project else only_if_named(found))
        if kind == "hooks":
            return settings_of(scene).off_if(True, "disableAllHooks") or (_trust(scene) if of_project else None)
        if kind == "subagents":
            return settings_of(scene).off_if_listed(("subagents", "disabledSubagents"), found.item.name)
        if kind == "context-files" and found.source.path.endswith(".instructions.md"):
            header = header_of(found, scene.run)
            return _instructions(header.fields.get("applyTo")) if header else None
        return None

    return state_of


def _instructions(pattern: object) -> State | None:
    return None if pattern in ("**", "**/*", "*") else with_files(pattern)


def _trust(scene: Scene) -> State | None:
    path = os.path.join(scene.harness.user_path(scene.places), "config.json")
    here = os.path.realpath(scene.places.cwd)
    for listed, _ in SettingsLayers([(path, LENIENT)], scene.run).said("trustedFolders"):
        for each in listed if isinstance(listed, list) else ():
            folder = os.path.realpath(scene.places.absolute(each)) if isinstance(each, str) and each else ""
            if folder and (here == folder or here.startswith(folder.rstrip(os.sep) + os.sep)):
                return None
    reason = "`trustedFolders` of Copilot does not name this folder or one above it"
    return State(UNTRUSTED, reason, path, 0, "answer the trust question of `copilot` in this folder")
