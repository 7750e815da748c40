"""What the plugins bring that Claude Code has installed and that are switched on."""

from __future__ import annotations

from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import SKILL_COMMANDS, components
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.finders.settings_hooks import switched_off
from pisces.harnesses.claude.plugins import InstalledPlugin, installed_here


def find(where: Where[WithSettings]) -> FinderResults:
    if where.capability == "hooks" and switched_off(where):
        return
    for plugin in installed_here(where):
        if isinstance(plugin, InstalledPlugin) and plugin.enabled:
            here = where.replace(level=plugin.level)
            yield from components(plugin.package, here)
            if where.capability == "commands":
                yield from components(plugin.package, here.replace(capability=SKILL_COMMANDS))
