"""`enable` and `disable` are one command with two names."""

from __future__ import annotations

from pisces.cli._audit import record_package
from pisces.cli._installer import quiet_installer
from pisces.cli._shell_command import FINE, ShellCommand
from pisces.cli._stores import add_scope, add_store
from pisces.packages.enable import USER
from pisces.packages.store.every_store import switched
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def switching(act: str, summary: str) -> ShellCommand:
    """`act` is the name of the command and of what each store does for it."""

    def run(arguments: Namespace, places: Places, screen: Screen) -> int:
        package, store = switched(act, arguments.name, arguments.scope, quiet_installer(places, screen), arguments.to)
        record_package(f"{act}d", package, store, (places, screen))
        where = "everywhere" if arguments.scope == USER else f"in {places.shown(places.cwd)} and below"
        screen.line(f"{act}d {visible(package.name)} {where}{store.said}")
        return FINE

    examples = (
        (f"pisces extensions {act} review", "everywhere"),
        (f"pisces extensions {act} review --scope workspace", "in this folder and below"),
    )
    return ShellCommand(f"extensions {act}", summary, examples, _arguments, run)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a package's name")
    add_scope(parser)
    add_store(parser)
