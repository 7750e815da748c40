"""The switches of Qwen Code, as its source says (0.22): lists of skills, servers and commands, hooks, approval, trust.

Servers of a project wait until they are approved as they are, and hide the user's of that name even then.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSON, config_at
from pisces.discovery.found import PROJECT, Found
from pisces.discovery.state import OFF, SHADOWED, Scene, State, switched
from pisces.harnesses.qwen.settings import QwenSettings, settings_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.discovery.state import StateOf


class QwenFacts(Value):
    """What every rule below is asked with."""

    scene: Scene
    settings: QwenSettings


def states(scene: Scene) -> StateOf:
    facts = QwenFacts(scene, settings_of(scene))

    def state_of(kind: str, found: Found) -> State | None:
        rule = _RULES.get(kind)
        return rule(found, facts) if rule else None

    return state_of


def _of_command(found: Found, facts: QwenFacts) -> State | None:
    return _named(found.item.final_name, ("slashCommands", "disabled"), facts)


def _of_skill(found: Found, facts: QwenFacts) -> State | None:
    level = "extension" if found.package else found.source.level
    for scope, file, index, entry in facts.settings.entries("skills", "disabledLevels"):
        if entry == level:
            keys = ("skills", "disabledLevels", index)
            return switched(OFF, f"`skills.disabledLevels` of {scope} names `{level}`", file, keys, "remove it there")
    off = _named(found.item.name, ("skills", "disabled"), facts)
    enabled = {entry.strip().lower() for *_, entry in facts.settings.entries("skills", "enabled")}
    if off or found.item.name.strip().lower() in enabled:
        return off
    return _named(found.item.name, ("skills", "defaultDisabled"), facts)


def _of_hook(found: Found, facts: QwenFacts) -> State | None:
    if facts.settings.value("disableAllHooks"):
        scope = facts.settings.last_with("disableAllHooks")
        assert scope is not None
        reason = f"`disableAllHooks` is on in {scope[0]}"
        return switched(OFF, reason, scope[1], ("disableAllHooks",), "remove `disableAllHooks`")
    return _of_project(found, facts)


def _of_server(found: Found, facts: QwenFacts) -> State | None:
    name = found.item.name
    if facts.settings.untrusted:
        return facts.settings.untrusted
    lists: State | None = export_of("pisces.harnesses.qwen", "server_switches", "by_lists")(name, facts.settings)
    if lists:
        return lists
    if found.package:
        return _of_preferences(found, facts)
    if found.source.level == PROJECT:
        waiting: State | None = export_of("pisces.harnesses.qwen", "server_switches", "unapproved")(
            found.item, facts.scene, facts.settings
        )
        return waiting
    if name in facts.scene.run.once(("qwen-project-servers",), lambda: _project_servers(facts.scene)):
        reason = "the project has a server of that name, which counts even before it is approved"
        return State(SHADOWED, reason, change="rename one of them")
    return None


def _of_preferences(found: Found, facts: QwenFacts) -> State | None:
    path = os.path.join(facts.settings.user_folder, "extensions", "extension-preferences.json")
    file = config_at(path, JSON, facts.scene.run)
    if file is None or isinstance(file, Diagnostic):
        return None
    keys = ("disabledMcpServers", found.package)
    disabled = file.part(keys)
    if not isinstance(disabled, list) or found.item.name not in disabled:
        return None
    change = "enable it in `/extensions` of Qwen Code"
    return switched(OFF, f"it is disabled in the extension `{found.package}`", file, keys, change)


def _project_servers(scene: Scene) -> set[str]:
    names: set[str] = set()
    for path in (os.path.join(".qwen", "settings.json"), ".mcp.json"):
        file = config_at(os.path.join(scene.places.cwd, path), "jsonc", scene.run)
        servers = None if file is None or isinstance(file, Diagnostic) else file.part(("mcpServers",))
        names.update(servers if isinstance(servers, dict) else ())
    return names


def _of_project(found: Found, facts: QwenFacts) -> State | None:
    """What a project brings that counts only where the folder is trusted."""
    return facts.settings.untrusted if found.source.level == PROJECT and not found.package else None


def _named(name: str, keys: tuple[str, str], facts: QwenFacts) -> State | None:
    for scope, file, index, entry in facts.settings.entries(*keys):
        if entry.strip().lower() == name.strip().lower():
            return switched(OFF, f"`{'.'.join(keys)}` of {scope} names it", file, (*keys, index), "remove it there")
    return None


_RULES: dict[str, Callable[[Found, QwenFacts], State | None]] = {
    "commands": _of_command,
    "skills": _of_skill,
    "hooks": _of_hook,
    "mcp-servers": _of_server,
    "context-files": _of_project,
    "settings": _of_project,
}
