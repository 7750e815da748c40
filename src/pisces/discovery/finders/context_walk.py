"""Context files by name, in one folder or in every folder from the repository's root down to the current one."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.finders.upward import repository_folders
from pisces.discovery.found import USER, Found
from pisces.discovery.harness import Where
from pisces.discovery.options import ContextWalk
from pisces.files import is_file, walk
from pisces.places import Places
from pisces.shapes.context_file import ContextFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[ContextWalk]) -> Iterator[Found | Diagnostic]:
    for folder in _folders(where):
        for path in _files(folder, where):
            yield where.found(ContextFile(path, _scope(folder, where)))


def _folders(where: Where[ContextWalk]) -> list[str]:
    if not where.options.walk:
        return [where.path]
    if where.options.repository:
        upward = repository_folders(where.places)
    elif where.options.top or (where.options.home and where.places.cwd.startswith(where.places.home + os.sep)):
        upward = list(_to_the_top(where.places))
        upward = [each for each in upward if where.options.top or each.startswith(where.places.home)]
    else:
        upward = list(where.places.ancestors())
    return upward if where.options.nearest else upward[::-1]


def _to_the_top(places: Places) -> Iterator[str]:
    folder = places.cwd
    while folder != os.path.dirname(folder):
        yield folder
        folder = os.path.dirname(folder)


def _files(folder: str, where: Where[ContextWalk]) -> Iterator[str]:
    users_own = where.options.walk and folder == where.places.home  # its hidden folders are the user's, not a project's
    for name in where.options.names:
        if users_own and "/" in name:
            continue
        found = list(_named(os.path.join(folder, *name.split("/")), where))
        yield from found
        if found and where.options.first:
            return


def _named(path: str, where: Where[ContextWalk]) -> Iterator[str]:
    if os.path.basename(path) != "*":
        if os.path.isfile(path):
            yield path
        return
    for entry in walk(os.path.dirname(path), cut=where.run.cuts.append):
        if entry.name.endswith(where.options.suffixes) and is_file(entry):
            yield entry.path


def _scope(folder: str, where: Where) -> str:
    if where.package:
        return str(where.package.name)
    if where.level == USER:
        return USER
    return (
        where.level if folder == where.path or folder == where.places.cwd else os.path.relpath(folder, where.places.cwd)
    )
