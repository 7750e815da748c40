"""What the plugins of Claude Code bring; of those that do not load, too, with the reason."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.containment import passes_link, stays_inside
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import SKILL_COMMANDS, components
from pisces.discovery.state import REFUSED, SHADOWED, State
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.finders import servers
from pisces.harnesses.claude.hook_switches import held_in_plugins
from pisces.harnesses.claude.plugins import InstalledPlugin, installed_here
from pisces.harnesses.claude.server_switches import switched_off, what_it_starts
from pisces.shapes.package import Package

_UNLINKED = ("commands", "subagents")


def find(where: Where[WithSettings]) -> FinderResults:
    of_servers = where.capability == "mcp-servers"
    taken = _configured(where) if of_servers else {}
    for plugin in installed_here(where):
        if isinstance(plugin, InstalledPlugin):
            held = plugin.held or (held_in_plugins(plugin.switch, where) if where.capability == "hooks" else None)
            found = components(plugin.package, where.replace(level=plugin.level, held=held))
            if held is None:
                found = _inside(plugin, found, where.capability)
            if where.capability == "skills" and held is None:
                found = _behind_commands(found, plugin.package, where)
            yield from found if held or not of_servers else _allowed(found, where, taken)
            if where.capability == "commands":
                here = where.replace(level=plugin.level, held=held, capability=SKILL_COMMANDS)
                yield from components(plugin.package, here)


def _inside(plugin: InstalledPlugin, found: FinderResults, capability: str) -> FinderResults:
    """Files of a plugin that are links count only inside it; in a folder of commands or subagents, not at all."""
    folder = plugin.package.path
    for each in found:
        path = "" if isinstance(each, Diagnostic) else each.source.path
        if isinstance(each, Diagnostic) or not path.startswith(folder + os.sep) or not passes_link(path, folder):
            yield each
            continue
        first = os.path.join(folder, path[len(folder) + 1 :].partition(os.sep)[0])
        if capability in _UNLINKED and passes_link(path, first):
            yield each.replace(held=State(REFUSED, "Claude Code follows no links among them in a plugin", path))
        elif not stays_inside(path, plugin.root or folder):
            yield each.replace(held=State(REFUSED, "it is a link that leads out of the plugin", path))
        else:
            yield each


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


def _behind_commands(found: FinderResults, package: Package, where: Where[WithSettings]) -> FinderResults:
    """Skills of a plugin; a command of the same plugin that has the name of a skill's folder comes before it."""
    commands = components(package, where.replace(capability="commands"))
    paths = {each.item.final_name: each.item.path for each in commands if not isinstance(each, Diagnostic)}
    for each in found:
        folder = "" if isinstance(each, Diagnostic) else os.path.basename(os.path.dirname(each.item.path))
        path = paths.get(f"{package.name}:{folder}")
        if isinstance(each, Diagnostic) or path is None:
            yield each
        else:
            yield each.replace(held=State(SHADOWED, f"the command at `{where.places.shown(path)}` has its name", path))


def _declared(found: Found | Diagnostic) -> bool:
    """Whether a server stands elsewhere than in `.mcp.json`, which Claude Code reads first."""
    path = found.path if isinstance(found, Diagnostic) else found.source.path
    return os.path.basename(path) != ".mcp.json"


def _configured(where: Where[WithSettings]) -> dict[str, str]:
    """What the servers start that no plugin brings, with their names."""
    found = [each for each in servers.find(where) if not isinstance(each, Diagnostic) and each.held is None]
    return {what_it_starts(each.item): each.item.name for each in found}
