"""What the plugins of Claude Code bring; of those that do not load, too, with the reason."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import components
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.hook_switches import held_in_plugins
from pisces.harnesses.claude.plugins import InstalledPlugin, installed_here
from pisces.harnesses.claude.server_switches import switched_off


def find(where: Where[WithSettings]) -> FinderResults:
    for plugin in installed_here(where):
        if isinstance(plugin, InstalledPlugin):
            held = plugin.held or (held_in_plugins(plugin.switch, where) if where.capability == "hooks" else None)
            found = components(plugin.package, where.replace(level=plugin.level, held=held))
            yield from found if held or where.capability != "mcp-servers" else _allowed(found, where)


def _allowed(servers: FinderResults, where: Where[WithSettings]) -> FinderResults:
    for each in servers:
        held = None if isinstance(each, Diagnostic) else switched_off(each.item, where)
        yield each if isinstance(each, Diagnostic) or held is None else each.replace(held=held)
