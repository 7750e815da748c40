"""`pisces` and `pisces -p`: our own agent, in the terminal or for one prompt."""

from __future__ import annotations

import sys

from pisces.by_name import export_of
from pisces.cli._packages import add_packages
from pisces.cli._shell_command import COULD_NOT_RUN, ShellCommand, add_output_format
from pisces.shapes.session_facts import MODE_ASK, MODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

_THINKING = ("off", "low", "medium", "high")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="*", metavar="PROMPT", help="what to begin with; @path puts a file behind it")
    parser.add_argument("-p", "--print", action="store_true", dest="once", help="answer one prompt and end")
    add_output_format(parser, "jsonl")
    parser.add_argument("--model", default="", metavar="NAME", help="provider/model, as in anthropic/claude-sonnet-4-5")
    parser.add_argument("--thinking", choices=_THINKING, default="", help="how much the model thinks first")
    parser.add_argument("--image", action="append", metavar="FILE", help="a picture for the prompt (repeatable)")
    _add_permissions(parser)
    _add_extensions(parser)
    _add_session(parser)


def _add_permissions(parser: ArgumentParser) -> None:
    meaning = "ask before changes; allow edits of files here; plan: change nothing; all: everything that nobody denies"
    parser.add_argument("--approve-mode", choices=MODES, default=MODE_ASK, help=meaning)
    parser.add_argument("--allow", action="append", metavar="RULE", help="run unasked, as in 'shell(git diff)'")
    parser.add_argument("--deny", action="append", metavar="RULE", help="never run, as in 'write(secrets/**)'")
    parser.add_argument("--trust-workspace", action="store_true", help="trust what this project brings, this time")


def _add_extensions(parser: ArgumentParser) -> None:
    add_packages(parser)
    parser.add_argument("-e", "--extension", action="append", metavar="PATH", help="load this module, too (repeatable)")
    meaning = "hooks for this run: a JSON file of any harness, or a module (repeatable)"
    parser.add_argument("--hook", action="append", metavar="FILE", help=meaning)
    meaning = "look for nothing, and drop what -e and --hook name; --package stays"
    parser.add_argument("--no-extensions", action="store_true", help=meaning)


def _add_session(parser: ArgumentParser) -> None:
    parser.add_argument("--max-turns", type=int, default=0, metavar="N", help="end after so many requests to the model")
    parser.add_argument("--max-cost", type=float, default=0.0, metavar="DOLLARS", help="end when it has cost this much")
    meaning = "go on with a session: its id, its name or `last`"
    parser.add_argument("--resume", nargs="?", const="", default=None, metavar="SESSION", help=meaning)
    parser.add_argument("-c", "--continue", action="store_true", dest="last", help="go on with the last session here")
    parser.add_argument("--no-session", action="store_true", help="store nothing")
    parser.add_argument("--plain", action="store_true", help="for screen readers: no frame, nothing is redrawn")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    flaw = _flaw(arguments)
    if flaw:
        screen.failed(f"pisces: {flaw}", "`pisces -p --help` has examples")
        return COULD_NOT_RUN
    if arguments.once:
        printed: int = export_of("pisces.cli", "_agent_print", "print_answer")(arguments, places, screen)
        return printed
    if not (screen.is_terminal and sys.stdin is not None and sys.stdin.isatty()):
        screen.failed("pisces: this is no terminal", '`pisces -p "..."` answers one prompt without one')
        return COULD_NOT_RUN
    try:
        status: int = export_of("pisces.ui.terminal", "program", "run_terminal")(arguments, places, screen)
    except ModuleNotFoundError as error:
        raise export_of("pisces.ui", "session_options", "needs_extra")(error) from None
    return status


def _flaw(arguments: Namespace) -> str:
    """What argparse cannot know to be wrong."""
    if arguments.max_turns < 0:
        return "`--max-turns` is a number of requests, 0 for any"
    if not 0.0 <= arguments.max_cost < float("inf"):
        return "`--max-cost` is a number of dollars, 0 for any"
    if arguments.no_session and (arguments.last or arguments.resume is not None):
        return "`--no-session` stores nothing, so there is nothing to go on with"
    return ""


_EXAMPLES = (
    ("pisces", "the agent, in this terminal"),
    ('pisces -p "explain @src/app.py"', "one answer"),
    ('git diff | pisces -p "review this"', "with text from a pipe"),
    ("pisces -p /review --approve-mode edits", "a slash command that may edit files here"),
    ('pisces -p "run the tests" --allow "shell(make test)"', "what else may run, and nothing more"),
    ('pisces -p "go on" --continue --output-format json', "the last session here, for programs"),
)
COMMAND = ShellCommand("", "the agent, in this terminal or for one prompt", _EXAMPLES, _arguments, _run)
