"""Packages of the user's store: installed, updated and removed."""

from __future__ import annotations

from pisces.gates.judge import judge_now
from pisces.packages.fetching.source import parse_source
from pisces.packages.install import Installer, InstallRequest, Outcome, install as install_from
from pisces.packages.store.store import own_store, read_index
from pisces.packages.uninstall import owned_name, uninstall as uninstall_from
from pisces.packages.update import update as update_package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.gates.judge import Confirm
    from pisces.places import Places
    from pisces.shapes.installed import Installed
    from pisces.shapes.verdict import Verdict


def install(
    source: str,
    places: Places,
    confirm: Callable[[InstallRequest, tuple[Verdict, ...]], Verdict] | None = None,
    report: Callable[[str], None] | None = None,
    *,
    ref: str = "",
) -> Outcome:
    """Installs a package from a folder, an archive, a git address, `OWNER/REPO` or `NAME@MARKETPLACE`.

    `confirm` gets an `InstallRequest`: its `card` says what the package can do and has the hash of every file. `report`
    gets progress, a line at a time; one that ends with a carriage return is replaced by the next. `ref` is a branch,
    tag or commit. The result says which package it is, and whether anything changed. Raises `PiscesError` if it was not
    agreed to, cannot be fetched or cannot be used; then nothing was changed.
    """
    return install_from(parse_source(source, places, ref=ref), _installer(places, confirm, report))


def installed(places: Places) -> tuple[Installed, ...]:
    """The packages of the user's store, by name. Raises `PiscesError` if its index cannot be read."""
    index = read_index(own_store(places))
    return tuple(index[name] for name in sorted(index))


def update(
    name: str,
    places: Places,
    confirm: Callable[[InstallRequest, tuple[Verdict, ...]], Verdict] | None = None,
    report: Callable[[str], None] | None = None,
) -> tuple[Installed, bool]:
    """The package after the update, and whether it changed. What changed is asked about as if it were installed.

    Raises `PiscesError` as `install` does, and if no package has that name. The version before stays for
    `pisces extensions rollback`.
    """
    index = read_index(own_store(places))
    return update_package(index[owned_name(name, index)], _installer(places, confirm, report))


def uninstall(name: str, places: Places, report: Callable[[str], None] | None = None) -> Installed:
    """Removes a package with its files, settings and secrets, and gives back what it was.

    Raises `PiscesError` if no package has that name.
    """
    return uninstall_from(name, _installer(places, None, report))


def _installer(places: Places, confirm: Confirm | None, report: Callable[[str], None] | None) -> Installer:
    progress = report or (lambda _line: None)
    return Installer(own_store(places), places, lambda request: judge_now(request, (), confirm), progress)
