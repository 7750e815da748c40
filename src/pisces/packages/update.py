"""Updates: one request to the source of each package, concurrently. Nothing is updated automatically."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.package_format import format_named
from pisces.packages.fetching import newest
from pisces.packages.fetching.source import PackageSource, parse_source, source_from_json
from pisces.packages.install import Installer, install, inventory_at, prepare
from pisces.packages.settings.settings import settings_of
from pisces.packages.settings.values import Values
from pisces.packages.store.store import writing
from pisces.packages.store.tree import tree_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.installed import Installed

LINKED = Rule("package-linked", ERROR, "A linked package has no updates")

AT_ONCE = 8
AVAILABLE, CURRENT = "available", "current"
UP_TO_DATE = "up to date"


class UpdateCheck(Value):
    """`state` is current, available, failed or linked. `detail` has the new version or the error.

    An available update that is not `sure` may turn out to have the very same files: see `compared`.
    """

    package: Installed
    state: str
    detail: str = ""
    diagnostic: Diagnostic | None = None
    sure: bool = True


def check_all(packages: list[Installed], installer: Installer) -> Iterator[UpdateCheck]:
    """Asks every source once, several at a time. Results are in the order of the packages."""
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        yield from pool.map(lambda package: check_one(package, installer), packages)


def check_one(package: Installed, installer: Installer) -> UpdateCheck:
    if package.linked:
        return UpdateCheck(package, "linked", "read from its own folder")
    moved = moved_to(package, installer)
    if moved:
        return UpdateCheck(package, AVAILABLE, f"moved to {moved.as_text()}")
    try:
        found = newest(source_from_json(package.source), package.commit, package.tag, installer.places)
    except PiscesError as error:
        return _failed(package, error)
    return UpdateCheck(package, AVAILABLE if found.changed else CURRENT, found.detail, sure=found.sure)


def compared(checked: UpdateCheck, installer: Installer, beside: tuple[str, ...] = ()) -> UpdateCheck:
    """The check, with the answer of the content where only that can tell. Fetches, and changes nothing.

    `beside` are names at the top of the package's folder that are the store's, not the package's.
    """
    package = checked.package
    if checked.state != AVAILABLE or checked.sure:
        return checked
    try:
        with tempfile.TemporaryDirectory() as staged:
            fetched = prepare(source_from_json(package.source), staged, installer)
            same = (
                fetched.name == package.name
                and fetched.tree.without(beside).hash == tree_of(package.folder, beside).hash
            )
    except PiscesError as error:
        return _failed(package, error)
    return UpdateCheck(package, CURRENT, UP_TO_DATE) if same else checked


def _failed(package: Installed, error: PiscesError) -> UpdateCheck:
    return UpdateCheck(package, "failed", error.diagnostic.message, error.diagnostic)


def update(package: Installed, installer: Installer) -> tuple[Installed, bool]:
    """The package after the update, and whether it changed. The old version stays for rollback, also on failure."""
    if package.linked:
        raise PiscesError(LINKED.at("", f"`{package.name}` is linked to {package.folder}"))
    source = moved_to(package, installer) or source_from_json(package.source)
    outcome = install(source, installer, replacing=package.name)
    found = (
        inventory_at(outcome.package.folder, installer.places, outcome.package.name).package
        if outcome.changed
        else None
    )
    if found:
        with writing(installer.store, installer.report):  # values that are secrets in the new version move to a vault
            Values(outcome.package.name, installer.places).settle(settings_of(found)[0])
    return outcome.package, outcome.changed


def moved_to(package: Installed, installer: Installer) -> PackageSource | None:
    """The new source of the package (`migratedTo` in its manifest), if it is another one and reachable."""
    read = format_named(package.format).read(package.folder, installer.places)
    manifest = read.package.manifest if read.package else None
    address = manifest.get("migratedTo") if isinstance(manifest, dict) else None
    if not isinstance(address, str) or not address:
        return None
    try:
        source = parse_source(address, installer.places)
        same_folder = source.subdir in ("", package.source.get("subdir", ""))
        if source.location == package.source.get("location") and same_folder:
            return None
        newest(source, "", "", installer.places)
    except PiscesError:
        return None  # use the old source
    return source
