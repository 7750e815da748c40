"""The same folder in the current directory and in every parent up to the repository's root, nearest first.

The home folder is left out: what lies there belongs to the user, not to a project.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import Where, passed_on
from pisces.discovery.options import Upward
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[Upward]) -> Iterator[Found | Diagnostic]:
    options = where.options
    key = ("upward", where.places.cwd, options.repository)
    folders = where.run.once(key, lambda: _folders(where.places, in_repository=options.repository))
    folders = folders[:1] + folders[1:][-1:] if options.ends else folders
    for folder in reversed(folders) if options.outermost else folders:
        if folder == where.places.home:
            continue
        paths = [os.path.join(folder, *each.split("/")) for each in options.inside]
        for path in paths:
            yield from passed_on(where, options.then, path)
        if options.first and any(os.path.lexists(path) for path in paths):
            return


def _folders(places: Places, *, in_repository: bool) -> list[str]:
    return repository_folders(places) if in_repository else [*places.ancestors()]


def repository_folders(places: Places) -> list[str]:
    """From the current directory up to the root of its repository; only itself where there is none."""
    folders = list(places.ancestors())
    return folders if os.path.lexists(os.path.join(folders[-1], ".git")) else folders[:1]
