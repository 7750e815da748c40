"""Values that completion offers beside options and their choices: they are asked for where they are known.

They are names from other people's files, and end up on a command line: a name that a shell would not take as one plain
word is not offered.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.discovery.capabilities import CAPABILITIES, MCP_SERVERS
from pisces.discovery.harness import Run, all_harnesses
from pisces.discovery.registry import discover
from pisces.discovery.switches import configured_switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.commands.names.catalog import Catalog
    from pisces.places import Places

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:._-@+")
_ABOUT_SERVERS = "mcp_"
_PACKAGES_OF = "extensions_"  # commands about packages that are installed


def values(what: str, command: str, typed: list[str], places: Places) -> list[str]:
    """What may stand for a placeholder such as KIND. `typed` are the words of the command's line so far."""
    return [word for word in dict.fromkeys(_values(what, command, typed, places)) if word and _PLAIN.issuperset(word)]


def _values(what: str, command: str, typed: list[str], places: Places) -> Iterable[str]:
    if what == "KIND":
        return (kind.id for kind in CAPABILITIES)
    if what == "ID":
        return ("pisces", *(harness.id for harness in all_harnesses()))
    if what == "CODE":
        return list(export_of("pisces.ui", "rules", "all_rules")())
    if what == "TEMPLATE":
        return list(export_of("pisces.packages", "new", "template_ids")())
    if what == "TARGET":
        return [each.id for each in export_of("pisces.converting", "writer", "all_writers")()]
    if what == "SESSION":
        stored = export_of("pisces.agent", "transcript_places", "sessions_here")(places)
        return ("last", *(each.id for each in stored))
    if what.startswith("/NAME"):
        return _slash_commands(typed, _catalog(places))
    if what in ("NAME", "SERVER") and command.startswith(_ABOUT_SERVERS):
        known = discover(MCP_SERVERS, places, configured_switches(places)[0])
        return [each.item.name for each in (*known.items, *known.undecided)]
    if what == "NAME" and command.startswith(_PACKAGES_OF):
        return _installed(places)
    return _everything(places) if what == "NAME" and command == "why" else ()


def _catalog(places: Places) -> Catalog:
    catalog = export_of("pisces.commands.names", "catalog", "catalog")
    found: Catalog = catalog(places, configured_switches(places)[0], ())
    return found


def _slash_commands(typed: list[str], found: Catalog) -> list[str]:
    """Names of commands; behind the name of a program its subcommands."""
    if not typed:
        return [f"/{name}" for name in found.names]
    entry = found.names.get(typed[0].removeprefix("/"))
    executable = entry.command.executable if entry and len(typed) == 1 else None
    return list(executable.subcommands) if executable else []


def _installed(places: Places) -> list[str]:
    stores = export_of("pisces.packages.store", "every_store", "stores")("")
    return [name for store in stores for name in store.index(places)]


def _everything(places: Places) -> list[str]:
    """Every name that `why` knows."""
    names_of = export_of("pisces.cli", "why", "names_of")
    switches, run = configured_switches(places)[0], Run()
    found = [discover(kind, places, switches, run=run) for kind in CAPABILITIES]
    return [name for each in found for candidate in each.all for name in names_of(each.capability.id, candidate)]
