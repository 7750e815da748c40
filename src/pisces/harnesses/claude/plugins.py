"""The plugins that Claude Code has installed, and whether each is switched on.

`plugins/installed_plugins.json` maps `name@marketplace` to one record (version 1) or to several (version 2), each with
an `installPath`; a record for another project does not count here, one for this project comes before one for the user.
A plugin of a marketplace that is a folder is read there. A folder with a manifest in a skills folder is a plugin too,
`name@skills-dir`. Settings decide who is on; where they are silent the manifest's `defaultEnabled` does, and without
that the plugin is on.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import Where
from pisces.files import entries, is_folder
from pisces.harnesses.claude import MANIFEST, WithSettings
from pisces.harnesses.claude.directory_marketplaces import source_folder
from pisces.harnesses.claude.folders import plugin_records, skills_folders
from pisces.harnesses.claude.settings import settings_here, switch_of
from pisces.places import Places
from pisces.shapes.package import Package
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = "claude-plugin"

PLUGIN_MISSING = Rule("plugin-missing", ERROR, "An installed plugin's folder is gone")
PLUGIN_NO_NAME = Rule("plugin-no-name", ERROR, "A plugin's manifest has no name")
PLUGIN_RECORD = Rule("plugin-record", ERROR, "A record of an installed plugin cannot be used")


class InstalledPlugin(Value):
    """`switch` is the settings file that decided about `enabled`, if one did."""

    id: str
    package: Package
    level: str
    enabled: bool
    switch: ConfigFile | None = None

    @property
    def manifest_path(self) -> str:
        path = os.path.join(self.package.path, *MANIFEST.split("/"))
        return path if os.path.lexists(path) else self.package.path


def installed_here(where: Where[WithSettings]) -> list[InstalledPlugin | Diagnostic]:
    """Every plugin that is installed for the current directory, and what is wrong with the others."""
    return where.run.once(("claude-plugins", where.places.cwd), lambda: list(_installed(where)))


def _installed(where: Where[WithSettings]) -> Iterator[InstalledPlugin | Diagnostic]:
    everything = [*_recorded(where), *_in_skills_folders(where.places)]
    settings = settings_here(where) if everything else []
    for found in everything:
        if isinstance(found, Diagnostic):
            yield found
            continue
        plugin, folder, level = found
        package = _package(plugin, folder, where)
        if isinstance(package, Diagnostic):
            yield package
            continue
        switch = switch_of(plugin, settings)
        enabled = switch[0] if switch else package.manifest.get("defaultEnabled") is not False
        yield InstalledPlugin(plugin, package, level, enabled, switch[1] if switch else None)


def _recorded(where: Where[WithSettings]) -> Iterator[tuple[str, str, str] | Diagnostic]:
    file = config_at(plugin_records(where.places), JSON, where.run)
    if isinstance(file, Diagnostic):
        yield file
        return
    plugins = file.part(("plugins",)) if file else {}
    if file and not isinstance(plugins, dict):
        yield file.not_object(("plugins",))
        return
    for plugin, records in plugins.items():
        record = _record_for_here(records if isinstance(records, list) else [records], where.places)
        if record is None:
            continue
        path = source_folder(plugin, where.places) or (record.get("installPath") if isinstance(record, dict) else None)
        if file and not (isinstance(path, str) and path):
            message = f"plugin `{plugin}` has no `installPath`"
            yield PLUGIN_RECORD.at(file.path, message, place=file.place("plugins", plugin), about=_name(plugin))
        elif file and not os.path.isdir(where.places.absolute(str(path))):
            message = f"plugin `{plugin}` is not at `{path}`"
            yield PLUGIN_MISSING.at(file.path, message, place=file.place("plugins", plugin), about=_name(plugin))
        else:
            yield plugin, where.places.absolute(str(path)), _level(record)


def _record_for_here(records: list[object], places: Places) -> object:
    """The record that counts here; None where all of them are for other projects."""
    projects = list(places.ancestors())
    here = [each for each in records if isinstance(each, dict) and each.get("projectPath") in projects]
    general = [each for each in records if not (isinstance(each, dict) and each.get("projectPath"))]
    return next(iter(here + general), None)


def _level(record: object) -> str:
    return PROJECT if isinstance(record, dict) and record.get("projectPath") else USER


def _in_skills_folders(places: Places) -> Iterator[tuple[str, str, str]]:
    of_user, of_project = skills_folders(places)
    for level, folder in ((USER, of_user), (PROJECT, of_project)):
        for entry in entries(folder) if level == USER or places.cwd != places.home else ():
            if is_folder(entry) and os.path.lexists(os.path.join(entry.path, *MANIFEST.split("/"))):
                yield f"{entry.name}@skills-dir", entry.path, level


def _package(plugin: str, folder: str, where: Where[WithSettings]) -> Package | Diagnostic:
    file = config_at(os.path.join(folder, *MANIFEST.split("/")), JSON, where.run)
    if isinstance(file, Diagnostic):
        return file.replace(about=_name(plugin))
    if file is None:
        return Package(_name(plugin), folder, {}, FORMAT)
    if not isinstance(file.value, dict):
        return file.not_object().replace(about=_name(plugin))
    name = file.value.get("name")
    if not isinstance(name, str) or not name:
        message = "the manifest has no text `name`"
        return PLUGIN_NO_NAME.at(file.path, message, place=file.place("name"), about=_name(plugin))
    return Package(name, folder, file.value, FORMAT)


def _name(plugin: str) -> str:
    return plugin.rpartition("@")[0] or plugin
