"""What the packages of a harness bring: those that its own `packages` looks find, in that order."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import Where, search
from pisces.discovery.package_format import components
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where) -> Iterator[Found | Diagnostic]:
    for package in packages_of(where):
        yield from components(package.item, where.replace(level=package.source.level, held=package.held))


def packages_of(where: Where) -> list[Found[Package]]:
    """The usable packages of the harness; what is wrong with others is said when packages are asked for."""
    harness = where.harness
    if harness is None:
        return []
    read = where.run.once(
        ("own-packages", harness.id), lambda: list(search(harness, "packages", where.places, where.run))
    )
    return [found for found in read if not isinstance(found, Diagnostic) and isinstance(found.item.manifest, dict)]
