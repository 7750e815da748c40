"""Cursor's approvals of servers and its workspace trust, as documented; what the header of rules and skills says.

A server of a project starts after somebody has approved it; `~/.cursor/projects/<folder>/mcp-approvals.json` has its
name with a hash of the folder and the entry. Hooks of a project run in a trusted workspace; `.workspace-trusted` there
is the mark of the command line. What the editor alone remembers cannot be read here.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.conditions import WHEN_FITTING, WHEN_NAMED, header_of, only_if_named, with_files
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.found import PROJECT
from pisces.discovery.state import UNTRUSTED, WAITING, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf

_UNTRUSTED = "Cursor runs hooks of a project only in a trusted workspace, and it has no mark that this one is"
_WAITING = "Cursor starts a server of a project only after you approve it, and no approval is on record"


def states(scene: Scene) -> StateOf:
    def state_of(kind: str, found: Found) -> State | None:
        of_project = found.source.level == PROJECT and not found.package
        if kind == "mcp-servers" and of_project:
            return _approval(found, scene)
        if kind == "hooks" and of_project:
            return _trust(scene)
        if kind == "context-files" and found.source.path.endswith(".mdc"):
            return _rule(found, scene)
        return only_if_named(found) if kind == "skills" else None

    return state_of


def _memory(scene: Scene, name: str) -> str:
    """A file of what the command line remembers about this folder."""
    letters = [each if each.isascii() and each.isalnum() else " " for each in os.path.realpath(scene.places.cwd)]
    folder = "-".join("".join(letters).split())
    return os.path.join(scene.harness.user_path(scene.places), "projects", folder, name)


def _approval(found: Found, scene: Scene) -> State | None:
    path = _memory(scene, "mcp-approvals.json")
    file = config_at(path, JSON, scene.run)
    approved = file.value if isinstance(file, ConfigFile) and isinstance(file.value, list) else []
    key_of = export_of("pisces.harnesses.cursor", "approval", "approval_key")
    if approved and key_of(found.item, os.path.realpath(scene.places.cwd)) in approved:
        return None
    return State(WAITING, _WAITING, path if approved else "", 0, f"`agent mcp enable {found.item.name}`")


def _trust(scene: Scene) -> State | None:
    if os.path.lexists(_memory(scene, ".workspace-trusted")):
        return None
    return State(UNTRUSTED, _UNTRUSTED, "", 0, "answer the trust question of Cursor in this folder")


def _rule(found: Found, scene: Scene) -> State | None:
    """Always, with certain files, when its description fits, or else only by name."""
    file = header_of(found, scene.run)
    fields = file.fields if file else {}
    if fields.get("alwaysApply") is True:
        return None
    return with_files(fields.get("globs")) or (WHEN_FITTING if fields.get("description") else WHEN_NAMED)
