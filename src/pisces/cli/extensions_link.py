"""`pisces extensions link FOLDER`: a folder that stays where it is, for the one who writes it."""

from __future__ import annotations

from pisces.cli._consent import add_consent
from pisces.cli._shell_command import FINE, ShellCommand
from pisces.cli._workshop import workshop
from pisces.packages.install import link
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from pisces.places import Places
    from pisces.ui.screen import Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="the package's folder")
    add_consent(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    outcome = link(places.absolute(arguments.folder), workshop(arguments, places, screen))
    screen.line(f"linked {visible(outcome.package.name)} to {visible(places.shown(outcome.package.folder))}")
    return FINE


COMMAND = ShellCommand(
    "extensions link",
    "use a package from its own folder while you write it",
    (("pisces extensions link .", "the package in this folder"),),
    _arguments,
    _run,
)
