"""Roo Code's rules: every file below `rules`, and below `rules-<mode>` for one mode, the user's before the project's.

Where neither folder has a file, the first old file of the project counts: `.roorules`, else `.clinerules`, each with
`-<mode>` for a mode. Modes are known by these names alone.
"""

from __future__ import annotations

import os

from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import FinderResults, Where
from pisces.files import entries, is_file, walk
from pisces.harnesses.roo import HARNESS
from pisces.shapes.context_file import ContextFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LEGACY = (".roorules", ".clinerules")
_NO_RULES = tuple(
    """
    .DS_Store .bak .cache .crdownload .db .dmp .dump .eslintcache .lock .log .old .part .partial .pyc .pyo .stackdump
    .swo .swp .temp .tmp
    """.split()
)


def find(where: Where) -> FinderResults:
    places = where.places
    folders = ((USER, HARNESS.user_path(places)), (PROJECT, places.absolute(HARNESS.project_dir)))
    for mode in sorted(_modes(places.cwd, [folder for _, folder in folders]), reverse=True):
        places_of = [(level, os.path.join(folder, f"rules{mode}")) for level, folder in folders]
        found = [(level, path) for level, folder in places_of for path in _files(folder, where)]
        old = (os.path.join(places.cwd, f"{name}{mode}") for name in _LEGACY)
        for level, path in found or [(PROJECT, path) for path in old if _has_text(path)][:1]:
            yield where.replace(level=level).found(ContextFile(path, level))


def _modes(project: str, folders: list[str]) -> set[str]:
    """`-code` for the mode `code`; empty for the rules of all modes."""
    named = [(entry.name, "rules-") for folder in folders for entry in entries(folder)]
    old = [(entry.name, f"{name}-") for entry in entries(project) for name in _LEGACY]
    return {"", *(name[len(start) - 1 :] for name, start in (*named, *old) if name.startswith(start))}


def _files(folder: str, where: Where) -> Iterator[str]:
    every = walk(folder, cut=where.run.cuts.append)
    found = [entry for entry in every if is_file(entry) and not entry.name.endswith(_NO_RULES)]
    yield from (entry.path for entry in sorted(found, key=lambda entry: entry.name.lower()))


def _has_text(path: str) -> bool:
    return os.path.isfile(path) and os.path.getsize(path) > 0
