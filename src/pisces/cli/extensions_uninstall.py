"""`pisces extensions uninstall NAME...`: takes packages away, with their settings and secrets."""

from __future__ import annotations

from pisces.cli._audit import record_package
from pisces.cli._installer import quiet_installer
from pisces.cli._shell_command import FINE, ShellCommand
from pisces.cli._stores import add_store
from pisces.packages.store.every_store import store_with
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="a package's name, or the source it came from")
    add_store(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    installer = quiet_installer(places, screen)
    found = [store_with(name, arguments.to, places) for name in arguments.names]  # all before the first one goes
    for store, name in {(store.id, name): (store, name) for store, name in found}.values():
        gone = store.uninstall(name, installer)
        record_package("uninstalled", gone, store, (places, screen))
        screen.line(f"uninstalled {visible(gone.name)} {visible(gone.version)}{store.said}")
    return FINE


_EXAMPLES = (("pisces extensions uninstall review", "one"), ("pisces extensions uninstall review lint", "several"))
COMMAND = ShellCommand("extensions uninstall", "take packages away", _EXAMPLES, _arguments, _run)
