"""`pisces why NAME`: harness by harness, what loads under a name, what does not, and what would change that."""

from __future__ import annotations

from difflib import get_close_matches

from pisces.by_name import export_of
from pisces.cli._found_json import candidate_json
from pisces.cli._list_kind import identity
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import switches_for
from pisces.cli._views import PISCES, Inquiry, View, in_views, union, united, views
from pisces.cli.list import unique
from pisces.diagnostics import ERROR
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Run
from pisces.discovery.state import ACTIVE, SHADOWED
from pisces.ui.plain import counted, diagnostic_lines, shortened
from pisces.ui.screen import visible
from pisces.ui.states_text import STYLES
from pisces.ui.titles import level_of, title_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Candidate
    from pisces.discovery.registry import Discovered

    Matches = list[tuple[Capability, Candidate]]


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a package, command, skill, subagent, server, event ...")
    meaning = "NAME is a key of settings, as in general.vimMode: its value in each harness"
    parser.add_argument("--effective", action="store_true", help=meaning)
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    switches = switches_for(arguments, places, screen)
    survey = Inquiry(CAPABILITIES, places, switches, frozenset(arguments.disable or ()), Run())
    if arguments.effective:
        status: int = export_of("pisces.cli", "_effective", "show_effective")(arguments, survey, screen)
        return status
    results = united(survey)
    name = arguments.name.removeprefix("/")
    every = [*views(survey), union(results)]
    found = [(view, _matching(view, name)) for view in every]
    about = unique(each for result in results for each in result.diagnostics if each.about == name)
    is_known = bool(about) or any(matches for _, matches in found)
    if arguments.output_format == "json":
        error = None if is_known else f"nothing here is called `{name}`"
        screen.json({"error": error, **_json(found, about)})
    else:
        for view, matches in found:
            screen.lines(_lines(view, matches, places, screen))
        _show_brought(name, results, screen)
        _show_notes(about, places, screen)
    if is_known:
        return FINE
    _suggest(name, every, screen)
    return PROBLEMS


def names_of(capability: str, candidate: Candidate) -> set[str]:
    """Everything that a person may mean by a name: the final name, the name in the file, a hook's event."""
    item = candidate.found.item
    names = {title_of(capability, item).removeprefix("/"), str(getattr(item, "name", "")), getattr(item, "event", "")}
    return names - {""}


def _matching(view: View, name: str) -> Matches:
    """A file that a harness meets twice is there once, as it stands best."""
    found: dict[Any, tuple[Capability, Candidate]] = {}
    real: dict[str, str] = {}
    for _, kind, candidate in in_views([view]):
        if name in names_of(kind.id, candidate):
            key = (kind.id, identity(kind, candidate, real))
            if key not in found or candidate.state == ACTIVE:
                found[key] = kind, candidate
    return list(found.values())


def _lines(view: View, matches: Matches, places: Places, screen: Screen) -> Iterator[str]:
    """The files of one harness, each with its items."""
    if not matches:
        return
    lost = 0
    if view.harness is PISCES:
        lost = sum(each.state == SHADOWED for _, each in matches)
        matches = [(kind, each) for kind, each in matches if each.state != SHADOWED]
    yield screen.styled(_heading(view), "bold")
    shown: list[str] = []
    for path, items in _by_path(matches).items():
        for kind, candidate in items:
            yield from _verdict(view, kind, candidate, shown, (places, screen))
        level = level_of(items[0][1]).partition(" ")[0]
        yield f"    {f'{level}: ' if level else ''}{visible(places.shown(path))}"
        for _, candidate in items:
            yield from _switch_lines(candidate, places, screen)
        shown.append(path)
    if lost:
        yield f"  leaves out {counted(lost, 'other')} of this name"


def _heading(view: View) -> str:
    if view.harness is PISCES:
        return "pisces itself"
    more = ", not set up here" if view.is_absent else "" if view.harness.is_program else ", a convention"
    return f"{view.harness.label} ({view.harness.id}){more}"


