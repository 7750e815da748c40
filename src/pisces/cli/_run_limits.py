"""What a call of `pisces run` allows everything that it starts: `--timeout`, `--sandbox` and `--env`."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.passed_env import with_passed_env

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.processes.launch import Launch


def add_limits(parser: ArgumentParser) -> None:
    limited = "end a program or a command line after this long; 0 means never"
    parser.add_argument("--timeout", metavar="SECONDS", help=limited)
    fenced = "fence a program or the command lines of a prompt in, where the system can"
    parser.add_argument("--sandbox", action="store_true", help=fenced)
    passed = "pass a variable of yours on to what runs (repeatable)"
    parser.add_argument("--env", action="append", metavar="NAME", help=passed)


def seconds_of(arguments: Namespace) -> float | None:
    """The time limit that is asked for; None if none is."""
    text = arguments.timeout
    try:
        seconds = None if text is None else float(text)
    except ValueError:
        seconds = -1
    if seconds is not None and not 0 <= seconds < float("inf"):
        hint = "a number such as 30 or 0.5; 0 means no limit"
        raise PiscesError(Diagnostic("bad-timeout", ERROR, f"`--timeout {text}` is not a time in seconds", hint=hint))
    return seconds


def places_of(arguments: Namespace, places: Places, screen: Screen) -> Places:
    """The places, with the variables that are passed on."""
    named = arguments.env or ()
    passing = with_passed_env(places, named)
    for name in named:
        if not name.endswith("*") and name not in places.env:
            screen.note(f"{name} is not set, so it is not passed on")
    return passing


def line_fence(path: str, places: Places, note: Callable[[str], object]) -> Callable[[Launch], Launch]:
    """Puts a sandbox around each command line of a prompt file. What kind is noted once."""
    noted: set[str] = set()
    folder = _package_of(path, places)

    def fence(launch: Launch) -> Launch:
        fenced: Launch
        fenced, label = export_of("pisces.processes.sandbox", "fence", "sandboxed")(launch, folder, places)
        if label not in noted:
            noted.add(label)
            note(label)
        return fenced

    return fence


def _package_of(path: str, places: Places) -> str:
    """The nearest folder above a prompt file with a manifest; else the folder of the file. Never the home folder."""
    formats_of = export_of("pisces.discovery", "package_format", "formats_of")
    folder = own = os.path.dirname(path)
    while folder not in (places.home, places.cwd, os.path.dirname(folder)):
        if formats_of(folder):
            return folder
        folder = os.path.dirname(folder)
    return own
