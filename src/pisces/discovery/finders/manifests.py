"""Packages in a folder of packages: each direct child folder with a manifest file, as seed 000 has it.

Loose on purpose: only a syntax error is reported, and the manifest is kept as it was written.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.files import Unreadable, entries, is_folder, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where

MANIFEST_SYNTAX = Rule(
    "manifest-syntax",
    WARNING,
    "A manifest is not valid JSON",
    "Nothing of the package is found by any harness until its manifest can be parsed.",
    '{"name": "x", "version": "1.0.0",}',
    '{"name": "x", "version": "1.0.0"}',
)


def find(where: Where) -> Iterator[Found | Diagnostic]:
    """Options: `manifest` file name, `format`, `message` of the warning, `hidden` folders counted or not."""
    options = where.options
    for entry in entries(where.path):
        if not is_folder(entry) or (entry.name.startswith(".") and not options.get("hidden", True)):
            continue
        path = os.path.join(entry.path, options["manifest"])
        try:
            manifest = parse(read_text(path))
        except Unreadable:
            continue  # missing or unreadable manifests are skipped silently: seed 000
        except Malformed as error:
            message = f"{options.get('message', 'Invalid JSON in')} {path}"
            yield MANIFEST_SYNTAX.at(
                path, message, place=(error.line, error.column), hint=error.message, about=entry.name
            )
            continue
        package = Package(_name(manifest, entry.name, options), entry.path, manifest, options["format"])
        yield where.found(package, path)


def _name(manifest: object, folder: str, options: object) -> object:
    """The manifest's name unless it is null; the native roots also replace other empty values (`name_or`)."""
    name = manifest.get("name") if isinstance(manifest, dict) else None
    if name is None or (not name and isinstance(options, dict) and options.get("name_or")):
        return folder
    return name
