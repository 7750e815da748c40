"""`pisces doctor`: what runs by itself here, and is everything in order? Looks, never runs anything."""

from __future__ import annotations

import os
import platform
import shutil

from pisces import __version__
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import safe_notes, switches_for
from pisces.cli.list import unique
from pisces.diagnostics import ERROR, Diagnostic
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Harness, Run, all_harnesses
from pisces.discovery.presence import is_set_up
from pisces.discovery.registry import Switches, discover, harnesses_for
from pisces.discovery.standing import Standing, refusals, standing
from pisces.discovery.state import ACTIVE
from pisces.formats.masking import masked, masked_line
from pisces.scanning.acting import Acting, what_acts
from pisces.shapes.act import ENVIRONMENT
from pisces.ui.plain import counted, diagnostic_lines, summary_of
from pisces.ui.progress import with_progress
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

# Programs that extensions need, beside the harnesses themselves. Only looked for on PATH, never started.
_PROGRAMS = ("git", "node", "bun", "deno", "uv")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also list what is yours and harmless")
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    switches, run = switches_for(arguments, places, screen), Run()
    harnesses = wanted_harnesses(places, switches, run)
    stands = [
        standing(harness, kind, places, run)
        for kind in with_progress(CAPABILITIES, "looked for", screen)
        for harness in harnesses
    ]
    acting = [_masked(each) for each in what_acts(harnesses, places, run)]
    problems = unique(
        (
            *(each for stand in stands for each in (*stand.diagnostics, *refusals(stand))),
            *(each for one in acting for each in one.problems),
        )
    )
    if arguments.output_format == "json":
        found = {kind.id: len(discover(kind, places, switches, run=run).items) for kind in CAPABILITIES}
        report = _report(stands, acting, [*safe_notes(places), *problems], places)
        screen.json({**report, "safe_mode": places.is_safe, "found": found})
    else:
        _show_acts(acting, places, screen, every=arguments.all)
        _show_harnesses(stands, places, screen)
        shown = {problem for each in acting if each.dangerous or not each.yours for problem in each.problems}
        rest = (each for each in problems if each not in shown)
        screen.lines(line for each in rest for line in diagnostic_lines(each, places, screen))
        screen.note(summary_of(problems))
    return PROBLEMS if any(_is_serious(each, acting) for each in problems) else FINE


def wanted_harnesses(places: Places, switches: Switches, run: Run) -> list[Harness]:
    """Those that matter here and are not switched off, best first."""
    return [each for each in harnesses_for(places, switches, run) if switches.wants(each.id)]


def _masked(acting: Acting) -> Acting:
    """What the scanner found is quoted in its messages, with whatever else stands on the line."""
    return acting.replace(problems=tuple(each.replace(message=masked(each.message)) for each in acting.problems))


def _is_serious(problem: Diagnostic, acting: list[Acting]) -> bool:
    """Errors count, but for those in what you put there yourself."""
    if problem.severity != ERROR:
        return False
    owners = [each for each in acting if problem in each.problems]
    return not owners or any(not each.yours for each in owners)


def _report(
    stands: Sequence[Standing], acting: list[Acting], problems: list[Diagnostic], places: Places
) -> dict[str, Any]:
    harnesses = all_harnesses()
    programs = (*_PROGRAMS, *(name for harness in harnesses for name in harness.programs))
    return {
        "pisces": __version__,
        "python": platform.python_version(),
        "platform": platform.system(),
        "home": places.home,
        "folder": places.cwd,
        "agent_dir": places.agent_dir,
        "programs": {name: shutil.which(name, path=places.env.get("PATH")) for name in programs},
        "harnesses": [_harness(harness, stands, places) for harness in harnesses],
        "acts": [_act(each) for each in acting],
        "diagnostics": [problem.as_json() for problem in problems],
    }


def _harness(harness: Harness, stands: Sequence[Standing], places: Places) -> dict[str, Any]:
    user, project = harness.user_path(places), places.absolute(harness.project_dir)
    mine = [each for stand in stands if stand.harness.id == harness.id for each in stand.candidates]
    active = sum(each.state == ACTIVE for each in mine)
    return {
        "id": harness.id,
        "label": harness.label,
        "priority": harness.priority,
        "set_up": is_set_up(harness, places) if harness.is_program else None,
        "user_folder": user if user != places.home and os.path.isdir(user) else None,
        "project_folder": project if project != places.cwd and os.path.isdir(project) else None,
        "items": active,
        "not_loaded": len(mine) - active,
        "verified": harness.verified,
        "was_run": list(harness.was_run),
    }


