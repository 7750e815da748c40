"""Codex's switches, folder trust and approvals of hooks (0.166.0).

A hook runs after somebody has reviewed it: `[hooks.state."<file>:<event>:<group>:<handler>"]` has the hash of what was
reviewed. Skills are switched by `[[skills.config]]` of the user's config.toml, where the last entry that fits decides.
A config.toml that cannot be read stops the program.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSON, TOML, ConfigFile, config_at
from pisces.discovery.found import PROJECT
from pisces.discovery.merged_servers import merged_config
from pisces.discovery.state import OFF, REFUSED, WAITING, State, switched
from pisces.harnesses.codex.layers import CONFIG, Layers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf
    from pisces.shapes.hook import Hook

_OF_TRUSTED_FOLDERS = ("hooks", "mcp-servers", "settings", "subagents")


def states(scene: Scene) -> StateOf:
    def read() -> tuple[Layers, State | None]:
        layers = Layers(scene.harness, scene.places, scene.run)
        return layers, _broken(layers)

    def state_of(kind: str, found: Found) -> State | None:
        layers, broken = scene.run.once(("codex-layers",), read)
        if broken:
            return broken
        if kind in _OF_TRUSTED_FOLDERS and found.source.level == PROJECT and not found.package:
            held = layers.held(_project_of(found.source.path))
            if held:
                return held
        if kind == "commands" and not found.package:
            return State(OFF, "Codex takes no prompts since 0.117", change="make it a skill", only_here=True)
        if kind == "context-files" and found.source.level == PROJECT:
            return layers.distrusted()
        if kind == "hooks":
            return _hook(found.item, layers)
        return _skill(found, layers) if kind == "skills" else None

    return state_of


def _broken(layers: Layers) -> State | None:
    """The program does not start with a broken configuration of the user's or of a trusted folder."""
    servers: dict[str, tuple[Any, ConfigFile]] = {}
    near = [os.path.join(folder, ".codex", CONFIG) for folder in layers.folders if not layers.held(folder)]
    for path in (layers.user_path, *reversed([each for each in near if each != layers.user_path])):
        file = config_at(path, TOML, layers.run)
        if isinstance(file, Diagnostic):
            return _does_not_start(file.message, file.path, file.line)
        if file is None:
            continue
        listed = file.part(("mcp_servers",))
        for name, config in listed.items() if isinstance(listed, dict) else ():
            servers[name] = merged_config(servers[name][0] if name in servers else None, config), file
    for name, (config, file) in servers.items():
        flaws = export_of("pisces.harnesses.codex", "server_shape", "server_flaws")(config)
        for keys, flaw in flaws:
            line = file.place("mcp_servers", name, *keys)[0]
            return _does_not_start(f"server `{name}`: {flaw}", file.path, line)
    return None


def _does_not_start(why: str, path: str, line: int) -> State:
    return State(REFUSED, f"Codex does not start: {why}", path, line, "mend that file", only_here=True)


def _project_of(path: str) -> str:
    """The folder that holds the `.codex` folder in which a file lies."""
    folder = os.path.dirname(path)
    while os.path.basename(folder) != ".codex" and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return os.path.dirname(folder)


def _skill(found: Found, layers: Layers) -> State | None:
    entries = layers.user.part(("skills", "config")) if layers.user else None
    decided: State | None = None
    real = os.path.realpath(found.source.path)
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, dict) and layers.user and _names(entry, found.item.name, real, layers):
            keys = ("skills", "config", index)
            change = "remove the entry, or set `enabled = true`"
            off = entry.get("enabled") is False
            decided = (
                switched(OFF, "an entry of `skills.config` disables it", layers.user, keys, change) if off else None
            )
    return decided


def _names(entry: Mapping[str, Any], name: str, path: str, layers: Layers) -> bool:
    listed = entry.get("path")
    if isinstance(listed, str):
        return os.path.realpath(layers.places.absolute(listed)) == path
    return entry.get("name") == name


def _hook(hook: Hook, layers: Layers) -> State | None:
    return _hooks_off(layers) or review(hook, layers) or _refused(hook, layers)


def _refused(hook: Hook, layers: Layers) -> State | None:
    """One mistake in a `hooks.json` costs all hooks in it."""
    file = config_at(hook.path, JSON, layers.run) if hook.path.endswith(".json") else None
    if not isinstance(file, ConfigFile):
        return None
    for keys, flaw in export_of("pisces.harnesses.codex", "hook_files", "file_flaws")(file.value):
        line = file.place(*keys)[0]
        return State(REFUSED, f"Codex takes nothing from this file: {flaw}", file.path, line, "mend it")
    return None


def _hooks_off(layers: Layers) -> State | None:
    trusted = [folder for folder in layers.folders if not layers.held(folder)]
    files = [layers.config(os.path.join(folder, ".codex", CONFIG)) for folder in trusted]
    for file in (*files, layers.user):
        if file and file.part(("features", "hooks")) is False:
            return switched(OFF, "`features.hooks` is false", file, ("features", "hooks"), "set it to true")
        if file and file.part(("features", "hooks")) is True:
            return None
    return None


def review(hook: Hook, layers: Layers) -> State | None:
    """Why nobody has agreed to a hook in Codex; None if somebody has."""
    event = _snake(hook.event)
    key = f"{hook.path}:{event}:{hook.group_index}:{hook.index}"
    state = layers.user.part(("hooks", "state", key)) if layers.user else None
    if isinstance(state, dict) and layers.user:
        keys = ("hooks", "state", key)
        if state.get("enabled") is False:
            return switched(OFF, "it is disabled in `/hooks`", layers.user, keys, "enable it in `/hooks` of Codex")
        hashes = export_of("pisces.harnesses.codex", "hook_hash", "hook_hashes")(hook, event)  # most have no hooks
        if state.get("trusted_hash") in set(hashes):
            return None
        if state.get("trusted_hash"):
            reason = "it has changed since it was reviewed"
            return switched(WAITING, reason, layers.user, keys, "review it again in `/hooks` of Codex")
    change = "review it in `/hooks` of Codex"
    return State(WAITING, "nobody has reviewed it in Codex yet", layers.user_path, 0, change, only_here=True)


def _snake(event: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in event).lstrip("_")
