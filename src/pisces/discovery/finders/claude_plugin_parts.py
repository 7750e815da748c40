"""A plugin's components of one kind: at the fixed place, and where the manifest says.

Paths in the manifest begin with `./` and stay inside the plugin. For commands and subagents they replace the fixed
place; for skills, hooks and servers they come on top of it. Hooks and servers may also stand in the manifest itself.
Options:
    key          the manifest's key, such as "commands"
    default      the fixed place, such as "commands" or "hooks/hooks.json"
    replaces     the manifest's paths replace the fixed place; default False
    inline       the function of the finder that reads an object in the manifest itself; default none
    lone         a file at the plugin's root that stands for everything where the rest is absent; default none
    finder       the finder that looks at each place
    options      its options
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.claude.plugins import MANIFEST
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.delegation import passed_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where

PLUGIN_PATH = Rule(
    "plugin-path",
    ERROR,
    "A path in a plugin's manifest cannot be used",
    "Paths begin with `./`, are relative to the plugin, do not leave it and lead to something. Others are ignored.",
    '{"name": "review", "commands": "../shared/commands"}',
    '{"name": "review", "commands": "./commands"}',
)


def find(where: Where) -> Iterator[Found | Diagnostic]:
    file = config_at(os.path.join(where.path, *MANIFEST.split("/")), JSON, where.run)
    manifest = file if isinstance(file, ConfigFile) else None
    key: str = where.options["key"]
    declared = manifest.part((key,)) if manifest else None
    default = os.path.join(where.path, *where.options["default"].split("/"))
    seen: set[str] = set()
    if manifest and declared is not None:
        for keys, each in _listed(key, declared):
            yield from _declared(manifest, keys, each, where, seen)
    if declared is not None and where.options.get("replaces"):
        return
    if default not in seen and os.path.lexists(default):
        yield from passed_on(where, default)
    elif declared is None and where.options.get("lone"):
        yield from _lone(where)


def _listed(key: str, declared: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(declared, list):
        yield from (((key, index), each) for index, each in enumerate(declared))
    else:
        yield (key,), declared


def _declared(
    manifest: ConfigFile, keys: tuple[str | int, ...], value: Any, where: Where, seen: set[str]
) -> Iterator[Found | Diagnostic]:
    """What one entry of the manifest leads to; its path is added to `seen`."""
    if isinstance(value, dict) and where.options.get("inline"):
        yield from _inline(manifest, keys, value, where)
    elif isinstance(value, dict) and where.options["key"] == "commands":
        for name, command in value.items():
            source = command.get("source") if isinstance(command, dict) else None
            if source is not None:
                yield from _declared(manifest, (*keys, name, "source"), source, where, seen)
    elif not isinstance(value, str):
        yield _unusable(manifest, keys, "a path must be a text", where)
    elif not (value.startswith("./") or (value == "." and where.options["key"] == "skills")):
        yield _unusable(manifest, keys, f"`{value}` must begin with `./`", where)
    else:
        path = os.path.normpath(os.path.join(where.path, value))
        root = os.path.realpath(where.path)
        if os.path.commonpath((root, os.path.realpath(path))) != root:
            yield _unusable(manifest, keys, f"`{value}` leads out of the plugin", where)
        elif not os.path.lexists(path):
            yield _unusable(manifest, keys, f"there is no `{value}`", where)
        elif path not in seen:
            seen.add(path)
            yield from passed_on(_with_root(where), path)


def _inline(
    manifest: ConfigFile, keys: tuple[str | int, ...], value: Any, where: Where
) -> Iterator[Found | Diagnostic]:
    inside = where.replace(options=where.options.get("options", {}))
    read = export_of("pisces.discovery.finders", where.options["finder"], where.options["inline"])
    wrapped = where.options["key"] in value and isinstance(value[where.options["key"]], dict)
    yield from read(manifest, (*keys, where.options["key"]) if wrapped else keys, inside)


def _lone(where: Where) -> Iterator[Found | Diagnostic]:
    if os.path.lexists(os.path.join(where.path, where.options["lone"])):
        yield from passed_on(_with_root(where), where.path)


def _with_root(where: Where) -> Where:
    """A declared folder may itself be the component."""
    options = {**where.options.get("options", {}), "root": True}
    return where.replace(options={**where.options, "options": options})


def _unusable(manifest: ConfigFile, keys: tuple[str | int, ...], message: str, where: Where) -> Diagnostic:
    about = str(where.package.name) if where.package else ""
    return PLUGIN_PATH.at(manifest.path, f"`{keys[0]}`: {message}", place=manifest.place(*keys), about=about)
