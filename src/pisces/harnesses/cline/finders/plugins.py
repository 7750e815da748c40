"""Cline's plugins: every script below a folder, however deep; a package that declares its entries speaks for itself.

Installed packages lie in `_installed/<id>/package`. Files with a leading dot and dependencies do not count.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.finders.modules import module_at
from pisces.discovery.harness import FinderResults, Where
from pisces.files import SKIPPED, entries, is_file, is_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIXES = (".js", ".ts")
_DEPTH = 8


def find(where: Where) -> FinderResults:
    pending = [(where.path, 0)]
    while pending:
        folder, depth = pending.pop(0)
        for entry in entries(folder):
            if is_file(entry) and entry.name.endswith(_SUFFIXES) and not entry.name.startswith("."):
                yield where.found(module_at(entry.path, folder if depth else ""))
            elif is_folder(entry) and not entry.is_symlink() and entry.name not in SKIPPED and depth < _DEPTH:
                declared = list(_declared(entry.path, where))
                yield from (where.found(module_at(path, entry.path)) for path in declared)
                if not declared:
                    pending.append((entry.path, depth + 1))


def _declared(folder: str, where: Where) -> Iterator[str]:
    """The entries that a package.json names below `cline.plugins` and that are there."""
    file = config_at(os.path.join(folder, "package.json"), JSON, where.run)
    listed = file.part(("cline", "plugins")) if isinstance(file, ConfigFile) else None
    for each in listed if isinstance(listed, list) else ():
        paths = each.get("paths") if isinstance(each, dict) else None
        for path in paths if isinstance(paths, list) else ():
            full = os.path.normpath(os.path.join(folder, path)) if isinstance(path, str) else ""
            if full.endswith(_SUFFIXES) and os.path.isfile(full):
                yield full
