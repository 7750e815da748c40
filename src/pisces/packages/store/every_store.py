"""Our store and those of harnesses behind one set of acts. Ours comes first."""

from __future__ import annotations

from pisces.diagnostics import PiscesError
from pisces.packages import enable, install, uninstall, update
from pisces.packages.store.acts import Acts, acts_of, harnesses_with_store
from pisces.packages.store.store import own_store, read_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.packages.install import Installer
    from pisces.places import Places
    from pisces.shapes.installed import Installed

PISCES = "pisces"

_OURS = Acts(
    beside=(),
    index=lambda places: read_index(own_store(places)),
    install=install.install,
    link=install.link,
    uninstall=uninstall.uninstall,
    rollback=uninstall.rollback,
    enable=enable.enable,
    disable=enable.disable,
    check_all=update.check_all,
    update=update.update,
    id=PISCES,
)


def store_for(to: str) -> Acts:
    """Where something new goes."""
    return next(iter(stores(to or PISCES)))


def stores(to: str) -> list[Acts]:
    ours = [_OURS] if to in ("", PISCES) else []
    return [*ours, *(acts_of(each) for each in harnesses_with_store() if to in ("", each.id))]


def store_with(name: str, to: str, places: Places) -> tuple[Acts, str]:
    """The first store that has a package of that name or source, and its exact name; else an error with a hint."""
    everything: dict[str, Installed] = {}
    for each in stores(to):
        index = each.index(places)
        try:
            return each, uninstall.owned_name(name, index)
        except PiscesError:
            everything = {**index, **everything}
    return store_for(to), uninstall.owned_name(name, everything)


def switched(act: str, name: str, scope: str, installer: Installer, to: str = "") -> tuple[Installed, Acts]:
    """Switches a package on or off; `act` is enable or disable. Raises `PiscesError` where no store has it."""
    store, exact = store_with(name, to, installer.places)
    package: Installed = getattr(store, act)(exact, scope, installer)
    return package, store
