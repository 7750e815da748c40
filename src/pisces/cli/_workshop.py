"""The workshop of one shell call: our own store, this process's places, consent at the terminal, progress on stderr."""

from __future__ import annotations

from pisces.cli._consent import consent
from pisces.packages.install import Workshop
from pisces.packages.store.store import own_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from pisces.packages.install import Asked
    from pisces.places import Places
    from pisces.ui.screen import Screen


def workshop(arguments: Namespace, places: Places, screen: Screen) -> Workshop:
    return Workshop(own_store(places), places, consent(arguments, places, screen), screen.note)


def quiet_workshop(places: Places, screen: Screen) -> Workshop:
    """For acts that never ask: uninstall, enable, disable, rollback."""

    def never(_asked: Asked) -> bool:
        return False

    return Workshop(own_store(places), places, never, screen.note)
