"""A plugin's components of one kind: at the fixed place, and where the manifest says.

Paths in the manifest begin with `./` and stay inside the plugin. For commands and subagents they replace the fixed
place; for skills, hooks and servers they come on top of it. Hooks and servers may also stand in the manifest itself.
Options:
    key          the manifest's key, such as "commands"
    default      the fixed place, such as "commands" or "hooks/hooks.json"
    replaces     the manifest's paths replace the fixed place; default False
    inline       the function of the finder that reads an object in the manifest itself; default none
    lone         a file at the plugin's root that stands for everything where the rest is absent; default none
    manifest     the manifest, relative to the plugin; default that of Claude Code
    plain        paths need not begin with `./`; default False
    finder       the finder that looks at each place
    options      its options
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.delegation import passed_on
from pisces.discovery.harness import finder_named
from pisces.discovery.naming import prefixed
from pisces.harnesses.claude.plugins import MANIFEST
from pisces.shapes.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.shapes.field import Keys

PLUGIN_PATH = Rule(
    "plugin-path",
    ERROR,
    "A path in a plugin's manifest cannot be used",
    "Paths begin with `./`, are relative to the plugin, do not leave it and lead to something. Others are ignored.",
    '{"name": "review", "commands": "../shared/commands"}',
    '{"name": "review", "commands": "./commands"}',
)


def find(where: Where) -> Iterator[Found | Diagnostic]:
    file = config_at(os.path.join(where.path, *where.options.get("manifest", MANIFEST).split("/")), JSON, where.run)
    manifest = file if isinstance(file, ConfigFile) else None
    key: str = where.options["key"]
    declared = manifest.part((key,)) if manifest else None
    default = os.path.join(where.path, *where.options["default"].split("/"))
    seen: set[str] = set()
    if manifest and declared is not None:
        entries = [(key, index) for index in range(len(declared))] if isinstance(declared, list) else [(key,)]
        for keys in entries:
            yield from _declared(manifest, keys, where, seen)
    if declared is not None and where.options.get("replaces"):
        return
    if default not in seen and os.path.lexists(default):
        yield from passed_on(where, default)
    elif declared is None and where.options.get("lone"):
        yield from _lone(where)


def _declared(manifest: ConfigFile, keys: Keys, where: Where, seen: set[str]) -> Iterator[Found | Diagnostic]:
    """What one entry of the manifest leads to; its path is added to `seen`."""
    value = manifest.part(keys)
    if isinstance(value, dict) and where.options.get("inline"):
        yield from _inline(manifest, keys, where)
    elif isinstance(value, dict) and where.options["key"] == "commands":
        for name in value:
            yield from _named_command(manifest, (*keys, name), where, seen)
    elif isinstance(value, str) and value.endswith((".mcpb", ".dxt")):
        return  # a bundle, which is unpacked when it is installed
    else:
        path = _path(manifest, keys, where)
        if isinstance(path, Diagnostic):
            yield path
        elif path not in seen:
            seen.add(path)
            yield from passed_on(_with(where, {"root": True}), path)


def _path(manifest: ConfigFile, keys: Keys, where: Where) -> str | Diagnostic:
    value = manifest.part(keys)
    if not isinstance(value, str):
        return _unusable(manifest, keys, "a path must be a text", where)
    dotted = value.startswith("./") or (value == "." and where.options["key"] == "skills")
    if not dotted and not where.options.get("plain"):
        return _unusable(manifest, keys, f"`{value}` must begin with `./`", where)
    path = os.path.normpath(os.path.join(where.path, value))
    if not stays_inside(path, where.path):
        return _unusable(manifest, keys, f"`{value}` leads out of the plugin", where)
    return path if os.path.lexists(path) else _unusable(manifest, keys, f"there is no `{value}`", where)


def _named_command(manifest: ConfigFile, keys: Keys, where: Where, seen: set[str]) -> Iterator[Found | Diagnostic]:
    """One entry of `commands` as an object: a file under another name, or the prompt itself."""
    command, name = manifest.part(keys), str(keys[-1])
    if isinstance(command, dict) and isinstance(command.get("content"), str):
        inside = where.replace(options=where.options["options"])
        description, hint = (str(command.get(field) or "") for field in ("description", "argumentHint"))
        final = prefixed(name, inside)
        yield where.found(Command(name, final, description, manifest.path, "claude", command, hint, None, keys))
        return
    path = _path(manifest, (*keys, "source"), where)
    if isinstance(path, Diagnostic):
        yield path
    else:
        seen.add(path)
        yield from passed_on(_with(where, {"name": name}), path)


def _inline(manifest: ConfigFile, keys: Keys, where: Where) -> Iterator[Found | Diagnostic]:
    key = where.options["key"]
    read = finder_named(where.options["finder"], where.options["inline"])
    wrapped = isinstance(manifest.part((*keys, key)), dict)
    yield from read(
        manifest, (*keys, key) if wrapped else keys, where.replace(options=where.options.get("options", {}))
    )


def _lone(where: Where) -> Iterator[Found | Diagnostic]:
    if os.path.lexists(os.path.join(where.path, where.options["lone"])):
        yield from passed_on(_with(where, {"root": True}), where.path)


def _with(where: Where, more: dict[str, Any]) -> Where:
    """The same look with more options for the finder; `root` says that a declared folder may itself be a skill."""
    return where.replace(options={**where.options, "options": {**where.options.get("options", {}), **more}})


def _unusable(manifest: ConfigFile, keys: Keys, message: str, where: Where) -> Diagnostic:
    about = str(where.package.name) if where.package else ""
    return PLUGIN_PATH.at(manifest.path, f"`{keys[0]}`: {message}", place=manifest.place(*keys), about=about)
