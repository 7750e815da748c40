"""`pisces list`: everything that any harness would load here, by kind."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import switches_for
from pisces.discovery.capabilities import CAPABILITIES, capability_named
from pisces.discovery.found import ACTIVE, Candidate
from pisces.discovery.harness import Run
from pisces.discovery.registry import Discovered, discover
from pisces.ui.plain import counted, show_diagnostics, summary_of
from pisces.ui.progress import with_progress
from pisces.ui.table import table
from pisces.ui.titles import row_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic


_LOOSE = "manifest-syntax"


def _arguments(parser: ArgumentParser) -> None:
    kinds = ", ".join(capability.id for capability in CAPABILITIES)
    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"one of: {kinds}")
    parser.add_argument("--all", action="store_true", help="also what is shadowed, disabled or invalid")
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    wanted = [capability_named(arguments.kind)] if arguments.kind else list(CAPABILITIES)
    switches, run = switches_for(arguments, places, screen), Run()
    results = [discover(kind, places, switches, run=run) for kind in with_progress(wanted, "looked for", screen)]
    diagnostics = unique(each for result in results for each in result.diagnostics)
    if arguments.output_format == "json":
        _show_json(results, diagnostics, screen, every=arguments.all)
        return FINE
    for result in results:
        _show(result, _shown(result, every=arguments.all), places, screen, heading=not arguments.kind)
    if not any(result.items for result in results):
        screen.note("nothing found" if not arguments.kind else f"no {wanted[0].plural} found")
    if arguments.kind:
        show_diagnostics(diagnostics, places, screen)
    elif diagnostics:
        screen.note(f"{summary_of(diagnostics)} in what was found: pisces doctor shows them, pisces check explains")
    return FINE


def unique(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Several kinds read the same file and say the same about it: once is enough.

    The listing of packages has a loose warning about a broken manifest. Where a stricter reader reports the same
    place, that is dropped.
    """
    every = dict.fromkeys(diagnostics)
    strict = {(each.path, each.line, each.column) for each in every if each.code != _LOOSE}
    return [each for each in every if each.code != _LOOSE or (each.path, each.line, each.column) not in strict]


def _shown(result: Discovered, *, every: bool) -> list[Candidate]:
    return [each for each in result.all if every or each.state == ACTIVE]


def _show(result: Discovered, shown: Sequence[Candidate], places: Places, screen: Screen, *, heading: bool) -> None:
    if not shown:
        return
    if heading:
        title = counted(len(result.items), result.capability.singular, result.capability.plural)
        screen.line(screen.styled(title, "bold"))
    rows = [row_of(result.capability.id, candidate, places) for candidate in shown]
    indent = "  " if heading else ""
    screen.lines(table([[indent + first, *rest] for first, *rest in rows]))
    if heading:
        screen.line()


def _show_json(results: list[Discovered], diagnostics: list[Diagnostic], screen: Screen, *, every: bool) -> None:
    candidate_json = export_of("pisces.cli", "_found_json", "candidate_json")
    items = [candidate_json(result.capability, each) for result in results for each in _shown(result, every=every)]
    screen.json({"items": items, "diagnostics": [diagnostic.as_json() for diagnostic in diagnostics]})


_EXAMPLES = (
    ("pisces list", "all kinds"),
    ("pisces list skills", "one kind"),
    ("pisces list commands --all", "with those that lost"),
    ("pisces list mcp-servers --output-format json", "for programs"),
)
COMMAND = ShellCommand("list", "everything that any harness would load here, by kind", _EXAMPLES, _arguments, _run)
