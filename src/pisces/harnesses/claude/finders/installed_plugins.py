"""Claude Code's installed plugins as packages; those that are switched off are listed too, with a note."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.harness import FinderResults, Where
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.folders import plugin_records, skills_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.harnesses.claude.plugins import InstalledPlugin

PLUGIN_DISABLED = Rule("plugin-disabled", NOTE, "An installed plugin is switched off")


def find(where: Where[WithSettings]) -> FinderResults:
    places = where.places
    if not any(map(os.path.lexists, (plugin_records(places), *skills_folders(places)))):
        return  # before anything is loaded for it
    installed_here = export_of("pisces.harnesses.claude", "plugins", "installed_here")
    plugins: list[InstalledPlugin | Diagnostic] = installed_here(where)
    for plugin in plugins:
        if isinstance(plugin, Diagnostic):
            yield plugin
            continue
        yield where.replace(level=plugin.level).found(plugin.package, plugin.manifest_path)
        if not plugin.enabled:
            yield _disabled(plugin)


def _disabled(plugin: InstalledPlugin) -> Diagnostic:
    name = str(plugin.package.name)
    message = f"plugin `{plugin.id}` is switched off"
    if plugin.switch is None:
        hint = f"switch it on with `claude plugin enable {plugin.id}`"
        return PLUGIN_DISABLED.at(plugin.manifest_path, f"{message} by default", hint=hint, about=name)
    place = plugin.switch.place("enabledPlugins", plugin.id)
    return PLUGIN_DISABLED.at(plugin.switch.path, message, place=place, about=name)
