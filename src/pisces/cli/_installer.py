"""The installer of one shell call: our own store, consent at the terminal, progress on stderr."""

from __future__ import annotations

from pisces.cli._consent import consent
from pisces.gates.judge import judge_now
from pisces.packages.install import Installer
from pisces.packages.store.store import own_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.gates.judge import Confirm


def installer_for(arguments: Namespace, places: Places, screen: Screen) -> Installer:
    return installer_that_asks(consent(arguments, places, screen), places, screen)


def quiet_installer(places: Places, screen: Screen) -> Installer:
    """For acts that never ask: uninstall, enable, disable, rollback."""
    return installer_that_asks(None, places, screen)


def installer_that_asks(confirm: Confirm | None, places: Places, screen: Screen) -> Installer:
    return Installer(own_store(places), places, lambda request: judge_now(request, (), confirm), screen.note)
