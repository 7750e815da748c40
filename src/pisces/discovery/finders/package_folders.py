"""Packages in a folder of packages, read by the rules of their format; or what those packages bring.

Each direct child folder that fits the format is a package. Asked for packages, it yields them and what is wrong with
their manifests; asked for anything else, the components of those that would be installed.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import PackageFolders
from pisces.discovery.package_format import PackageFormat, ReadPackage, components, format_once
from pisces.files import entries, is_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[PackageFolders]) -> Iterator[Found | Diagnostic]:
    folders = [entry for entry in entries(where.path) if is_folder(entry)]
    if not folders:
        return  # before the format is loaded
    package_format = format_once(where.options.format, where.run)
    for entry in folders:
        if not package_format.fits(entry.path):
            continue
        read = _read(entry.path, package_format, where)
        if where.capability == "packages":
            yield from read.diagnostics
            if read.package:
                yield where.found(read.package, os.path.join(entry.path, package_format.manifest))
        elif read.package and read.installs:
            yield from components(read.package, where)


def _read(folder: str, package_format: PackageFormat, where: Where) -> ReadPackage:
    key = ("package", package_format.id, folder)
    return where.run.once(key, lambda: package_format.read(folder, where.places))
