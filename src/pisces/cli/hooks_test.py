"""`pisces hooks test EVENT`: fires an event for real, past every hook, rule and module that is here."""

from __future__ import annotations

import asyncio

from pisces.cli._hook_host import add_firing, fired
from pisces.cli._hook_report import show_fired
from pisces.cli._module_steps import event_in
from pisces.cli._packages import add_packages
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.ui.plain import show_diagnostics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    add_packages(parser)
    add_firing(parser)
    add_output_format(parser)
    parser.add_argument("event", nargs="+", metavar="NAME=JSON", help="an event of ours or of pi, with its fields")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    events = [event_in(text) for text in arguments.event]
    done, problems = asyncio.run(fired(events, arguments, places))
    if arguments.output_format == "json":
        shown = [each.as_json() for each in problems]
        screen.json({"events": [each.as_json() for each in done], "diagnostics": shown})
    else:
        for each in done:
            show_fired(each, places, screen)
        show_diagnostics(problems, places, screen)
    return PROBLEMS if any(each.is_blocked for each in done) else FINE


_CALL = """pisces hooks test 'tool_call={"tool": "Bash", "input": {"command": "rm -rf build"}}'"""
_EXAMPLES = (
    (_CALL, "who blocks it, and what each hook got and said"),
    ("pisces hooks test --package ./my-plugin 'session_start={}'", "with a plugin from a folder"),
    ('pisces hooks test \'input={"text": "delete everything"}\'', "hooks that guard prompts"),
)
COMMAND = ShellCommand("hooks test", "fire an event for real, and see who says what", _EXAMPLES, _arguments, _run)
