"""`pisces ide serve`: a companion for an editor's plugin in any language, driven by JSON lines (see `lines`)."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress

from pisces import __version__
from pisces.by_name import export_of
from pisces.cli._ide_pipes import OutputLines, input_lines
from pisces.cli._shell_command import FINE, ShellCommand
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.ide.companion.companion import Companion
from pisces.ide.companion.lines import LIMITS, MOST_LINE, PROTOCOL, PluginLines
from pisces.ide.companion.options import CompanionOptions, Window
from pisces.ide.companion.signals import stop_on_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE = 1024 * 1024


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--workspace", action="append", metavar="DIR", help="a folder that is open (repeatable)")
    parser.add_argument(
        "--pid", action="append", metavar="N", help="a process of the editor (repeatable); default parent"
    )
    parser.add_argument("--name", default="pisces", metavar="NAME", help="the editor's short name, as in `neovim`")
    parser.add_argument("--display-name", metavar="NAME", help="the editor's name for people, as in `Neovim`")
    parser.add_argument("--env", action="store_true", help="put the variables for terminals into the first line")
    parser.add_argument("--containers", action="store_true", help="let in clients that dial `host.docker.internal`")
    parser.add_argument("--keep-alive", default="60", metavar="SECONDS", help="between two signs of life (default 60)")
    parser.add_argument("--demo", action="store_true", help="play the editor yourself, in plain words")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    folders = tuple(places.absolute(each) for each in arguments.workspace or [])
    if arguments.demo:
        folders = folders or (places.cwd,)
    window = Window(folders, arguments.name, arguments.display_name or arguments.name, _pids(arguments))
    options = CompanionOptions(containers=arguments.containers, keep_alive=_seconds(arguments.keep_alive))
    if arguments.demo:
        return int(export_of("pisces.cli", "_ide_demo", "demo")(window, options, screen))
    _return_large_blocks()
    output = OutputLines()
    lines = PluginLines(output.write)
    companion = Companion(window, lines.editor, options, places.env)
    stop_on_signals(companion)
    with companion:
        ready = {"port": companion.port, "files": companion.files, "version": __version__}
        ready |= {"protocol": PROTOCOL, "limits": LIMITS}
        lines.send("ready", **ready, **({"env": companion.env} if arguments.env else {}))
        for problem in companion.problems:
            lines.problem(problem)
        for line in input_lines(MOST_LINE):
            if not line.isspace() and not lines.take(line, companion):
                break
            del line
    output.end()
    return FINE


def _return_large_blocks() -> None:
    """Gives large blocks of memory back to the system as soon as they are free: this program runs for days.

    By itself the C library of Linux keeps them, in every thread: one diff of 10 MB leaves 70 MB behind instead of 23.
    Other systems and other C libraries return them anyway.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # a C library without this call
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)


def _pids(arguments: Namespace) -> tuple[int, ...]:
    given = arguments.pid or [str(os.getppid())]
    for each in given:
        if not each.isascii() or not each.isdigit() or int(each) == 0:
            raise PiscesError(Diagnostic("bad-pid", ERROR, f"`--pid {each}` is not the number of a process"))
    return tuple(map(int, given))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0.01 <= seconds <= 240:  # Gemini CLI gives up after 300
        hint = "a number between 0.01 and 240"
        raise PiscesError(Diagnostic("bad-keep-alive", ERROR, f"`--keep-alive {text}` is no such time", hint=hint))
    return seconds


_EXAMPLES = (
    ("pisces ide serve --workspace . --name neovim", "for a plugin: JSON lines in and out"),
    ("pisces ide serve --workspace . --pid 4711 --env", "for another process, with variables for terminals"),
    ("pisces ide serve --demo", "try it without an editor"),
)
_SUMMARY = "a companion for your editor: tells agents in its terminals what is open, and shows their diffs"
COMMAND = ShellCommand("ide serve", _SUMMARY, _EXAMPLES, _arguments, _run)
