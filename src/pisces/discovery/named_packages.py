"""Packages in folders that the user names for one run, and what they bring. Naming them means trust."""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.found import USER, Found, Source
from pisces.discovery.harness import Run, Where
from pisces.discovery.package_format import components, formats_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.places import Places
    from pisces.shapes.package import Package

LABEL = "--package"

NO_PACKAGE = Rule("no-package-here", ERROR, "A folder named with --package is no package")


class NamedPackages(Value):
    """`packages` of `folders`, in that order: a folder may be a package in several formats."""

    packages: tuple[Package, ...]
    diagnostics: tuple[Diagnostic, ...]

    def found(self, kind: str, places: Places, run: Run) -> tuple[list[Found], list[Diagnostic]]:
        """What they bring of a kind, and what is wrong with it. Of packages they are themselves."""
        if kind == PACKAGES.id:
            return [Found(each, Source(each.format, LABEL, each.path, USER)) for each in self.packages], []
        results: list[Found | Diagnostic] = []
        for package in self.packages:
            results += components(package, Where(places, run, kind, package.format, LABEL, USER, package=package))
        items = [each for each in results if isinstance(each, Found)]
        return items, [each for each in results if isinstance(each, Diagnostic)]


def named_packages(folders: Sequence[str], places: Places) -> NamedPackages:
    """Raises `PiscesError` for a folder that is no package."""
    packages: list[Package] = []
    diagnostics: list[Diagnostic] = []
    for folder in folders:
        if not folder:  # an unset variable must not mean the current folder, which would be trusted
            hint = "the current folder is `--package .`"
            raise PiscesError(NO_PACKAGE.at("", "--package names no folder", hint=hint))
        path = places.absolute(folder)
        reads = [each.read(path, places) for each in formats_of(path)]
        found = [read.package for read in reads if read.package]
        problems = [problem for read in reads for problem in read.diagnostics]
        if not found:
            raise PiscesError(_not_a_package(path, problems))
        packages += found
        diagnostics += problems
    return NamedPackages(tuple(packages), tuple(diagnostics))


def _not_a_package(path: str, problems: list[Diagnostic]) -> Diagnostic:
    if problems:
        return problems[0]
    why = "holds no manifest of any known format" if os.path.isdir(path) else "is not a folder"
    return NO_PACKAGE.at(path, f"the folder named with --package {why}", hint="pisces inspect shows what a folder is")
