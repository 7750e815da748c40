"""The same folder in the current directory and in every parent up to the repository's root, nearest first.

The home folder is left out: what lies there belongs to the user, not to a project.
Options:
    inside       what to look at below each of them: a path such as ".claude/skills", or several
    finder       the finder that looks there
    options      its options; default none
    repository   outside a repository only the current directory counts; default False
    outermost    the repository's root first instead of last; default False
"""

from __future__ import annotations

import os

from pisces.discovery.delegation import passed_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.places import Places


def find(where: Where) -> Iterator[Found | Diagnostic]:
    inside = where.options["inside"]
    in_repository = bool(where.options.get("repository"))
    key = ("upward", where.places.cwd, in_repository)
    folders = where.run.once(key, lambda: _folders(where.places, in_repository=in_repository))
    for folder in reversed(folders) if where.options.get("outermost") else folders:
        if folder == where.places.home:
            continue
        for each in (inside,) if isinstance(inside, str) else inside:
            yield from passed_on(where, os.path.join(folder, *each.split("/")))


def _folders(places: Places, *, in_repository: bool) -> list[str]:
    return repository_folders(places) if in_repository else [*places.ancestors()]


def repository_folders(places: Places) -> list[str]:
    """From the current directory up to the root of its repository; only itself where there is none."""
    folders = list(places.ancestors())
    return folders if os.path.lexists(os.path.join(folders[-1], ".git")) else folders[:1]
