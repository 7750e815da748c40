"""Packages of our own store that are on here. The index is the truth; folders are not scanned, formats not loaded."""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Rule
from pisces.discovery.enablement import is_enabled
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.state import OFF, State
from pisces.files import Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.shapes.installed import MEND_INDEX, Installed, indexed
from pisces.shapes.package import Package

STORE_UNREADABLE = Rule("store-unreadable", ERROR, "The store's index cannot be read, so its packages are not found")
PACKAGE_OFF = Rule("package-off", NOTE, "An installed package is switched off here")
PACKAGE_DAMAGED = Rule("package-damaged", WARNING, "An installed package cannot be read any more")


def find(where: Where) -> FinderResults:
    for package in installed(where):
        if isinstance(package, Diagnostic):
            yield package
            continue
        held = off_here(package, where)
        if held:
            yield PACKAGE_OFF.at(where.path, f"`{package.name}` is disabled here", about=package.name)
        yield _listed(package, where.replace(held=held))


def installed(where: Where) -> list[Installed | Diagnostic]:
    """Every package of the index."""
    return where.run.once(("installed", where.path), lambda: _index(where.path))


def off_here(package: Installed, where: Where) -> State | None:
    if is_enabled({"overrides": list(package.overrides)}, where.places):
        return None
    change = f"pisces extensions enable {package.name}"
    return State(OFF, "the package is disabled for this folder", where.path, 0, change)


def _listed(package: Installed, where: Where) -> Found | Diagnostic:
    path = os.path.join(package.folder, *package.manifest.split("/"))
    try:
        manifest = parse(read_text(path)) if path.endswith(".json") else {"version": package.version}
    except (Unreadable, Malformed) as error:
        return PACKAGE_DAMAGED.at(path, f"`{package.name}`: the manifest {error.message}", about=package.name)
    return where.found(Package(package.name, package.folder, manifest, package.format), path)


def _index(path: str) -> list[Installed | Diagnostic]:
    try:
        found, wrong = indexed(parse(read_text(path)))
    except Unreadable as error:
        return [STORE_UNREADABLE.at(path, f"the index {error.message}", hint=MEND_INDEX)]
    except Malformed as error:
        return [STORE_UNREADABLE.at(path, error.message, place=(error.line, error.column), hint=MEND_INDEX)]
    return [*found, *([STORE_UNREADABLE.at(path, wrong, hint=MEND_INDEX)] if wrong else [])]
