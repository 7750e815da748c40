"""`pisces hooks test EVENT`: fires an event for real, past every hook, rule and module that is here."""

from __future__ import annotations

import asyncio

from pisces.cli._hook_host import add_firing, fired
from pisces.cli._hook_report import show_fired
from pisces.cli._module_steps import event_in, fields_in
from pisces.cli._packages import add_packages
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.gates.hooks.recorded_events import hook_event, is_hook_event
from pisces.ui.plain import show_diagnostics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.shapes.event import Event


def _arguments(parser: ArgumentParser) -> None:
    add_packages(parser)
    add_firing(parser)
    add_output_format(parser)
    parser.add_argument(
        "event", nargs="+", metavar="NAME=JSON", help="an event of ours, of pi or of a hook, with its fields"
    )


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    events = [_event_in(text) for text in arguments.event]
    done, problems = asyncio.run(fired(events, arguments, places))
    if arguments.output_format == "json":
        shown = [each.as_json() for each in problems]
        screen.json({"events": [each.as_json() for each in done], "diagnostics": shown})
    else:
        for each in done:
            show_fired(each, places, screen)
        show_diagnostics(problems, places, screen)
    return PROBLEMS if any(each.is_blocked for each in done) else FINE


def _event_in(text: str) -> Event:
    """An event of ours, or one in the words of the hooks themselves: `PreToolUse={"tool_name": ...}`."""
    name, _, given = text.partition("=")
    if not is_hook_event(name):
        return event_in(text)
    try:
        return hook_event({**fields_in(given, text), "hook_event_name": name})
    except LookupError as error:
        hint = "write what a hook gets on stdin, or an event of ours: tool_call, tool_result, input, session_start"
        raise PiscesError(Diagnostic("bad-step", ERROR, f"`{name}` needs the field {error}", hint=hint)) from None


_CALL = """pisces hooks test 'tool_call={"tool": "Bash", "input": {"command": "rm -rf build"}}'"""
_OWN = """pisces hooks test 'PreToolUse={"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}}'"""
_EXAMPLES = (
    (_CALL, "who blocks it, and what each hook got and said"),
    (_OWN, "the same in the words of Claude's hooks; those of Codex and Gemini CLI are known too"),
    ("pisces hooks test --package ./my-plugin 'session_start={}'", "with a plugin from a folder"),
    ('pisces hooks test \'input={"text": "delete everything"}\'', "hooks that guard prompts"),
)
COMMAND = ShellCommand("hooks test", "fire an event for real, and see who says what", _EXAMPLES, _arguments, _run)
