"""What can be done in a store of packages: ours, and the stores that harnesses have themselves.

A harness with a store has a folder `harnesses/<id>/store`: its `acts.py` exports `ACTS`, its `values.py` exports
`values_in(folder, settings, places)`, the values that it keeps for a package in this folder. Both load when asked for.
"""

from __future__ import annotations

from pisces.by_name import export_of, folders_with
from pisces.discovery.harness import HARNESSES, Harness
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pisces.packages.fetching.source import PackageSource
    from pisces.packages.install import Installer, Outcome
    from pisces.packages.settings.described import ReadValues
    from pisces.packages.settings.settings import Setting
    from pisces.packages.update import UpdateCheck
    from pisces.places import Places
    from pisces.shapes.installed import Installed

    Answers = Mapping[str, str | None]


class Acts(Value):
    """`beside` are the store's own files in a package's folder. `id` and `label` are those of the store's harness.

    `configure` stores answers to settings, and returns the values with notes for the user. Without it, our own store of
    values is used.
    """

    beside: tuple[str, ...]
    index: Callable[[Places], dict[str, Installed]]
    install: Callable[[PackageSource, Installer], Outcome]
    link: Callable[[str, Installer], Outcome]
    uninstall: Callable[[str, Installer], Installed]
    rollback: Callable[[str, Installer], Installed]
    enable: Callable[[str, str, Installer], Installed]
    disable: Callable[[str, str, Installer], Installed]
    check_all: Callable[[list[Installed], Installer], Iterator[UpdateCheck]]
    update: Callable[[Installed, Installer], tuple[Installed, bool]]
    configure: Callable[[Installed, Sequence[Setting], Answers], tuple[ReadValues, list[str]]] | None = None
    id: str = ""
    label: str = ""

    @property
    def said(self) -> str:
        """Where something happened, for the end of a sentence; nothing for our own store."""
        return f" in {self.label}'s store" if self.label else ""


def harnesses_with_store() -> list[Harness]:
    return [export_of(HARNESSES, folder.split(".")[2], "HARNESS") for folder in _folders()]


def acts_of(harness: Harness) -> Acts:
    acts: Acts = export_of(f"{HARNESSES}.{harness.id.replace('-', '_')}.store", "acts", "ACTS")
    return acts.replace(id=harness.id, label=harness.label)


def values_in(folder: str, settings: Sequence[Setting], places: Places) -> dict[str, str]:
    """The values that harnesses keep for the package in this folder, if it lies in one of their stores."""
    found: dict[str, str] = {}
    for store in _folders():
        found.update(export_of(store, "values", "values_in")(folder, settings, places))
    return found


def _folders() -> list[str]:
    return folders_with(HARNESSES, "store")
