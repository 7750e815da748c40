"""Packages of our own store that are on here, and what they bring. The index is the truth; folders are not scanned."""

from __future__ import annotations

from pisces.diagnostics import NOTE, WARNING, Diagnostic, Rule
from pisces.discovery.gemini.enabled import is_enabled
from pisces.discovery.package_format import components, format_named
from pisces.files import Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.shapes.installed import Installed, installed_from_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.discovery.package_format import ReadPackage

STORE_UNREADABLE = Rule(
    "store-unreadable",
    WARNING,
    "The store's index cannot be read, so its packages are not found",
    "The packages are still on the disk; only the list of them is broken.",
    "~/.pisces/agent/packages/index.json cut short",
    "pisces doctor names the line; mend it by hand",
)
PACKAGE_OFF = Rule(
    "package-off",
    NOTE,
    "An installed package is switched off here",
    "Somebody disabled it for this folder or for the user.",
    "pisces extensions disable review",
    "pisces extensions enable review",
)


def find(where: Where) -> Iterator[Found | Diagnostic]:
    for package in where.run.once(("installed", where.path), lambda: _index(where.path)):
        if isinstance(package, Diagnostic):
            yield package
        elif not is_enabled({"overrides": list(package.overrides)}, where.places):
            message = f"`{package.name}` is disabled here"
            yield PACKAGE_OFF.at(where.path, message, about=package.name)
        else:
            yield from _brought(package, where)


def _brought(package: Installed, where: Where) -> Iterator[Found | Diagnostic]:
    read = where.run.once(("package", package.format, package.folder), lambda: _read(package, where))
    if where.capability == "packages":
        yield from read.diagnostics
    if read.package is None:
        return
    if where.capability == "packages":
        yield where.found(read.package, format_named(package.format).manifest_path(package.folder))
    else:
        yield from components(read.package, where)


def _read(package: Installed, where: Where) -> ReadPackage:
    return format_named(package.format).read(package.folder, where.places)


def _index(path: str) -> list[Installed | Diagnostic]:
    try:
        value = parse(read_text(path))
    except Unreadable as error:
        return [STORE_UNREADABLE.at(path, f"the index {error.message}")]
    except Malformed as error:
        return [STORE_UNREADABLE.at(path, error.message, place=(error.line, error.column))]
    listed = value.get("packages") if isinstance(value, dict) else None
    found = [installed_from_json(each) for each in listed] if isinstance(listed, list) else []
    return [each for each in found if each]
