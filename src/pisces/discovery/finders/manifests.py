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
from pisces.discovery.read_once import json_once
from pisces.files import Unreadable, entries, is_folder
from pisces.formats.malformed import Malformed
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


MANIFEST_SYNTAX = Rule("manifest-syntax", WARNING, "A manifest is not valid JSON")


def find(where: Where[Manifests]) -> Iterator[Found | Diagnostic]:
    options = where.options
    file, hidden = os.sep + options.manifest, options.hidden
    for entry in entries(where.path):
        if not is_folder(entry) or (entry.name.startswith(".") and not hidden):
            continue
        found = _package(entry.path + file, entry.name, where)
        if found is None and options.note:
            found = _package(linked_folder(entry.path, options.note, where.places.cwd) + file, entry.name, where)
        if found is not None:
            yield found


def _package(path: str, folder: str, where: Where[Manifests]) -> Found | Diagnostic | None:
    """Missing and unreadable manifests are skipped silently: seed 000."""
    options = where.options
    try:
        _, manifest = json_once(path, where.run)
    except Unreadable:
        return None
    except Malformed as error:
        message = f"{options.message} {path}"
        return MANIFEST_SYNTAX.at(path, message, place=(error.line, error.column), hint=error.message, about=folder)
    name = manifest.get("name") if isinstance(manifest, dict) else None
    if name is None or (options.name_or and not name):
        name = folder
    return where.found(Package(name, path[: -len(options.manifest) - 1], manifest, options.format), path)
