"""Patterns of paths in manifests, in a file of their own: few manifests have one, and `fnmatch` is slow to load."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

from pisces.files import below, walk


def matching(pattern: str, folder: str) -> list[str]:
    """The files below a folder whose relative paths match a pattern of the shell; `**` is any number of folders."""
    wanted = pattern.removeprefix("./").replace("**/", "*")
    return [each.path for each in walk(folder) if fnmatchcase(below(folder, each.path).replace(os.sep, "/"), wanted)]
