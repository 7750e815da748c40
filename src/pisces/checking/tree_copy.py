"""A copy of a folder to try fixes on: what a check reads of it, and nothing that would take long.

Links lead to where they lead in the folder itself. A file that is too large to be read has its length and no content.
"""

from __future__ import annotations

import os

from pisces.files import MAX_BYTES, MOST_FOLDERS, SKIPPED, Unreadable, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def copy_tree(folder: str, to: str) -> None:
    """`to` does not exist yet."""
    for here, folders, files in _walk(folder):
        there = os.path.join(to, os.path.relpath(here, folder))
        os.makedirs(there, exist_ok=True)
        links = [name for name in folders if os.path.islink(os.path.join(here, name))]
        for name in (*files, *links):
            _copy(os.path.join(here, name), os.path.join(there, name))


def _walk(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
    left = MOST_FOLDERS
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in SKIPPED]
        yield here, folders, files
        left -= 1
        if not left:
            return


def _copy(path: str, to: str) -> None:
    """What is neither a file nor a link, or cannot be read, is left out: so it is by whoever checks the folder."""
    if os.path.islink(path):
        os.symlink(os.path.realpath(path), to)
        return
    try:
        size = os.stat(path).st_size
        data = read_bytes(path) if size <= MAX_BYTES else b""
    except (OSError, Unreadable):
        return
    with open(to, "wb") as copy:
        copy.write(data)
    os.truncate(to, size)
