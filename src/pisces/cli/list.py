"""`pisces list`: what every harness loads here: first counts, then one kind, then one harness."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import safe_notes, switches_for
from pisces.cli._views import PISCES, Inquiry, View, in_views, union, united, views
from pisces.diagnostics import PiscesError
from pisces.discovery.capabilities import CAPABILITIES, capability_named
from pisces.discovery.harness import Run
from pisces.discovery.state import ACTIVE
from pisces.shapes.installed import STORE_UNREADABLE
from pisces.ui.plain import show_diagnostics, summary_of
from pisces.ui.progress import with_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.discovery.inventory import Inventory
    from pisces.discovery.registry import Discovered


_LOOSE = "manifest-syntax"


def _arguments(parser: ArgumentParser) -> None:
    kinds = ", ".join(capability.id for capability in CAPABILITIES)
    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"one of: {kinds}")
    parser.add_argument("--all", action="store_true", help="also what does not load, and why")
    parser.add_argument("--recursive", action="store_true", help="the packages at any depth below this folder")
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    wanted = [_kind(arguments.kind)] if arguments.kind else list(CAPABILITIES)
    switches = switches_for(arguments, places, screen)
    survey = Inquiry(wanted, places, switches, frozenset(arguments.disable or ()), Run())
    if arguments.recursive:
        return _show_nested(arguments, survey, screen)
    results = united(survey.replace(kinds=with_progress(wanted, "looked for", screen)))
    diagnostics = unique(each for result in results for each in result.diagnostics)
    if arguments.output_format == "json":
        _show_json(arguments, _chosen(arguments, survey, results), [*safe_notes(places), *diagnostics], screen)
    elif arguments.harness:
        show = export_of("pisces.cli", "_list_harness", "show_harness")
        for view in _chosen(arguments, survey, results):
            show(view, arguments, places, screen)
        _show_problems(arguments, diagnostics, places, screen)
    elif arguments.kind:
        every = [*views(survey), union(results)]
        export_of("pisces.cli", "_list_kind", "show_kind")(every, arguments, places, screen)
        _show_problems(arguments, diagnostics, places, screen)
    else:
        every = [*views(survey), union(results)]
        export_of("pisces.cli", "_list_summary", "show_summary")(every, screen)
        _show_problems(arguments, diagnostics, places, screen)
    return PROBLEMS if any(each.code == STORE_UNREADABLE for each in diagnostics) else FINE


def _show_nested(arguments: Namespace, survey: Inquiry, screen: Screen) -> int:
    found: list[Inventory] = export_of("pisces.cli", "_list_nested", "nested")(survey.places)
    every: list[View] = export_of("pisces.cli", "_list_nested", "nested_views")(found, survey)
    if arguments.output_format == "json":
        diagnostics = unique(each for inventory in found for each in inventory.diagnostics)
        _show_json(arguments, every, diagnostics, screen)
    elif arguments.kind and every:
        export_of("pisces.cli", "_list_kind", "show_kind")(every, arguments, survey.places, screen)
    else:
        export_of("pisces.cli", "_list_nested", "show_nested")(found, arguments, survey.places, screen)
    return FINE


def _show_json(arguments: Namespace, chosen: list[View], diagnostics: list[Diagnostic], screen: Screen) -> None:
    shown = [each for each in in_views(chosen) if arguments.all or each[2].state == ACTIVE]
    screen.json(export_of("pisces.cli", "_found_json", "listing_json")(chosen, shown, diagnostics))


def unique(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Several kinds read the same file and say the same about it: once is enough.

    The listing of packages has a loose warning about a broken manifest. Where a stricter reader reports the same
    place, that is dropped.
    """
    every = dict.fromkeys(diagnostics)
    strict = {(each.path, each.line, each.column) for each in every if each.code != _LOOSE}
    return [each for each in every if each.code != _LOOSE or (each.path, each.line, each.column) not in strict]


def _kind(name: str) -> Capability:
    try:
        return capability_named(name)
    except PiscesError as error:
        meant = export_of("pisces.checking", "spelling", "did_you_mean")(name, [each.id for each in CAPABILITIES])
        hint = f"{meant} {error.diagnostic.hint}".lstrip()
        raise PiscesError(error.diagnostic.replace(hint=hint)) from None


def _chosen(arguments: Namespace, survey: Inquiry, results: list[Discovered]) -> list[View]:
    """Every harness that matters here; pisces itself only where it is asked for by name."""
    names = arguments.harness or []
    alone = [union(results)] if PISCES.id in names else []
    return [*alone, *([] if names == [PISCES.id] else views(survey))]


def _show_problems(arguments: Namespace, diagnostics: list[Diagnostic], places: Places, screen: Screen) -> None:
    if arguments.kind:
        show_diagnostics(diagnostics, places, screen)
    elif diagnostics:
        show_diagnostics([each for each in diagnostics if each.code == STORE_UNREADABLE], places, screen)
        screen.note(f"{summary_of(diagnostics)} in what was found: pisces doctor shows them, pisces check explains")


_EXAMPLES = (
    ("pisces list", "every harness, with counts"),
    ("pisces list skills", "one kind, and which harness loads it"),
    ("pisces list commands --all", "with what does not load, and why"),
    ("pisces list --harness gemini", "what Gemini CLI loads, in its order"),
    ("pisces list --harness pisces", "what pisces itself runs: the union"),
    ("pisces list --recursive", "the packages of a monorepo, and what each brings"),
    ("pisces list mcp-servers --output-format json", "for programs"),
)
COMMAND = ShellCommand("list", "what every harness loads here, and what it does not", _EXAMPLES, _arguments, _run)
