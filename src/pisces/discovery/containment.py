"""Packages must not reach out of their own folder, neither with `..` nor with links."""

from __future__ import annotations

import os


def stays_inside(path: str, folder: str) -> bool:
    """Whether a path, after every link, is the folder or something in it."""
    try:
        real, root = os.path.realpath(path), os.path.realpath(folder)
    except (OSError, ValueError):  # a NUL in the path
        return False
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)
