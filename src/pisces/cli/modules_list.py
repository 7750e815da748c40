"""`pisces modules list`: every module that would run here, in order, and those that would not, and why."""

from __future__ import annotations

from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.gates.trust import admitted
from pisces.gates.trusted import trust_in
from pisces.modules.entries import module_entries, no_entries
from pisces.modules.entry import RUNS, ModuleEntries, ModuleEntry
from pisces.modules.required import is_listed_to_run, required_in, unmet
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("-e", "--extension", action="append", metavar="PATH", help="a module to add (repeatable)")
    parser.add_argument("--hook", action="append", metavar="PATH", help="the same, after those of -e (repeatable)")
    parser.add_argument("--no-extensions", action="store_true", help="no modules at all, not even those of -e")
    parser.add_argument("--disable", action="append", metavar="ITEM", help="leave one out, as in extension-module:foo")
    parser.add_argument("--trust-workspace", action="store_true", help="trust what this project brings, this time")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    found = _modules(arguments, places)
    if arguments.output_format == "json":
        diagnostics = [each.as_json() for each in found.diagnostics]
        screen.json({"modules": [_json(entry) for entry in found.entries], "diagnostics": diagnostics})
        return FINE
    screen.lines(table([_row(entry, places) for entry in found.entries]))
    if not found.entries:
        screen.note("no modules found")
    show_diagnostics(found.diagnostics, places, screen)
    return FINE


def _modules(arguments: Namespace, places: Places) -> ModuleEntries:
    """What would run, after settings, options and trust."""
    named = [*(arguments.extension or ()), *(arguments.hook or ())]
    disabled = arguments.disable or ()
    entries = no_entries(named) if arguments.no_extensions else module_entries(places, named, disabled)
    trust = trust_in(places)
    if arguments.trust_workspace:
        trust = trust.including_for_this_run(places.cwd)
    found = admitted(entries, trust, places)
    missing = unmet(required_in(places), found.entries, is_listed_to_run)
    return found.replace(diagnostics=(*found.diagnostics, *missing))


def _row(entry: ModuleEntry, places: Places) -> list[str]:
    origin = f"{entry.origin} {entry.package}".rstrip()
    mark = "" if entry.state == RUNS else f"({entry.state})"
    return [visible(entry.name), entry.language, visible(origin), entry.level, visible(places.shown(entry.path)), mark]


def _json(entry: ModuleEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "id": f"extension-module:{entry.name}",
        "path": entry.path,
        "language": entry.language,
        "origin": entry.origin,
        "level": entry.level,
        "package": entry.package or None,
        "state": entry.state,
    }


_EXAMPLES = (
    ("pisces modules list", "what would run, and what waits for trust"),
    ("pisces modules list -e ./safety.py", "with a module of your own"),
    ("pisces modules list --output-format json", "for programs"),
)
_SUMMARY = "the modules that would run here, in the order in which they are loaded"
COMMAND = ShellCommand("modules list", _SUMMARY, _EXAMPLES, _arguments, _run)
