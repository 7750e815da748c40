"""Context files by name, in one folder or in every folder from the repository's root down to the current one.

Options, all of them optional:
    names        files below each folder, such as ("CLAUDE.md", ".claude/CLAUDE.md"); default ("AGENTS.md",); a name
                 that ends in `/*` means every file below that folder, as in ".claude/rules/*"
    suffix       how the names of files below such a folder end; default ".md"
    walk         look at the current directory and its parents instead of at the look's path; default False
                 (of the home folder only plain names count on the way: its hidden folders are the user's)
    top          walk on to the top of the file system, not only to the repository's root; default False
    repository   outside a repository only the current directory counts; default False
    nearest      the current directory first instead of last; default False
    first        only the first of `names` that exists in a folder counts; default False
"""

from __future__ import annotations

import os

from pisces.discovery.finders.upward import repository_folders
from pisces.discovery.found import USER
from pisces.files import is_file, walk
from pisces.shapes.context_file import ContextFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.places import Places


def find(where: Where) -> Iterator[Found | Diagnostic]:
    for folder in _folders(where):
        for path in _files(folder, where):
            yield where.found(ContextFile(path, _scope(folder, where)))


def _folders(where: Where) -> list[str]:
    if not where.options.get("walk"):
        return [where.path]
    if where.options.get("repository"):
        upward = repository_folders(where.places)
    else:
        upward = list(_to_the_top(where.places) if where.options.get("top") else where.places.ancestors())
    return upward if where.options.get("nearest") else upward[::-1]


def _to_the_top(places: Places) -> Iterator[str]:
    folder = places.cwd
    while folder != os.path.dirname(folder):
        yield folder
        folder = os.path.dirname(folder)


def _files(folder: str, where: Where) -> Iterator[str]:
    users_own = where.options.get("walk") and folder == where.places.home
    for name in where.options.get("names", ("AGENTS.md",)):
        if users_own and "/" in name:
            continue
        found = list(_named(os.path.join(folder, *name.split("/")), where))
        yield from found
        if found and where.options.get("first"):
            return


def _named(path: str, where: Where) -> Iterator[str]:
    if os.path.basename(path) != "*":
        if os.path.isfile(path):
            yield path
        return
    suffix = where.options.get("suffix", ".md")
    for entry in walk(os.path.dirname(path)):
        if entry.name.endswith(suffix) and is_file(entry):
            yield entry.path


def _scope(folder: str, where: Where) -> str:
    if where.package:
        return str(where.package.name)
    if where.level == USER:
        return USER
    return (
        where.level if folder == where.path or folder == where.places.cwd else os.path.relpath(folder, where.places.cwd)
    )
