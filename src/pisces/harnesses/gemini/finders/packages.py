"""The components of the packages that are installed for Gemini CLI; after the user's own files, in folder order."""

from __future__ import annotations

from pisces.discovery.found import USER
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import can_bring, components
from pisces.harnesses.gemini import FromPackages
from pisces.harnesses.gemini.enabled import FORMAT, installed_packages, reasons_against


def find(where: Where[FromPackages]) -> FinderResults:
    yield from reasons_against(where)
    if not can_bring(FORMAT, where):
        return
    of_user = where.replace(level=USER)  # as all of them are
    packages = installed_packages(where)
    for package in reversed(packages) if where.options.last_first else packages:
        yield from components(package.item, of_user if package.held is None else of_user.replace(held=package.held))
