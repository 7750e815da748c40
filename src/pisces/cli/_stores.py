"""Our store and those of harnesses behind one set of acts, and the options that choose one. Ours comes first."""

from __future__ import annotations

from pisces.diagnostics import PiscesError
from pisces.packages import enable, install, uninstall, update
from pisces.packages.store.acts import Acts, acts_of, harnesses_with_store
from pisces.packages.store.store import own_store, read_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Places
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


def add_store(parser: ArgumentParser, meaning: str = "") -> None:
    others = harnesses_with_store()
    labels = ", then ".join(f"{each.label}'s" for each in others)
    meaning = meaning or f"the store to look in; else ours, then {labels}"
    parser.add_argument("--to", choices=(*(each.id for each in others), PISCES), default="", help=meaning)


def add_name(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a package's name")
    add_store(parser)


def add_scope(parser: ArgumentParser) -> None:
    scopes = (enable.USER, enable.WORKSPACE)
    parser.add_argument("--scope", choices=scopes, default=enable.USER, help="everywhere, or here and below")


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
