"""What a Claude Code plugin starts beside its hooks and MCP servers (2.1.325, and the vendor's documentation).

Language servers, monitors, programs in `bin` (they are on the PATH of every shell line), settings, bundles of servers,
modules of hooks, workflows, forced output styles, plugins that it depends on, and servers that may speak unasked.
"""

from __future__ import annotations

import json
import os

from pisces.discovery.acts import settings_acts
from pisces.discovery.addresses import hosts_in
from pisces.discovery.plugin_programs import (
    Entries,
    entries_of,
    inside,
    language_servers,
    line_act,
    manifest_of,
    unread_act,
)
from pisces.files import Unreadable, entries as files_in, is_folder, read_text, walk
from pisces.formats import yaml
from pisces.formats.frontmatter import split
from pisces.formats.malformed import Malformed
from pisces.shapes.act import FILE, GRANT, MODULE, SERVER, SOURCE, Act
from pisces.shapes.settings import SettingsFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.package import Package

_BUNDLES = (".mcpb", ".dxt")
_HOOK_FILE = "hooks/hooks.json"


def _acts(package: Package) -> Iterator[Act]:
    yield from language_servers(package, ".lsp.json")
    yield from _monitors(package)
    yield from _bundles(package)
    yield from _hook_modules(package)
    yield from _workflows(package)
    yield from _settings(package)
    yield from _styles(package)
    for entry in files_in(os.path.join(package.path, "bin")):
        if not is_folder(entry):
            when = "in every shell line that says its name: `bin` is on the PATH"
            yield Act(FILE, entry.name, f"bin/{entry.name}", when, entry.path)
    yield from _others(package)


def _monitors(package: Package) -> Iterator[Act]:
    found = [
        *_listed(package, ("monitors",), ("monitors/monitors.json",)),
        *_listed(package, ("experimental", "monitors"), ()),
    ]
    for at, each in found:
        when = str(each.get("when") or "always")
        during = "at start, and stays" if when == "always" else f"{when}, and stays"
        line = each.get("command")
        text = line if isinstance(line, str) else json.dumps(each, default=str)
        yield line_act(f"monitor {each.get('name', '')}", text, during, at)


def _listed(
    package: Package, keys: tuple[str, ...], defaults: tuple[str, ...]
) -> Iterator[tuple[Entries, dict[str, Any]]]:
    """Monitors are a list, in the manifest or in a file, with or without a key around it."""
    for found in entries_of(package, keys, defaults):
        value = found.value
        at = found.keys
        if isinstance(value, dict) and not value.get("command") and "monitors" in value:
            value, at = value["monitors"], (*at, "monitors")
        is_one = isinstance(value, dict) and bool(value.get("command"))
        named = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, each in (("command", value),) if is_one else named:
            if isinstance(each, dict):
                yield found.replace(keys=(*at, key)), each


def _bundles(package: Package) -> Iterator[Act]:
    """A bundle is a server with its program, as one file or at an address. It is not unpacked here."""
    for each in _texts(package.fields.get("mcpServers")):
        if each.endswith(_BUNDLES):
            hosts, keys = hosts_in(each), ("mcpServers",)
            made = Act(SERVER, os.path.basename(each), f"a bundle: {each}", "at start", manifest_of(package), keys)
            yield made.replace(url=each if hosts else "", hosts=hosts)


def _hook_modules(package: Package) -> Iterator[Act]:
    for found in entries_of(package, ("hooks",), (_HOOK_FILE,)):
        modules = found.value.get("modules") if isinstance(found.value, dict) else None
        for each in _texts(modules):
            path, when = inside(package, each), "on events, as a module of hooks"
            yield Act(MODULE, os.path.basename(each), path or each, when, path or found.path)


def _workflows(package: Package) -> Iterator[Act]:
    for each in dict.fromkeys(("workflows", *_texts(package.fields.get("workflows")))):
        files, left = _files_of(package, each, "when the workflow is started")
        yield from left
        for path in files:
            yield Act(MODULE, os.path.basename(path), path, "when the workflow is started", path)


def _settings(package: Package) -> Iterator[Act]:
    for found in entries_of(package, ("settings",), ("settings.json",)):
        for act in settings_acts(SettingsFile(found.path, found.value), "claude"):
            yield act.replace(keys=(*found.keys, *act.keys))
        agent = found.value.get("agent") if isinstance(found.value, dict) else None
        if isinstance(agent, str) and agent:
            yield Act(GRANT, "agent", f"{agent} leads the conversation", "at start", found.path, (*found.keys, "agent"))


def _styles(package: Package) -> Iterator[Act]:
    """Output styles that put themselves into the system prompt as soon as the plugin is on, whatever the user chose."""
    for each in dict.fromkeys(("output-styles", *_texts(package.fields.get("outputStyles")))):
        files, left = _files_of(package, each, "at start")
        yield from left
        for path in files:
            if path.endswith(".md") and _is_forced(path):
                text = f"output style {os.path.basename(path)} is part of every system prompt"
                yield Act(GRANT, "force-for-plugin", text, "at start", path)


def _files_of(package: Package, path: str, when: str) -> tuple[list[str], list[Act]]:
    """A file, or those below a folder; and a line for what was not read."""
    top, cuts = inside(package, path), list[str]()
    if not top or os.path.isfile(top):
        return [top] if top else [], []
    files = [entry.path for entry in walk(top, cut=cuts.append) if not is_folder(entry)]
    return files, [unread_act(each, when) for each in cuts]


def _is_forced(path: str) -> bool:
    try:
        parts = split(read_text(path).removeprefix("\ufeff"))
        header = yaml.parse(parts.header) if parts else None
    except (Unreadable, Malformed):
        return False
    value = header.get("force-for-plugin") if isinstance(header, dict) else None
    return value is True or value == "true"


def _others(package: Package) -> Iterator[Act]:
    manifest = manifest_of(package)
    for each in _list(package.fields.get("dependencies")):
        text = each if isinstance(each, str) else json.dumps(each, default=str)
        yield Act(SOURCE, "dependencies", text, "another plugin, installed with it", manifest, ("dependencies",))
    for each in _list(package.fields.get("channels")):
        if isinstance(each, dict):
            text = f"the server {each.get('server', '')} speaks in the conversation unasked"
            yield Act(GRANT, "channels", text, "at any time", manifest, ("channels",))


def _texts(value: object) -> list[str]:
    """A text, or the texts of a list."""
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str) and each]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


PACKAGE_ACTS = _acts
