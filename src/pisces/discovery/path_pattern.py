"""Patterns of paths in manifests, in a file of their own: few manifests have one, and `fnmatch` is slow to load."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

from pisces.files import below, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def matching(pattern: str, folder: str, cut: Callable[[str], None]) -> list[str]:
    """The files below a folder whose relative paths match a pattern of the shell; `**` is any number of folders."""
    wanted = pattern.removeprefix("./").replace("**/", "*")
    every = [each.path for each in walk(folder, cut=cut)]
    return [path for path in every if fnmatchcase(below(folder, path).replace(os.sep, "/"), wanted)]
