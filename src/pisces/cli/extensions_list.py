"""`pisces extensions list`: the packages that are here, which one wins and which ones lost."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import safe_notes, switches_for
from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.registry import discover
from pisces.discovery.state import ACTIVE
from pisces.shapes.installed import STORE_UNREADABLE
from pisces.ui.plain import show_diagnostics
from pisces.ui.table import table
from pisces.ui.titles import row_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also those that are shadowed, disabled or invalid")
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    discovered = discover(PACKAGES, places, switches_for(arguments, places, screen))
    broken = any(each.code == STORE_UNREADABLE for each in discovered.diagnostics)
    shown = discovered.all if arguments.all else [each for each in discovered.all if each.state == ACTIVE]
    if arguments.output_format == "json":
        items = [*map(export_of("pisces.cli", "_found_json", "package_json"), shown)]
        diagnostics = [diagnostic.as_json() for diagnostic in (*safe_notes(places), *discovered.diagnostics)]
        screen.json({"extensions": items, "diagnostics": diagnostics})
        return PROBLEMS if broken else FINE
    rows = [row_of(PACKAGES.id, candidate, places) for candidate in shown]
    if rows and screen.is_terminal:
        screen.line(screen.styled("name, version, harness, level, folder", "dim"))
    screen.lines(table(rows))
    if not rows and not broken:
        screen.note("no extensions found")
    show_diagnostics(discovered.diagnostics, places, screen)
    return PROBLEMS if broken else FINE


_EXAMPLES = (
    ("pisces extensions list", "what would be loaded here"),
    ("pisces extensions list --all", "with those that lost, and why"),
    ("pisces extensions list --output-format json", "for programs"),
)
_SUMMARY = "the packages of every harness, and which one wins"
COMMAND = ShellCommand("extensions list", _SUMMARY, _EXAMPLES, _arguments, _run)
