"""`pisces extensions uninstall NAME...`: takes packages away, with their settings and secrets."""

from __future__ import annotations

from pisces.cli._shell_command import FINE, ShellCommand
from pisces.cli._workshop import quiet_workshop
from pisces.packages.store import read_index
from pisces.packages.uninstall import owned_name, uninstall
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from pisces.places import Places
    from pisces.ui.screen import Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="a package's name, or the source it came from")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    shop = quiet_workshop(places, screen)
    index = read_index(shop.store)
    names = [owned_name(name, index) for name in arguments.names]  # all are known before the first one goes
    for name in dict.fromkeys(names):
        gone = uninstall(name, shop)
        screen.line(f"uninstalled {visible(gone.name)} {visible(gone.version)}")
    return FINE


COMMAND = ShellCommand(
    "extensions uninstall",
    "take packages away",
    (("pisces extensions uninstall review", "one"), ("pisces extensions uninstall review lint", "several")),
    _arguments,
    _run,
)
