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
    yield from (where.found(module_at(path, home)) for path, home in _scripts(where.path, where))


def _scripts(top: str, where: Where) -> Iterator[tuple[str, str]]:
    """Each script with the folder that it belongs to; empty for a loose one."""
    pending = [(top, 0)]
    while pending:
        folder, depth = pending.pop(0)
        declared = list(_declared(folder, where)) if depth else []
        yield from ((path, folder) for path in declared)
        if declared:
            continue
        inside = entries(folder)
        yield from ((entry.path, folder if depth else "") for entry in inside if _is_script(entry))
        if depth < _DEPTH:
            pending += [(entry.path, depth + 1) for entry in inside if _is_inner(entry)]


def _is_script(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(_SUFFIXES) and not entry.name.startswith(".") and is_file(entry)


def _is_inner(entry: os.DirEntry[str]) -> bool:
    return is_folder(entry) and not entry.is_symlink() and entry.name not in SKIPPED


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
