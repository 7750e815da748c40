"""`pisces extensions enable NAME`: switch a package on, here or everywhere."""

from __future__ import annotations

from pisces.cli._scope import add_scope, scope_text
from pisces.cli._shell_command import FINE, ShellCommand
from pisces.cli._stores import add_store, store_with
from pisces.cli._workshop import quiet_workshop
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from pisces.places import Places
    from pisces.ui.screen import Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a package's name")
    add_scope(parser)
    add_store(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    store, name = store_with(arguments.name, arguments.to, places)
    package = store.enable(name, arguments.scope, quiet_workshop(places, screen))
    screen.line(f"enabled {visible(package.name)} {scope_text(arguments.scope, places)}{store.said}")
    return FINE


COMMAND = ShellCommand(
    "extensions enable",
    "switch a package on, here or everywhere",
    (
        ("pisces extensions enable review", "everywhere"),
        ("pisces extensions enable review --scope workspace", "in this folder and below"),
    ),
    _arguments,
    _run,
)
