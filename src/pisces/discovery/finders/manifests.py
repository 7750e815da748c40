"""Packages in a folder of packages: each direct child folder with a manifest file, as seed 000 has it.

Loose on purpose: only a syntax error is reported, and the manifest stays as it was written.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.linked import linked_folder
from pisces.discovery.options import Manifests
from pisces.files import Unreadable, entries, is_folder, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


MANIFEST_SYNTAX = Rule("manifest-syntax", WARNING, "A manifest is not valid JSON")


def find(where: Where[Manifests]) -> Iterator[Found | Diagnostic]:
    options = where.options
    file, package_format = os.sep + options.manifest, options.format
    hidden, name_or = options.hidden, options.name_or
    for entry in entries(where.path):
        if not is_folder(entry) or (entry.name.startswith(".") and not hidden):
            continue
        folder = linked_folder(entry.path, options.note, where.places.cwd) if options.note else entry.path
        path = folder + file
        try:
            manifest = parse(read_text(path))
        except Unreadable:
            continue  # missing or unreadable manifests are skipped silently: seed 000
        except Malformed as error:
            message = f"{options.message} {path}"
            yield MANIFEST_SYNTAX.at(
                path, message, place=(error.line, error.column), hint=error.message, about=entry.name
            )
            continue
        name = manifest.get("name") if isinstance(manifest, dict) else None
        if name is None or (name_or and not name):
            name = entry.name
        yield where.found(Package(name, folder, manifest, package_format), path)
