"""`pisces trust`: says that what a project brings may run, takes it back, and shows what was said."""

from __future__ import annotations

from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand
from pisces.gates.trust import Trust, folder_to_trust, remember_trust, trust_in
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="the project's folder; default: this one")
    parser.add_argument("--forget", action="store_true", help="do not trust it any more")
    parser.add_argument("--list", action="store_true", help="the folders that are trusted")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    if arguments.list:
        return _list(trust_in(places), places, screen)
    if arguments.forget:
        return _forget(places.absolute(arguments.path or "."), places, screen)
    folder = folder_to_trust(places, arguments.path or ".")
    remember_trust(places, lambda trust: trust.including(folder))
    screen.note(f"trusted: {visible(folder)} and what lies below it. `pisces trust --forget` takes it back")
    return FINE


def _list(trust: Trust, places: Places, screen: Screen) -> int:
    for folder in trust.folders:
        screen.line(visible(places.shown(folder)))
    if not trust.folders:
        screen.note("no folder is trusted")
    return FINE


def _forget(folder: str, places: Places, screen: Screen) -> int:
    before = trust_in(places)
    less = before.without(folder)
    if less == before:
        screen.note(f"{visible(folder)} is not on the list")
    else:
        less = remember_trust(places, lambda trust: trust.without(folder))
        screen.note(f"forgotten: {visible(folder)}")
    if less.covers(folder):
        above = [each for each in less.folders if less.replace(folders=(each,)).covers(folder)]
        screen.note(f"it is still trusted, because of {visible(above[0])}")
        return PROBLEMS
    return FINE


_EXAMPLES = (
    ("pisces trust", "this folder, and what lies below it"),
    ("pisces trust ~/work/shop --forget", "not any more"),
    ("pisces trust --list", "what is trusted"),
)
COMMAND = ShellCommand("trust", "lets the modules of a project run", _EXAMPLES, _arguments, _run)
