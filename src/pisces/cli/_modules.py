"""The options that choose modules, and what they choose."""

from __future__ import annotations

from pisces.gates.trust import admitted, trust_in
from pisces.modules.entries import module_entries, no_entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places
    from pisces.modules.entry import ModuleEntries


def add_modules(parser: ArgumentParser) -> None:
    parser.add_argument("-e", "--extension", action="append", metavar="PATH", help="a module to add (repeatable)")
    parser.add_argument("--hook", action="append", metavar="PATH", help="the same, after those of -e (repeatable)")
    parser.add_argument("--no-extensions", action="store_true", help="no modules at all, not even those of -e")
    parser.add_argument("--disable", action="append", metavar="ITEM", help="leave one out, as in extension-module:foo")
    parser.add_argument("--trust-workspace", action="store_true", help="trust what this project brings, this time")


def modules_for(arguments: Namespace, places: Places) -> ModuleEntries:
    """What would run, after settings, options and trust."""
    named = [*(arguments.extension or ()), *(arguments.hook or ())]
    disabled = arguments.disable or ()
    entries = no_entries(named) if arguments.no_extensions else module_entries(places, named, disabled)
    trust = trust_in(places)
    return admitted(entries, trust.including(places.cwd) if arguments.trust_workspace else trust, places)
