"""The components of the packages that Gemini CLI would load here; after the user's own files, in folder order."""

from __future__ import annotations

from pisces.discovery.found import USER
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import components
from pisces.harnesses.gemini.enabled import enabled_packages, reasons_against


def find(where: Where) -> FinderResults:
    yield from reasons_against(where)
    of_user = where.replace(level=USER)  # as all of them are
    for package in enabled_packages(where):
        yield from components(package.item, of_user)
