"""`pisces doctor`: is this machine and this folder in order? Looks, never runs anything."""

from __future__ import annotations

import os
import platform
import shutil

from pisces import __version__
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import switches_for
from pisces.cli.list import unique
from pisces.diagnostics import ERROR, Diagnostic
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Harness, Run, all_harnesses
from pisces.discovery.registry import Discovered, discover
from pisces.ui.plain import diagnostic_lines, summary_of
from pisces.ui.progress import with_progress
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

# Programs that extensions need, beside the harnesses themselves. Only looked for on PATH, never started.
_PROGRAMS = ("git", "node", "bun", "deno", "uv")


def _arguments(parser: ArgumentParser) -> None:
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    switches, run = switches_for(arguments, places, screen), Run()
    kinds = with_progress(CAPABILITIES, "looked for", screen)
    results = [discover(capability, places, switches, run=run) for capability in kinds]
    diagnostics = unique(each for result in results for each in result.diagnostics)
    report = _report(results, diagnostics, places)
    if arguments.output_format == "json":
        screen.json(report)
    else:
        _show(report, diagnostics, places, screen)
    return PROBLEMS if any(each.severity == ERROR for each in diagnostics) else FINE


def _report(results: list[Discovered], diagnostics: list[Diagnostic], places: Places) -> dict[str, Any]:
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
        "harnesses": [_harness(harness, results, places) for harness in harnesses],
        "found": {result.capability.id: len(result.items) for result in results},
        "diagnostics": [diagnostic.as_json() for diagnostic in diagnostics],
    }


def _harness(harness: Harness, results: list[Discovered], places: Places) -> dict[str, Any]:
    user, project = harness.user_path(places), places.absolute(harness.project_dir)
    mine = [each for result in results for each in result.items if each.source.harness == harness.id]
    return {
        "id": harness.id,
        "label": harness.label,
        "priority": harness.priority,
        "user_folder": user if user != places.home and os.path.isdir(user) else None,
        "project_folder": project if project != places.cwd and os.path.isdir(project) else None,
        "items": len(mine),
        "verified": harness.verified,
    }


def _show(report: dict[str, Any], diagnostics: list[Diagnostic], places: Places, screen: Screen) -> None:
    screen.line(f"pisces {report['pisces']}, Python {report['python']} on {report['platform']}")
    programs = [name for name, path in report["programs"].items() if path]
    screen.line(f"on PATH: {', '.join(programs) or 'none of the programs that extensions lean on'}")
    screen.line()
    rows = [["harness", "user folder", "project folder", "items"]]
    for each in report["harnesses"]:
        folders = [visible(places.shown(each[key])) if each[key] else "-" for key in ("user_folder", "project_folder")]
        rows.append([each["label"], *folders, str(each["items"])])
    screen.lines(table(rows))
    screen.line()
    screen.lines(line for each in diagnostics for line in diagnostic_lines(each, places, screen))
    screen.note(summary_of(diagnostics))


_EXAMPLES = (("pisces doctor", "for people"), ("pisces doctor --output-format json", "for a bug report"))
_SUMMARY = "is everything in order here: harnesses, programs, and every problem in what was found"
COMMAND = ShellCommand("doctor", _SUMMARY, _EXAMPLES, _arguments, _run)
