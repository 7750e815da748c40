"""Claude Code's plugins as packages; those that are switched off are listed too, with a note."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.state import OFF
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.folders import plugin_records, skills_folders
from pisces.harnesses.claude.settings import setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.harnesses.claude.plugins import InstalledPlugin

PLUGIN_DISABLED = Rule("plugin-disabled", NOTE, "An installed plugin is switched off")


def find(where: Where[WithSettings]) -> FinderResults:
    places = where.places
    records = (plugin_records(places), *skills_folders(places))
    if not any(map(os.path.lexists, records)) and setting(where, "enabledPlugins") is None:
        return  # before anything is loaded for it
    installed_here = export_of("pisces.harnesses.claude", "plugins", "installed_here")
    plugins: list[InstalledPlugin | Diagnostic] = installed_here(where)
    for plugin in plugins:
        if isinstance(plugin, Diagnostic):
            yield plugin
            continue
        yield where.replace(level=plugin.level, held=plugin.held).found(plugin.package, plugin.manifest_path)
        if plugin.held and plugin.held.name == OFF:
            yield _disabled(plugin)


def _disabled(plugin: InstalledPlugin) -> Diagnostic:
    name = str(plugin.package.name)
    message = f"plugin `{plugin.id}` is switched off"
    if plugin.switch is None:
        hint = f"switch it on with `claude plugin enable {plugin.id}`"
        return PLUGIN_DISABLED.at(plugin.manifest_path, f"{message} by default", hint=hint, about=name)
    return PLUGIN_DISABLED.at(plugin.switch.file.path, message, place=plugin.switch.place, about=name)
