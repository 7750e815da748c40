"""Context files of which only one counts: for each name, the first place that has it."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import PROJECT, USER, Found
from pisces.discovery.harness import Where
from pisces.discovery.options import FirstFound
from pisces.shapes.context_file import ContextFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[FirstFound]) -> Iterator[Found | Diagnostic]:
    folders = list(_folders(where))
    for name in where.options.names:
        for level, folder in folders:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                yield where.replace(level=level).found(ContextFile(path, level))
                break


def _folders(where: Where[FirstFound]) -> Iterator[tuple[str, str]]:
    harness = where.harness
    if harness is None:
        return
    for place in where.options.places:
        if place == USER:
            yield USER, harness.user_path(where.places)
        elif where.options.upward:
            above = (os.path.join(folder, harness.project_dir) for folder in where.places.ancestors())
            yield from ((PROJECT, folder) for folder in [folder for folder in above if _is_filled(folder)][:1])
        else:
            yield PROJECT, where.places.absolute(harness.project_dir)


def _is_filled(folder: str) -> bool:
    try:
        return bool(os.listdir(folder))
    except OSError:
        return False
