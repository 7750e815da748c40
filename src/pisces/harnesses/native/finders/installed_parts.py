"""What the packages of our own store bring, read by the rules of their format."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import ReadPackage, components, format_once
from pisces.harnesses.native.finders.installed_packages import installed, off_here
from pisces.shapes.installed import Installed


def find(where: Where) -> FinderResults:
    for package in installed(where):
        if isinstance(package, Diagnostic):
            yield package
            continue
        read, held = _read(package, where), off_here(package, where)
        if not held:
            yield from read.diagnostics
        if read.package is not None:
            yield from components(read.package, where.replace(held=held))


def _read(package: Installed, where: Where) -> ReadPackage:
    def read() -> ReadPackage:
        return format_once(package.format, where.run).read(package.folder, where.places)

    return where.run.once(("package", package.format, package.folder), read)
