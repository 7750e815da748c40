"""The two stores behind one set of acts: ours, and Gemini CLI's. Without `--to`, ours is looked at first."""

from __future__ import annotations

from pisces.diagnostics import PiscesError
from pisces.harnesses.gemini.store import act, updates
from pisces.harnesses.gemini.store.layout import BESIDE
from pisces.harnesses.gemini.store.shelf import read_index as read_gemini_index
from pisces.packages import enable, install, uninstall, update
from pisces.packages.store.store import own_store, read_index
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterator

    from pisces.packages.fetching.source import PackageSource
    from pisces.packages.install import Outcome, Workshop
    from pisces.packages.update import UpdateCheck
    from pisces.places import Places
    from pisces.shapes.installed import Installed

GEMINI, PISCES = "gemini", "pisces"


class Acts(Value):
    """What can be done in a store. `said` follows a sentence about it; `beside` are its own files in a package."""

    id: str
    said: str
    beside: tuple[str, ...]
    index: Callable[[Places], dict[str, Installed]]
    install: Callable[[PackageSource, Workshop], Outcome]
    link: Callable[[str, Workshop], Outcome]
    uninstall: Callable[[str, Workshop], Installed]
    rollback: Callable[[str, Workshop], Installed]
    enable: Callable[[str, str, Workshop], Installed]
    disable: Callable[[str, str, Workshop], Installed]
    check_all: Callable[[list[Installed], Workshop], Iterator[UpdateCheck]]
    update: Callable[[Installed, Workshop], tuple[Installed, bool]]


_STORES = (
    Acts(
        PISCES,
        "",
        (),
        lambda places: read_index(own_store(places)),
        install.install,
        install.link,
        uninstall.uninstall,
        uninstall.rollback,
        enable.enable,
        enable.disable,
        update.check_all,
        update.update,
    ),
    Acts(
        GEMINI,
        " in Gemini CLI's store",
        BESIDE,
        read_gemini_index,
        act.install,
        act.link,
        act.uninstall,
        act.rollback,
        act.enable,
        act.disable,
        updates.check_all,
        updates.update,
    ),
)


def add_store(parser: ArgumentParser, meaning: str = "the store to look in; else ours, then Gemini CLI's") -> None:
    parser.add_argument("--to", choices=(GEMINI, PISCES), default="", help=meaning)


def store_for(to: str) -> Acts:
    """Where something new goes."""
    return next(each for each in _STORES if each.id == (to or PISCES))


def stores(to: str) -> list[Acts]:
    return [each for each in _STORES if to in ("", each.id)]


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
