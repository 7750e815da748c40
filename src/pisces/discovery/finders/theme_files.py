"""Colour themes, one JSON file each, in a folder of themes.

Options, all of them optional:
    name_field   a field of the file that names the theme; default none, the file's own name does
    syntax       as for settings files; default "json"
"""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import config_at, syntax_of
from pisces.files import entries, is_file
from pisces.shapes.theme import Theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where

SUFFIX = ".json"


def find(where: Where) -> Iterator[Found | Diagnostic]:
    for entry in entries(where.path):
        if entry.name.endswith(SUFFIX) and not entry.name.startswith(".") and is_file(entry):
            yield _theme(where, entry.path, entry.name.removesuffix(SUFFIX))


def _theme(where: Where, path: str, stem: str) -> Found | Diagnostic:
    file = config_at(path, syntax_of(where.options), where.run)
    if isinstance(file, Diagnostic):
        return file.replace(about=stem)
    if file is None or not isinstance(file.value, dict):
        return file.not_object() if file else where.found(Theme(stem, path, {}))
    name = file.value.get(where.options.get("name_field", ""))
    return where.found(Theme(name if isinstance(name, str) and name else stem, path, file.value))
