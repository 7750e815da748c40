"""`pisces hooks replay FILE`: recorded events, fired at the hooks that are here now."""

from __future__ import annotations

import asyncio

from pisces.cli._hook_host import add_firing, fired
from pisces.cli._hook_report import verdict_line
from pisces.cli._packages import add_packages
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.gates.hooks.recorded_events import recorded_events
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.width import broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    add_packages(parser)
    add_firing(parser)
    add_output_format(parser)
    parser.add_argument("file", metavar="FILE", help="events as JSON lines: ours, or what a hook got on stdin")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    recorded, unread = recorded_events(places.absolute(arguments.file))
    done, problems = asyncio.run(fired([event for _, event in recorded], arguments, places))
    problems = (*unread, *problems)
    blocked = sum(each.is_blocked for each in done)
    if arguments.output_format == "json":
        events = [{"line": line, **each.as_json()} for (line, _), each in zip(recorded, done, strict=True)]
        screen.json({"events": events, "diagnostics": [each.as_json() for each in problems]})
    else:
        for (line, event), each in zip(recorded, done, strict=True):
            hooks = counted(len(each.runs), "hook")
            about = visible(str(getattr(event, "tool", "")))
            text = f"{line}: {event.NAME} {about}".rstrip() + f", {hooks}: {verdict_line(each, places)}"
            screen.lines(broken(text, screen.width))
        screen.note(f"{counted(len(done), 'event')}, {blocked} blocked")
        show_diagnostics(problems, places, screen)
    return PROBLEMS if blocked or unread else FINE


_EXAMPLES = (
    ("pisces hooks replay recorded.jsonl", "what the hooks of today say about the calls of yesterday"),
    ("pisces hooks replay --output-format json recorded.jsonl", "with all that each hook got and said"),
)
COMMAND = ShellCommand(
    "hooks replay", "fire recorded events at the hooks that are here now", _EXAMPLES, _arguments, _run
)
