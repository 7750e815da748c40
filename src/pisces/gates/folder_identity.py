"""Shows that no file of a folder was touched, without reading any: every change leaves its time behind.

The system sets the time of a change itself (`ctime`), and nobody can set it back; a file that comes or goes changes the
folder that it is in. Sums of that are enough: a hash would cost more to load than all else here.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def folder_identity(folder: str) -> tuple[int, ...]:
    """How many entries there are, and the sums of their sizes, inodes and times. Links are looked at, not followed.

    Nothing where a part of it cannot be looked at: then nobody can tell.
    """
    try:
        seen = [_numbers(os.lstat(folder)), *map(_numbers, _entries(folder))]
    except OSError:
        return ()
    return len(seen), *map(sum, zip(*seen, strict=True))


def _entries(folder: str) -> Iterator[os.stat_result]:
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as entries:
            found = list(entries)
        pending += [entry.path for entry in found if entry.is_dir(follow_symlinks=False)]
        yield from (os.lstat(entry.path) for entry in found)


def _numbers(status: os.stat_result) -> tuple[int, ...]:
    return status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns
