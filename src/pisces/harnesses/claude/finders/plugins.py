"""What the plugins of Claude Code bring; of those that do not load, too, with the reason."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import components
from pisces.discovery.state import SHADOWED, State
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.finders import servers
from pisces.harnesses.claude.hook_switches import held_in_plugins
from pisces.harnesses.claude.plugins import InstalledPlugin, installed_here
from pisces.harnesses.claude.server_switches import switched_off, what_it_starts


def find(where: Where[WithSettings]) -> FinderResults:
    of_servers = where.capability == "mcp-servers"
    taken = _configured(where) if of_servers else {}
    for plugin in installed_here(where):
        if isinstance(plugin, InstalledPlugin):
            held = plugin.held or (held_in_plugins(plugin.switch, where) if where.capability == "hooks" else None)
            found = components(plugin.package, where.replace(level=plugin.level, held=held))
            yield from found if held or not of_servers else _allowed(found, where, taken)


def _allowed(found: FinderResults, where: Where[WithSettings], taken: dict[str, str]) -> FinderResults:
    """Servers of a plugin: a switch may hold one back, and one that starts the same as another does not start."""
    for each in sorted(found, key=_declared):
        if isinstance(each, Diagnostic):
            yield each
            continue
        held, same = switched_off(each.item, where), what_it_starts(each.item)
        if held is None and same in taken:
            held = State(SHADOWED, f"the server `{taken[same]}` starts the same")
        elif held is None:
            taken[same] = each.item.name
        yield each.replace(held=held) if held else each


def _declared(found: Found | Diagnostic) -> bool:
    """Whether a server stands elsewhere than in `.mcp.json`, which Claude Code reads first."""
    path = found.path if isinstance(found, Diagnostic) else found.source.path
    return os.path.basename(path) != ".mcp.json"


def _configured(where: Where[WithSettings]) -> dict[str, str]:
    """What the servers start that no plugin brings, with their names."""
    found = [each for each in servers.find(where) if not isinstance(each, Diagnostic) and each.held is None]
    return {what_it_starts(each.item): each.item.name for each in found}