def _by_path(matches: Matches) -> dict[str, Matches]:
    found: dict[str, Matches] = {}
    for kind, candidate in matches:
        found.setdefault(candidate.found.source.path, []).append((kind, candidate))
    return found


def _verdict(
    view: View, kind: Capability, candidate: Candidate, shown: list[str], where: tuple[Places, Screen]
) -> Iterator[str]:
    places, screen = where
    loads, does_not = ("would load", "would not load") if view.is_absent else ("loads", "does not load")
    if view.harness is PISCES:
        loads, does_not = "runs", "does not run"
    whose = f" of package {visible(candidate.found.package)}" if candidate.found.package else ""
    what = f"{kind.singular} {title_of(kind.id, candidate.found.item)}{whose}"
    if candidate.state == ACTIVE:
        yield f"  {screen.styled(loads, STYLES[ACTIVE])} {what}{_renamed(candidate)}"
        return
    state = screen.styled(candidate.state, STYLES[candidate.state])
    yield f"  {does_not} {what}: {state}: {visible(_reason(candidate, shown, places))}"


def _renamed(candidate: Candidate) -> str:
    item = candidate.found.item
    is_other = hasattr(item, "final_name") and item.final_name != item.name
    return f", renamed because others want /{visible(item.name)} too" if is_other else ""


def _reason(candidate: Candidate, shown: list[str], places: Places) -> str:
    winner = candidate.winner.source.path if candidate.winner else ""
    if winner and winner in shown:
        return "the one above comes first"
    reason = shortened(candidate.reason, places)
    return reason if not winner or winner in candidate.reason else f"{reason}: {places.shown(winner)}"


def _switch_lines(candidate: Candidate, places: Places, screen: Screen) -> Iterator[str]:
    held = candidate.held
    if held and held.path:
        line = f":{held.line}" if held.line else ""
        is_here = held.path == candidate.found.source.path
        if not is_here or line:
            yield f"    {f'line {held.line}' if is_here else f'switch: {visible(places.shown(held.path))}{line}'}"
    if held and held.change:
        yield f"    {screen.styled('hint:', 'cyan')} {visible(shortened(held.change, places))}"


def _show_brought(name: str, results: list[Discovered], screen: Screen) -> None:
    brought = [(result.capability, sum(each.found.package == name for each in result.all)) for result in results]
    counts = ", ".join(counted(number, kind.singular, kind.plural) for kind, number in brought if number)
    if counts:
        screen.line(f"package {visible(name)} brings {counts}")


def _show_notes(about: list[Diagnostic], places: Places, screen: Screen) -> None:
    """What is said about the name; errors are with the harness that rejects the item."""
    for each in about:
        if each.severity != ERROR:
            screen.lines(diagnostic_lines(each, places, screen))


def _json(found: Iterable[tuple[View, Matches]], about: list[Diagnostic]) -> dict[str, Any]:
    in_harnesses = [(view, *each) for view, matches in found for each in matches]
    mine = [candidate_json(kind, each, PISCES) for view, kind, each in in_harnesses if view.harness is PISCES]
    candidates = [
        candidate_json(kind, each, view.harness) for view, kind, each in in_harnesses if view.harness is not PISCES
    ]
    return {"candidates": candidates, "pisces": mine, "rejected": [each.as_json() for each in about]}


def _suggest(name: str, every: list[View], screen: Screen) -> None:
    known = {each for _, kind, candidate in in_views(every) for each in names_of(kind.id, candidate)}
    near = get_close_matches(name, sorted(known), n=3)
    hint = f"did you mean {', '.join(f'`{visible(each)}`' for each in near)}?" if near else ""
    screen.failed(f"nothing here is called `{visible(name)}`", hint)


_EXAMPLES = (
    ("pisces why review", "who loads /review, the skill review, the package review"),
    ("pisces why PreToolUse", "every hook on an event"),
    ("pisces why --effective general.vimMode", "a setting: its value in each harness, and its file"),
    ("pisces why review --output-format json", "for programs"),
)
_SUMMARY = "what loads under a name in each harness, what does not, and what would change it"
COMMAND = ShellCommand("why", _SUMMARY, _EXAMPLES, _arguments, _run)
