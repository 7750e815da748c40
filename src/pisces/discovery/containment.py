"""Packages must not reach out of their own folder, neither with `..` nor with links."""

from __future__ import annotations

import os


def stays_inside(path: str, folder: str) -> bool:
    """Whether a path, after every link, is the folder or something in it."""
    try:
        return lies_in(os.path.realpath(path), os.path.realpath(folder))
    except (OSError, ValueError):  # a NUL in the path
        return False


def passes_link(path: str, root: str) -> bool:
    """Whether something on the way from a folder to a path in it, or the path itself, is a link."""
    while len(path) > len(root):
        if os.path.islink(path):
            return True
        path = os.path.dirname(path)
    return False


def lies_in(real: str, root: str) -> bool:
    """The same of two paths without links.

    Where the texts differ, the folders themselves are compared: a file system may take `Bin` and `bin` for the same.
    """
    if real == root or real.startswith(root.rstrip(os.sep) + os.sep):
        return True
    try:
        wanted = os.stat(root)
    except OSError:
        return False
    return any(_is_same(folder, wanted) for folder in _parents_of(real))


def _parents_of(path: str) -> list[str]:
    parents = [os.path.dirname(path)]
    while os.path.dirname(parents[-1]) != parents[-1]:
        parents.append(os.path.dirname(parents[-1]))
    return parents


def _is_same(folder: str, wanted: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.lstat(folder), wanted)
    except OSError:
        return False


def link_leads_out(path: str, root: str) -> bool:
    """Whether a link in a folder without links above it leads out of that folder.

    A text whose `..` all come first cannot leave the folder where it does not say so, as long as no other link does.
    That is nearly every link of a package manager, and spares asking the system for each.
    """
    parts = os.readlink(path).split("/")
    ups = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
    if os.sep == "/" and parts[0] and ".." not in parts[ups:]:
        depth = os.path.dirname(path)[len(root) :].count(os.sep)
        return ups > depth
    return not stays_inside(path, root)
