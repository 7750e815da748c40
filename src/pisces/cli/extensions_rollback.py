"""`pisces extensions rollback NAME`: back to the version before the last update; again, and forth."""

from __future__ import annotations

from pisces.cli._audit import record_package
from pisces.cli._installer import quiet_installer
from pisces.cli._shell_command import FINE, ShellCommand
from pisces.cli._stores import add_name
from pisces.packages.store.every_store import store_with
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    store, name = store_with(arguments.name, arguments.to, places)
    package = store.rollback(name, quiet_installer(places, screen))
    record_package("rolled back", package, store, (places, screen))
    screen.line(f"{visible(package.name)} is {visible(package.version)} again{store.said} ({package.tree[:19]})")
    return FINE


_EXAMPLES = (("pisces extensions rollback review", "the earlier version takes over"),)
_SUMMARY = "go back to the version before the last update"
COMMAND = ShellCommand("extensions rollback", _SUMMARY, _EXAMPLES, add_name, _run)
