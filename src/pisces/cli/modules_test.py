"""`pisces modules test PATH`: loads one module, says what it brings, and drives it without a model.

Naming the path is the decision to run it: a module is a program, and it runs with your rights. What it does to its
workspace it does to an empty folder that is thrown away, unless another one is named.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.cli._shell_command import ShellCommand, add_output_format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


# Steps of all kinds come in one list, in the order in which they were written.
_STEPS = (
    ("event", "NAME[=JSON]", "send an event past the module, with these fields"),
    ("tool", "NAME[=JSON]", "call a tool with these arguments, as an agent does"),
    ("command", "'/NAME ARGS'", "run a slash command"),
    ("shortcut", "KEY", "press a key, as in ctrl+k"),
)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a module: a Python, TypeScript or JavaScript file, or a folder")
    for kind, metavar, what in _STEPS:
        parser.add_argument(
            f"--{kind}",
            action="append",
            dest="steps",
            default=[],
            type=_step(kind),
            metavar=metavar,
            help=f"{what} (repeatable, in order)",
        )
    parser.add_argument(
        "--answer", action="append", default=[], metavar="TEXT", help="answer the next question: yes, no, or a text"
    )
    parser.add_argument(
        "--flag", action="append", default=[], metavar="NAME[=VALUE]", help="set a flag that the module registers"
    )
    parser.add_argument("--cwd", metavar="FOLDER", help="the module's workspace; default: an empty folder, thrown away")
    parser.add_argument("--seconds", metavar="SECONDS", help="how long one handler may take")
    add_output_format(parser)


def _step(kind: str) -> Callable[[str], tuple[str, str]]:
    return lambda text: (kind, text)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    status: int = export_of("pisces.cli", "_module_drive", "drive")(arguments, places, screen)
    return status


_EXAMPLES = (
    ("pisces modules test hello.py", "what does it register, and does it load?"),
    ("pisces modules test hello.py --command '/hello Ada'", "run its command"),
    ('pisces modules test todo.py --tool \'todo={"action": "list"}\'', "call its tool"),
    ("pisces modules test gate.ts --event session_start --answer no", "TypeScript as well"),
    ("pisces modules test blame.py --cwd . --tool blame", "in this folder, with all that it does there"),
)
_SUMMARY = "load one module, say what it brings, and drive it without a model"
COMMAND = ShellCommand("modules test", _SUMMARY, _EXAMPLES, _arguments, _run)
