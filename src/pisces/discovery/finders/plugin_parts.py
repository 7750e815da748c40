"""A plugin's components of one kind: at the fixed place, and where the manifest says.

Paths in the manifest begin with `./` and stay inside the plugin. For commands and subagents they replace the fixed
place; for skills, hooks and servers they come on top of it. Hooks and servers may also stand in the manifest itself.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import MARKED, ConfigFile, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderOptions, Where, finder_named, passed_on
from pisces.discovery.options import MarkdownCommands, SkillFolders, prefixed
from pisces.discovery.package_format import first_existing
from pisces.discovery.package_options import PluginParts
from pisces.shapes.command import Command
from pisces.shapes.field import Keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


PLUGIN_PATH = Rule("plugin-path", ERROR, "A path in a plugin's manifest cannot be used")


def find(where: Where[PluginParts]) -> Iterator[Found | Diagnostic]:
    options, key = where.options, where.options.key
    file = config_at(first_existing(where.path, (options.manifest, *options.other_manifests)), MARKED, where.run)
    file = getattr(where.package, "file", None) or file  # what stands for the manifest, where a marketplace has it
    manifest = file if isinstance(file, ConfigFile) else None
    declared = manifest.part((key,)) if manifest else None
    default = first_existing(where.path, (options.default, *options.other_defaults))
    seen: set[str] = set()
    if manifest and declared is not None:
        entries = [(key, index) for index in range(len(declared))] if isinstance(declared, list) else [(key,)]
        for keys in entries:
            yield from _declared(manifest, keys, where, seen)
    if declared is not None and options.replaces:
        return
    if default not in seen and os.path.lexists(default):
        yield from passed_on(where, options.then, default)
    elif declared is None and options.lone and os.path.lexists(os.path.join(where.path, options.lone)):
        yield from passed_on(where, _for_declared(options.then), where.path)


def _declared(
    manifest: ConfigFile, keys: Keys, where: Where[PluginParts], seen: set[str]
) -> Iterator[Found | Diagnostic]:
    """What one entry of the manifest leads to; its path is added to `seen`."""
    value = manifest.part(keys)
    if isinstance(value, dict) and where.options.then.INLINE:
        yield from _inline(manifest, keys, where)
    elif isinstance(value, dict) and isinstance(where.options.then, MarkdownCommands):
        for name in value:
            yield from _named_command(manifest, (*keys, name), where, seen)
    elif isinstance(value, str) and value.endswith((".mcpb", ".dxt")):
        return  # a bundle, which is unpacked when it is installed
    elif isinstance(value, str) and where.options.plain and "*" in value:
        for match in export_of("pisces.discovery", "path_pattern", "matching")(value, where.path):
            seen.add(match)
            yield from passed_on(where, where.options.then, match)
    else:
        path = _path(manifest, keys, where)
        if isinstance(path, Diagnostic):
            yield path
        elif path not in seen:
            seen.add(path)
            yield from passed_on(where, _for_declared(where.options.then), path)


def _path(manifest: ConfigFile, keys: Keys, where: Where[PluginParts]) -> str | Diagnostic:
    value = manifest.part(keys)
    if not isinstance(value, str):
        return _unusable(manifest, keys, "a path must be a text", where)
    dotted = value.startswith("./") or (value == "." and isinstance(where.options.then, SkillFolders))
    if not dotted and not where.options.plain:
        return _unusable(manifest, keys, f"`{value}` must begin with `./`", where)
    path = os.path.normpath(os.path.join(where.path, value))
    if not stays_inside(path, where.path):
        return _unusable(manifest, keys, f"`{value}` leads out of the plugin", where)
    return path if os.path.lexists(path) else _unusable(manifest, keys, f"there is no `{value}`", where)


def _named_command(
    manifest: ConfigFile, keys: Keys, where: Where[PluginParts], seen: set[str]
) -> Iterator[Found | Diagnostic]:
    """One entry of `commands` as an object: a file under another name, or the prompt itself."""
    command, name, then = manifest.part(keys), str(keys[-1]), where.options.then
    if not isinstance(then, MarkdownCommands):
        return
    if isinstance(command, dict) and isinstance(command.get("content"), str):
        description, hint = (str(command.get(field) or "") for field in ("description", "argumentHint"))
        final, dialect = prefixed(name, where.given(then, where.path)), then.dialect or where.harness_id
        yield where.found(Command(name, final, description, manifest.path, dialect, command, hint, None, keys))
        return
    path = _path(manifest, (*keys, "source"), where)
    if isinstance(path, Diagnostic):
        yield path
    else:
        seen.add(path)
        yield from passed_on(where, then.replace(name=name), path)


def _inline(manifest: ConfigFile, keys: Keys, where: Where[PluginParts]) -> Iterator[Found | Diagnostic]:
    key, then = where.options.key, where.options.then
    read = finder_named(then.FINDER, then.INLINE)
    wrapped = isinstance(manifest.part((*keys, key)), dict)
    yield from read(manifest, (*keys, key) if wrapped else keys, where.given(then, where.path))


def _for_declared(then: FinderOptions) -> FinderOptions:
    """A folder that the manifest names may itself be a skill."""
    return then.replace(root=True) if isinstance(then, SkillFolders) else then


def _unusable(manifest: ConfigFile, keys: Keys, message: str, where: Where[PluginParts]) -> Diagnostic:
    about = str(where.package.name) if where.package else ""
    return PLUGIN_PATH.at(manifest.path, f"`{keys[0]}`: {message}", place=manifest.place(*keys), about=about)
