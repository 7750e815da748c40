"""`pisces tour`: what the agent does with other programs' extensions, on a model that follows a script."""

from __future__ import annotations

import shlex
import sys

from pisces.by_name import export_of, names_in
from pisces.cli._shell_command import FINE, ShellCommand
from pisces.discovery.safe_mode import refuse_in_safe_mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

_PAUSE = 4.0  # seconds


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--fast", action="store_true", help="do not wait between scenes")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    refuse_in_safe_mode(places, "the tour")
    import asyncio
    from tempfile import TemporaryDirectory

    watches = not arguments.fast and screen.is_terminal and sys.stdin is not None and sys.stdin.isatty()
    with TemporaryDirectory(prefix="pisces-tour-", ignore_cleanup_errors=True) as folder:
        own: Places = export_of("pisces.ui.tour", "play", "places_of_tour")(folder, places)
        shown = export_of("pisces.ui.tour", "tour_screen", "TourScreen")(screen, own.env, _PAUSE if watches else 0.0)
        script = export_of("pisces.ui.tour", "script", "tour_script")()
        play = export_of("pisces.ui.tour", "play", "play")
        asyncio.run(play(script, own, shown, lambda line: _shell(line, own, screen)))
    return FINE


def _shell(line: str, places: Places, screen: Screen) -> None:
    """A command of ours, in the places of the tour."""
    words = shlex.split(line)
    both = "_".join(words[:2])
    name, rest = (both, words[2:]) if both in names_in("pisces.cli") else (words[0], words[1:])
    command: ShellCommand = export_of("pisces.cli", name, "COMMAND")
    arguments = export_of("pisces.cli", "_parser", "parser_of")(command).parse_args(rest)
    command.run(arguments, places, screen)


_EXAMPLES = (
    ("pisces tour", "two minutes; Enter goes on at once, q and Enter leave"),
    ("pisces tour --fast", "all of it at once"),
)
_SUMMARY = "a tour of the agent: cards, hooks, skills, subagents and the log, without a key and without the network"
COMMAND = ShellCommand("tour", _SUMMARY, _EXAMPLES, _arguments, _run)
