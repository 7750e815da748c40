"""One package's whole inventory: everything in its folder, what loads and what is rejected."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import CAPABILITIES, PACKAGES
from pisces.discovery.capability import Capability
from pisces.discovery.found import PROJECT, Found, Kind
from pisces.discovery.harness import Run, Where
from pisces.discovery.package_format import PackageFormat, ReadPackage, components, formats_of, real_folder
from pisces.places import Places
from pisces.shapes.package import Package
from pisces.value import Value

# What can be said about a folder whose manifest is broken: these need nothing from it.
_WITHOUT_MANIFEST = ("skills", "subagents", "policies")


class Inventory(Value):
    """`package` is None where the manifest cannot be used; `format` has an `id` and a `label`.

    `found` and `rejected` have a tuple for each capability; what is said of the manifest is that of packages.
    """

    folder: str
    format: PackageFormat
    package: Package | None
    installs: bool
    found: dict[str, tuple[Found, ...]]
    rejected: dict[str, tuple[Diagnostic, ...]]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(each for flaws in self.rejected.values() for each in flaws)

    def of(self, capability: Capability[Kind]) -> tuple[Found[Kind], ...]:
        return self.found[capability.id]


def inspect(folder: str, places: Places, only: str | None = None) -> list[Inventory]:
    """One for each format that the folder is a package of, or for the one that is asked for."""
    folder = real_folder(folder, places)
    return [inventory(folder, each, places) for each in formats_of(folder) if only in (None, each.id)]


def inventory(
    folder: str, package_format: PackageFormat, places: Places, given: ReadPackage | None = None
) -> Inventory:
    """`given` is the package where something else than its manifest speaks for it, as a marketplace does."""
    folder = os.path.abspath(folder)
    read = given or package_format.read(folder, places)
    package = read.package or Package(os.path.basename(folder), folder, {}, package_format.id)
    run = Run()
    run.once(("format", package_format.id), lambda: package_format)  # it need not be searched for
    where = Where(places, run, "", package_format.id, package_format.label, PROJECT, package=package)
    found: dict[str, tuple[Found, ...]] = {}
    rejected: dict[str, tuple[Diagnostic, ...]] = {PACKAGES.id: tuple(read.diagnostics)}
    for capability in CAPABILITIES:
        asked = read.package or capability.id in _WITHOUT_MANIFEST
        results = list(components(package, where.replace(capability=capability.id))) if asked else []
        found[capability.id] = tuple(each for each in results if isinstance(each, Found))
        flaws = tuple(each for each in results if isinstance(each, Diagnostic))
        rejected[capability.id] = (*rejected.get(capability.id, ()), *flaws)
    found["commands"] = _with_final_names(found["commands"], package_format, read.package)
    return Inventory(folder, package_format, read.package, read.installs, found, rejected)


def _with_final_names(
    commands: tuple[Found, ...], package_format: PackageFormat, package: Package | None
) -> tuple[Found, ...]:
    """A finder knows only its files. What users type depends on the harness's own commands and on each other."""
    if package is None or package_format.final_names is None:
        return commands
    names = package_format.final_names([each.item for each in commands], str(package.name))
    return tuple(
        each.replace(item=each.item.replace(final_name=name)) for each, name in zip(commands, names, strict=True)
    )
