"""What writers share: their parts put together, files that are only carried along, and fates of what has no place."""

from __future__ import annotations

import json
import re

from pisces.converting.fate import DROPPED, LOST_COMPONENT, LOST_FIELD, LOST_GUARD, MAPPED, Fate, lost
from pisces.converting.writer import OutputFile, Written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from pisces.converting.plugin import Plugin, PluginItem, PluginRest

_GUARDS = ("policy", "excluded tool")
_PERSON = re.compile(r"\s*([^<(]*[^<(\s])\s*(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?\s*")


def assembled(parts: Iterable[Written]) -> Written:
    """One output of several. Of two files at one place the first counts."""
    files: dict[str, OutputFile] = {}
    fates: list[Fate] = []
    for part in parts:
        fates += part.fates
        for each in part.files:
            files.setdefault(each.path, each)
    return Written(tuple(files[path] for path in sorted(files)), tuple(fates))


def json_file(path: str, value: object) -> OutputFile:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return OutputFile(path, text.encode("utf-8", "backslashreplace") + b"\n")


def whole_copy(plugin: Plugin) -> Written:
    """A package that is in the wanted format already: every file as it is."""
    items = (*plugin.commands, *plugin.skills, *plugin.agents, *plugin.hooks, *plugin.servers, *plugin.settings)
    fates = (Fate(MAPPED, f"{each.kind} `{each.name}`", each.path, each.line(), "", each.path) for each in items)
    files = tuple(OutputFile(each.path, None, each.path, each.is_executable) for each in plugin.files)
    return Written(files, tuple(fates))


def other_files(plugin: Plugin, is_taken: Callable[[str], bool], label: str) -> Written:
    """The files that belong to no component: scripts, documents, data. What components start may name any of them.

    `is_taken` says of a path whether the target would take the file for a component.
    """
    claimed = component_paths(plugin)
    files: list[OutputFile] = []
    fates: list[Fate] = []
    for each in plugin.files:
        if each.path in claimed:
            continue
        if is_taken(each.path):
            why = f"{label} would take it for a component that it is not"
            code, severity = LOST_COMPONENT.code, LOST_COMPONENT.severity
            fates.append(Fate(DROPPED, f"file `{each.path}`", each.path, 0, "", "", code, severity, why))
        else:
            files.append(OutputFile(each.path, None, each.path, each.is_executable))
    return Written(tuple(files), tuple(fates))


def component_paths(plugin: Plugin) -> set[str]:
    """The files that hold the manifest and the components, with everything in folders of skills."""
    items = (*plugin.commands, *plugin.agents, *plugin.hooks, *plugin.servers, *plugin.settings, *plugin.rest)
    skills = {path for each in plugin.skills if each.folder or not items for path in (each.path, *each.files)}
    lone = {each.path for each in plugin.skills}
    return {plugin.manifest, *(each.path for each in items), *skills, *lone}


def left_fields(item: PluginItem, known: Iterable[str], label: str) -> Iterator[Fate]:
    """A fate for each field of the item that the target has no place for."""
    names = frozenset(known)
    for field in item.fields:
        if field not in names:
            yield lost(DROPPED, LOST_FIELD, item, f"{label} has no `{field}`", field=str(field))


def rest_fates(plugin: Plugin, label: str) -> Iterator[Fate]:
    for each in plugin.rest:
        yield _rest_fate(each, label)


def _rest_fate(item: PluginRest, label: str) -> Fate:
    if item.sort in _GUARDS:
        return lost(DROPPED, LOST_GUARD, item, f"{label} takes no {item.sort} from a package")
    return lost(DROPPED, LOST_COMPONENT, item, f"{label} has no place for a {item.sort or 'component'} of a package")


def misshapen(plugin: Plugin, keys: Iterable[str], label: str) -> Iterator[Fate]:
    """A fate for each of these keys of the manifest that has a value which no manifest can carry."""
    for key in keys:
        value = plugin.metadata.get(key)
        if value and not _carried(key, value):
            yield lost_key(plugin, key, f"{label} takes no such value for `{key}`")


def lost_key(plugin: Plugin, key: str, why: str) -> Fate:
    """What becomes of a key of the manifest, or of one inside of it, that the target does not get."""
    code, severity, line = LOST_FIELD.code, LOST_FIELD.severity, plugin.lines.get(key.partition(".")[0], 0)
    return Fate(DROPPED, "manifest", plugin.manifest, line, key, "", code, severity, why)


def _carried(key: str, value: Any) -> bool:
    if key == "author":
        return bool(author_of(value))
    if key == "keywords":
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return bool(repository_of(value)) if key == "repository" else isinstance(value, str)


def author_of(value: Any) -> dict[str, str]:
    """`Name <mail> (address)` or an object, as an object with texts; empty for anything else."""
    if isinstance(value, dict):
        return {key: value[key] for key in ("name", "email", "url") if isinstance(value.get(key), str) and value[key]}
    found = _PERSON.fullmatch(value) if isinstance(value, str) and len(value) < 1000 else None
    return (
        {key: each for key, each in zip(("name", "email", "url"), found.groups(), strict=True) if each} if found else {}
    )


def repository_of(value: Any) -> str:
    """The address, also of npm's object."""
    found = value.get("url") if isinstance(value, dict) else value
    return found if isinstance(found, str) else ""
