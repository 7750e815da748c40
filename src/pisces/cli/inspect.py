"""`pisces inspect PATH`: one package's whole inventory as a stable object (docs/reference/inspect.md)."""

from __future__ import annotations

import os

from pisces.cli._shell_command import COULD_NOT_RUN, FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.discovery.inventory import inspect, inventory
from pisces.discovery.package_format import all_formats
from pisces.shapes.binary_template import inner_path
from pisces.ui.inspection import inspection
from pisces.ui.plain import counted, show_diagnostics, summary_of
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    formats = ", ".join(each.id for each in all_formats())
    parser.add_argument("path", metavar="PATH", help="the package's folder")
    parser.add_argument("--format", metavar="ID", help=f"which of its manifests to read, of: {formats}")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    path = places.absolute(arguments.path)
    folder = os.path.dirname(path) if os.path.isfile(path) else path
    if not os.path.isdir(folder):
        screen.note(f"{visible(places.shown(folder))} does not exist")
        return COULD_NOT_RUN
    found = inspect(folder, places, arguments.format)
    chosen = found[0] if found else inventory(folder, all_formats()[0], places)
    report = inspection(chosen, [each.format.id for each in found])
    if arguments.output_format == "json":
        screen.json(report)
    elif found:
        _show(report, screen)
        show_diagnostics(chosen.diagnostics, places, screen)
        screen.note(summary_of(chosen.diagnostics))
    else:
        screen.note(f"{visible(places.shown(folder))} is not a package: no manifest of any format is in it")
        screen.note(f"  hint: looked for {', '.join(each.manifest for each in all_formats() if each.manifest)}")
    return FINE if found else PROBLEMS


def _show(report: dict[str, Any], screen: Screen) -> None:
    state = "installs" if report["installs"] else "does not install"
    screen.line(f"{screen.styled(str(report['name']), 'bold')} {report['version'] or ''} ({report['format']}, {state})")
    for key, noun in (("commands", "command"), ("skills", "skill"), ("subagents", "subagent"), ("hooks", "hook")):
        if report[key]:
            screen.line(f"  {counted(len(report[key]), noun)}")
            for each in report[key]:
                screen.line(f"    {_line(key, each)}")
    if report["policies"]["rules"]:
        screen.line(f"  {counted(len(report['policies']['rules']), 'policy rule')}")
    for key in ("mcp_servers", "context_files", "settings", "themes"):
        if report[key]:
            names = [str(each.get("name") if isinstance(each, dict) else each) for each in report[key]]
            screen.line(f"  {key.replace('_', ' ')}: {visible(', '.join(names))}")


def _line(key: str, each: dict[str, Any]) -> str:
    if key == "commands" and "executable" in each:
        return visible(f"/{each['final_name']}  runs {inner_path(each['executable']['binary'])}")
    if key == "commands":
        return f"/{each['final_name']}  {each['file']}"
    if key == "hooks":
        return f"{each['event']}  {each['command']}"
    return f"{each['name']}  {each['file']}".replace("\n", " ").replace(os.sep, "/")


_EXAMPLES = (
    ("pisces inspect ./my-extension", "for people"),
    ("pisces inspect ./my-extension --output-format json", "the documented object"),
    ("pisces inspect ./plugin --format claude-plugin", "where a folder holds several manifests"),
)
_SUMMARY = "one package's whole inventory: what loads, what is rejected"
COMMAND = ShellCommand("inspect", _SUMMARY, _EXAMPLES, _arguments, _run)
