"""What a plugin of Claude Code has beside commands, skills, subagents, hooks and servers, each with its place."""

from __future__ import annotations

from pisces.converting.plugin import PluginRest
from pisces.discovery.plugin_programs import LANGUAGE_KEY, entries_of, manifest_of
from pisces.harnesses.claude.hook_shape import each_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.plugin import Plugin
    from pisces.converting.reading import PackageReading
    from pisces.discovery.plugin_programs import Entries
    from pisces.shapes.package import Package

_BUNDLES = (".mcpb", ".dxt")
# Files of a folder, and of what a key of the manifest names.
_FILES = (
    ("outputStyles", "output-styles", "output style", (".md",)),
    ("themes", "themes", "theme", (".json",)),
    ("workflows", "workflows", "workflow", (".js", ".mjs", ".ts")),
)
_FIELDS = ("defaultEnabled", "metadata", "engines", "types", "binaries", "experimental")


def rest_of(plugin: Plugin, reading: PackageReading) -> Iterator[PluginRest]:
    package = reading.inventory.package
    for key, folder, sort, suffixes in _FILES:
        yield from _files(plugin, folder, plugin.fields.get(key), (sort, suffixes))
    programs = (each for each in plugin.files if each.path.startswith("bin/") and each.path.count("/") == 1)
    yield from (PluginRest(each.path[4:], each.path, lines={"": 1}, sort="program") for each in programs)
    if package is None:
        return
    yield from _language_servers(package, reading)
    yield from _monitors(package, reading)
    yield from _settings(package, reading)
    if plugin.manifest:
        yield from _of_manifest(package, reading)


def _files(plugin: Plugin, folder: str, declared: Any, kind: tuple[str, tuple[str, ...]]) -> Iterator[PluginRest]:
    sort, suffixes = kind
    named = [each.removeprefix("./").rstrip("/") for _, each in each_of(declared) if isinstance(each, str)]
    for file in plugin.files:
        if file.path.endswith(suffixes) and any(
            file.path == each or file.path.startswith(f"{each}/") for each in (folder, *named)
        ):
            name = file.path.rpartition("/")[2].rpartition(".")[0]
            yield PluginRest(name, file.path, lines={"": 1}, sort=sort)


def _language_servers(package: Package, reading: PackageReading) -> Iterator[PluginRest]:
    for found in entries_of(package, (LANGUAGE_KEY,), (".lsp.json",)):
        inner = found.value.get(LANGUAGE_KEY) if isinstance(found.value, dict) else None
        servers, keys = (inner, (*found.keys, LANGUAGE_KEY)) if isinstance(inner, dict) else (found.value, found.keys)
        for name, config in servers.items() if isinstance(servers, dict) else ():
            yield _entry(reading, "language server", name, found.replace(keys=(*keys, name), value=config))


def _monitors(package: Package, reading: PackageReading) -> Iterator[PluginRest]:
    declared = (("monitors",), ("monitors/monitors.json",)), (("experimental", "monitors"), ())
    for keys, defaults in declared:
        for found in entries_of(package, keys, defaults):
            value, at = found.value, found.keys
            if isinstance(value, dict) and "monitors" in value:
                value, at = value["monitors"], (*at, "monitors")
            one = isinstance(value, dict) and "command" in value
            for index, each in (((), value),) if one else each_of(value):
                name = each.get("name") if isinstance(each, dict) else ""
                yield _entry(reading, "monitor", str(name or "monitor"), found.replace(keys=(*at, *index), value=each))


def _settings(package: Package, reading: PackageReading) -> Iterator[PluginRest]:
    for found in entries_of(package, ("settings",), ("settings.json",)):
        for name in found.value if isinstance(found.value, dict) else ():
            inner = found.replace(keys=(*found.keys, name), value={name: found.value[name]})
            yield _entry(reading, "default setting", name, inner)


def _of_manifest(package: Package, reading: PackageReading) -> Iterator[PluginRest]:
    """Entries that stand in the manifest and nowhere else."""
    path = manifest_of(package)
    for key, sort, name in (("channels", "channel", "server"), ("dependencies", "dependency", "name")):
        for index, each in each_of(package.fields.get(key)):
            if each is not None:
                called = str(each.get(name) or key) if isinstance(each, dict) else str(each)
                yield _value(reading, sort, called, (path, (key, *index), each))
    for index, each in each_of(package.fields.get("mcpServers")):
        if isinstance(each, str) and each.endswith(_BUNDLES):
            yield _value(reading, "server bundle", each, (path, ("mcpServers", *index), each))
    for index, each in each_of(package.fields.get("hooks")):
        modules = each.get("modules") if isinstance(each, dict) else None
        for _, module in each_of(modules):
            if isinstance(module, str):
                yield _value(reading, "hook module", module, (path, ("hooks", *index, "modules"), module))
    for key in _FIELDS:
        if key in package.fields:
            yield _value(reading, "manifest field", key, (path, (key,), package.fields[key]))


def _entry(reading: PackageReading, sort: str, name: str, found: Entries) -> PluginRest:
    return _value(reading, sort, name, (found.path, found.keys, found.value))


def _value(reading: PackageReading, sort: str, name: str, place: tuple[str, tuple[str | int, ...], Any]) -> PluginRest:
    path, keys, value = place
    fields = value if isinstance(value, dict) else {"": value}
    lines = reading.files.lines(path, keys, (each for each in fields if each))
    return PluginRest(name, reading.files.below(path), fields, lines, sort, keys)
