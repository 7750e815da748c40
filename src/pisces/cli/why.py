"""`pisces why NAME`: every candidate of that name, which one wins, and why the others do not."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches

from pisces.cli._found_json import candidate_json
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import switches_for
from pisces.cli.list import unique
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.found import Candidate
from pisces.discovery.harness import Run
from pisces.discovery.registry import Discovered, discover
from pisces.discovery.state import ACTIVE, SHADOWED
from pisces.ui.plain import counted, diagnostic_lines
from pisces.ui.screen import visible
from pisces.ui.titles import title_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic

_VERDICT = {ACTIVE: "wins", SHADOWED: "loses"}


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a package, command, skill, subagent, server, event ...")
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    name = arguments.name.removeprefix("/")
    switches, run = switches_for(arguments, places, screen), Run()
    results = [discover(capability, places, switches, run=run) for capability in CAPABILITIES]
    matching = [
        (result, [each for each in result.all if name in names_of(result.capability.id, each)]) for result in results
    ]
    rejected = unique(each for result in results for each in result.diagnostics if each.about == name)
    brought = [(result, sum(each.found.package == name for each in result.all)) for result in results]
    if arguments.output_format == "json":
        _show_json(matching, rejected, screen)
    else:
        for result, candidates in matching:
            _show(result, candidates, places, screen)
        _show_brought(name, brought, screen)
        _show_rejected(rejected, places, screen)
    if any(candidates for _, candidates in matching) or rejected:
        return FINE
    _suggest(name, results, screen)
    return PROBLEMS


def names_of(capability: str, candidate: Candidate) -> set[str]:
    """Everything that a person may mean by a name: the final name, the name in the file, a hook's event."""
    item = candidate.found.item
    names = {title_of(capability, item).removeprefix("/"), str(getattr(item, "name", ""))}
    if capability == "hooks":
        names.add(item.event)
    return names - {""}


def _show(result: Discovered, candidates: list[Candidate], places: Places, screen: Screen) -> None:
    losers = Counter(id(each.winner) for each in result.all if candidates and each.winner is not None)
    for candidate in candidates:
        source = candidate.found.source
        verdict = _VERDICT.get(candidate.state, candidate.state)
        style = "green" if candidate.state == ACTIVE else "yellow"
        title = f"{result.capability.singular} {title_of(result.capability.id, candidate.found.item)}"
        whose = f" of package {visible(candidate.found.package)}" if candidate.found.package else ""
        screen.line(f"{screen.styled(verdict, style)}: {title}{whose}")
        screen.line(f"  {source.label}, {source.level} level: {visible(places.shown(source.path))}")
        if candidate.state == ACTIVE:
            screen.line(f"  {_why_won(result, candidate, losers[id(candidate.found)])}")
        else:
            screen.line(f"  because {visible(_reason(candidate, places))}")


def _why_won(result: Discovered, candidate: Candidate, losers: int) -> str:
    item = candidate.found.item
    if hasattr(item, "final_name") and item.final_name != item.name:
        return f"renamed, because others want /{visible(item.name)} too"
    if result.capability.key is None:
        return "every one of its kind counts"
    return f"before {counted(losers, 'other')} of this name" if losers else "because nobody else has this name"


def _reason(candidate: Candidate, places: Places) -> str:
    if candidate.winner is None:
        return candidate.reason
    path = candidate.winner.source.path
    reason = candidate.reason.replace(path, places.shown(path))
    return reason if path in candidate.reason else f"{reason}: {places.shown(path)}"


def _show_brought(name: str, brought: list[tuple[Discovered, int]], screen: Screen) -> None:
    kinds = [(result.capability, number) for result, number in brought if number]
    if kinds:
        counts = ", ".join(counted(number, kind.singular, kind.plural) for kind, number in kinds)
        screen.line(f"package {visible(name)} brings {counts}")


def _show_rejected(rejected: list[Diagnostic], places: Places, screen: Screen) -> None:
    for diagnostic in rejected:
        screen.line(f"{screen.styled('rejected' if diagnostic.severity == 'error' else 'note', 'red')}:")
        screen.lines(f"  {line}" for line in diagnostic_lines(diagnostic, places, screen))


def _show_json(matching: list[tuple[Discovered, list[Candidate]]], rejected: list[Diagnostic], screen: Screen) -> None:
    candidates: list[Any] = [candidate_json(result.capability, each) for result, found in matching for each in found]
    screen.json({"candidates": candidates, "rejected": [each.as_json() for each in rejected]})


def _suggest(name: str, results: list[Discovered], screen: Screen) -> None:
    candidates = [(result.capability.id, each) for result in results for each in result.all]
    known = {name for kind, candidate in candidates for name in names_of(kind, candidate)}
    near = get_close_matches(name, sorted(known), n=3)
    screen.note(f"nothing here is called `{visible(name)}`")
    if near:
        screen.note(f"  hint: did you mean {', '.join(f'`{visible(each)}`' for each in near)}?")


_EXAMPLES = (
    ("pisces why review", "who owns /review, the skill review, the package review"),
    ("pisces why BeforeTool", "every hook on an event"),
    ("pisces why review --output-format json", "for programs"),
)
_SUMMARY = "every candidate of a name, which one wins, and why the others do not"
COMMAND = ShellCommand("why", _SUMMARY, _EXAMPLES, _arguments, _run)
