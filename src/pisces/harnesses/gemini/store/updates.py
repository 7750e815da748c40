"""Updates of packages in Gemini CLI's store, also of those that Gemini CLI installed itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from pisces.diagnostics import PiscesError
from pisces.harnesses.gemini.store import act
from pisces.harnesses.gemini.store.metadata import UNKNOWN
from pisces.packages.fetching.source import source_from_json
from pisces.packages.install import Installer
from pisces.packages.update import AT_ONCE, LINKED, UpdateCheck, check_one, moved_to
from pisces.shapes.installed import Installed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def check_all(packages: list[Installed], shop: Installer) -> Iterator[UpdateCheck]:
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        yield from pool.map(lambda package: _check_one(package, shop), packages)


def update(package: Installed, shop: Installer) -> tuple[Installed, bool]:
    """The extension now, and whether it changed. The old version stays for rollback, also if this fails."""
    if package.linked:
        raise PiscesError(LINKED.at("", f"`{package.name}` is linked to {package.folder}"))
    source = moved_to(package, shop) or source_from_json(package.source)
    outcome = act.install(source, shop, replacing=package.name)
    return outcome.package, outcome.changed


def _check_one(package: Installed, shop: Installer) -> UpdateCheck:
    if package.source.get("kind") == UNKNOWN:
        return UpdateCheck(package, "unknown", "nobody noted where it came from")
    return check_one(package, shop)
