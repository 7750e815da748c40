"""A plugin's components of one kind: at the fixed place, and where the manifest says.

Paths in the manifest begin with `./` and stay inside the plugin. For commands and subagents they replace the fixed
place; for skills, hooks and servers they come on top of it. Hooks and servers may also stand in the manifest itself.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
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
    from typing import Any


PLUGIN_PATH = Rule("plugin-path", ERROR, "A path in a plugin's manifest cannot be used")
PLUGIN_PATH_MISSING = Rule("plugin-path-missing", WARNING, "A path in a plugin's manifest leads to nothing")


def find(where: Where[PluginParts]) -> Iterator[Found | Diagnostic]:
    options, key = where.options, where.options.key
    file = config_at(first_existing(where.path, (options.manifest, *options.other_manifests)), MARKED, where.run)
    file = getattr(where.package, "file", None) or file  # what stands for the manifest, where a marketplace has it
    manifest = file if isinstance(file, ConfigFile) else None
    declared = manifest.part((key,)) if manifest else None
    default = _fixed_place(where)
    seen: set[str] = set()
    if manifest and declared is not None:
        entries = [(key, index) for index in range(len(declared))] if isinstance(declared, list) else [(key,)]
        for keys in entries:
            yield from _declared(manifest, keys, where, seen)
    if options.replaces and declared is not None and not (options.falls_back and _is_formless(declared, where)):
        return
    if default not in seen and os.path.lexists(default):
        yield from passed_on(where, options.then, default)
    elif declared is None and options.lone and os.path.lexists(os.path.join(where.path, options.lone)):
        yield from passed_on(where, _for_declared(options.then), where.path)


def _fixed_place(where: Where[PluginParts]) -> str:
    return first_existing(where.path, (where.options.default, *where.options.other_defaults))


def _is_formless(declared: Any, where: Where[PluginParts]) -> bool:
    """Whether no part of what the manifest says is a path that may be used, or the components themselves."""
    return not any(
        bool(where.options.then.INLINE) if isinstance(each, dict) else not _form_flaw(each, where)
        for each in (declared if isinstance(declared, list) else [declared])
    )


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
        matching = export_of("pisces.discovery", "path_pattern", "matching")
        for match in matching(value, where.path, where.run.cuts.append):
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
    flaw = _form_flaw(value, where)
    if flaw:
        return _unusable(manifest, keys, flaw, where)
    path = _inside(value, where)
    if os.path.lexists(path):
        return path
    missing = f"there is no `{value}`"
    if not where.options.gaps:
        return _unusable(manifest, keys, missing, where)
    lost = _lost_place(manifest, where)
    if lost:
        return _unusable(manifest, keys, f"{missing}, and `{lost}` is not read", where)
    return _unusable(manifest, keys, missing, where, PLUGIN_PATH_MISSING)


def _inside(value: str, where: Where[PluginParts]) -> str:
    return os.path.normpath(os.path.join(where.path, value))


def _form_flaw(value: Any, where: Where[PluginParts]) -> str:
    """Why a path cannot be one of a plugin, whether it exists or not."""
    if not isinstance(value, str):
        return "a path must be a text"
    dotted = value.startswith("./") or (value == "." and isinstance(where.options.then, SkillFolders))
    if not dotted and not where.options.plain:
        return f"`{value}` must begin with `./`"
    return "" if stays_inside(_inside(value, where), where.path) else f"`{value}` leads out of the plugin"


def _lost_place(manifest: ConfigFile, where: Where[PluginParts]) -> str:
    """The fixed place, where it exists and is not read because the manifest names others only."""
    declared, default = manifest.part((where.options.key,)), _fixed_place(where)
    named = [each for each in (declared if isinstance(declared, list) else [declared]) if isinstance(each, str)]
    if not os.path.lexists(default) or default in [_inside(each, where) for each in named]:
        return ""
    return where.options.default


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


def _unusable(
    manifest: ConfigFile, keys: Keys, message: str, where: Where[PluginParts], rule: Rule = PLUGIN_PATH
) -> Diagnostic:
    about = str(where.package.name) if where.package else ""
    return rule.at(manifest.path, f"`{keys[0]}`: {message}", place=manifest.place(*keys), about=about)
