"""`pisces extensions link FOLDER`: a folder that stays where it is, for the one who writes it."""

from __future__ import annotations

from pisces.cli._audit import record_package
from pisces.cli._installer import add_consent, installer_for
from pisces.cli._shell_command import FINE, ShellCommand
from pisces.cli._stores import add_store
from pisces.packages.store.every_store import store_for
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="the package's folder")
    add_store(parser, "the store to link it in; ours without it")
    add_consent(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    store = store_for(arguments.to)
    outcome = store.link(places.absolute(arguments.folder), installer_for(arguments, places, screen))
    record_package("linked", outcome.package, store, (places, screen))
    folder = visible(places.shown(outcome.package.folder))
    screen.line(f"linked {visible(outcome.package.name)} to {folder}{store.said}")
    return FINE


_EXAMPLES = (("pisces extensions link .", "the package in this folder"),)
_SUMMARY = "use a package from its own folder while you write it"
COMMAND = ShellCommand("extensions link", _SUMMARY, _EXAMPLES, _arguments, _run)
