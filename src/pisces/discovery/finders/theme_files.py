"""Colour themes, one JSON file each, in a folder of themes."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSON, config_at
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import ThemeFiles
from pisces.files import entries, is_file
from pisces.shapes.theme import Theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


SUFFIX = ".json"


def find(where: Where[ThemeFiles]) -> Iterator[Found | Diagnostic]:
    for entry in entries(where.path):
        if entry.name.endswith(SUFFIX) and not entry.name.startswith(".") and is_file(entry):
            yield _theme(where, entry.path, entry.name.removesuffix(SUFFIX))


def _theme(where: Where[ThemeFiles], path: str, stem: str) -> Found | Diagnostic:
    file = config_at(path, JSON, where.run)
    if isinstance(file, Diagnostic):
        return file.replace(about=stem)
    if file is None or not isinstance(file.value, dict):
        return file.not_object() if file else where.found(Theme(stem, path, {}))
    name = file.value.get(where.options.name_field)
    return where.found(Theme(name if isinstance(name, str) and name else stem, path, file.value))