def _act(acting: Acting) -> dict[str, Any]:
    act = acting.act
    return {
        "kind": act.kind,
        "name": act.name,
        "text": _text(acting),
        "when": act.when,
        "path": act.path,
        "line": acting.line or None,
        "level": acting.level,
        "package": acting.package or None,
        "harnesses": acting.states,
        "yours": acting.yours,
        "dangerous": acting.dangerous,
        "problems": [problem.as_json() for problem in acting.problems],
    }


def _text(acting: Acting) -> str:
    """The value of a variable may be a key, so it is shown only where it is the danger."""
    act = acting.act
    return act.name if act.kind == ENVIRONMENT and not acting.dangerous else masked_line(act.text)


def _show_acts(acting: list[Acting], places: Places, screen: Screen, *, every: bool) -> None:
    screen.line(screen.styled("what runs by itself in this folder", "bold"))
    dangerous = [each for each in acting if each.dangerous]
    foreign = [each for each in acting if not each.dangerous and not each.yours]
    own = [each for each in acting if not each.dangerous and each.yours]
    for title, style, some in (("dangerous", "red", dangerous), ("of this project", "yellow", foreign)):
        if some:
            screen.line(screen.styled(title, style))
            screen.lines(line for each in some for line in _act_lines(each, places, screen))
    if own and every:
        screen.line("yours")
        screen.lines(line for each in own for line in _act_lines(each, places, screen))
    elif own:
        kinds = dict.fromkeys(each.act.kind for each in own)
        counts = ", ".join(counted(sum(each.act.kind == kind for each in own), kind, _plural(kind)) for kind in kinds)
        screen.line(f"yours: {counts} (pisces doctor --all lists them)")
    if not acting:
        screen.line("nothing")
    screen.line()


def _plural(kind: str) -> str:
    return "variables" if kind == ENVIRONMENT else f"{kind}s"


def _act_lines(acting: Acting, places: Places, screen: Screen) -> Iterator[str]:
    act = acting.act
    yield f"  {act.kind} {screen.styled(visible(act.name), 'bold')}: {visible(_text(acting))}"
    place = visible(places.shown(act.path)) + (f":{acting.line}" if acting.line else "")
    whose = f", package {visible(acting.package)}" if acting.package else ""
    states = ", ".join(label if state == ACTIVE else f"{label} ({state})" for label, state in acting.states.items())
    yield f"    {visible(act.when)}; {states}; {place}{whose}{', yours' if acting.yours else ''}"
    problems = [each.replace(path="" if each.path == act.path else each.path) for each in acting.problems]
    yield from (f"    {line}" for each in problems for line in diagnostic_lines(each, places, screen))


def _show_harnesses(stands: Sequence[Standing], places: Places, screen: Screen) -> None:
    here = {stand.harness.id for stand in stands}
    rows = [["harness", "set up", "loads", "does not", "compared by running it", "how we know"]]
    for harness in all_harnesses():
        if harness.id in here:
            each = _harness(harness, stands, places)
            set_up = {True: "yes", False: "no", None: "-"}[each["set_up"]]
            run = ", ".join(harness.was_run) or "nothing" if harness.is_program else "-"
            rows.append([each["label"], set_up, str(each["items"]), str(each["not_loaded"]), run, each["verified"]])
    screen.lines(table(rows))
    programs = [name for name in _PROGRAMS if shutil.which(name, path=places.env.get("PATH"))]
    screen.line(f"on PATH: {', '.join(programs) or 'none of the programs that extensions lean on'}")
    screen.line()


_EXAMPLES = (
    ("pisces doctor", "before you start an agent in a folder that you do not know"),
    ("pisces doctor --all", "also what you put there yourself"),
    ("pisces doctor --output-format json", "for a bug report, or for a gate in continuous integration"),
)
_SUMMARY = "what runs by itself here, what is dangerous about it, and what is broken"
COMMAND = ShellCommand("doctor", _SUMMARY, _EXAMPLES, _arguments, _run)
