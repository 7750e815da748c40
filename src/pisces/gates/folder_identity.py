"""Shows that no file of a folder was touched, without reading any: every change leaves its time behind.

The system sets the time of a change itself (`ctime`), and nobody can set it back; a file that comes or goes changes the
folder that it is in. Sums of that are enough: a hash would cost more to load than all else here. A folder with a link
that leads out of it has no identity, because what lies behind the link is not looked at.
"""

from __future__ import annotations

import os

from pisces.discovery.containment import link_leads_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TICK = 50_000_000  # the clocks of file systems go in steps of up to 10 ms, in nanoseconds


def folder_identity(folder: str) -> tuple[int, ...]:
    """How many entries there are, the sums of their sizes, inodes and times, and the time of the last change. Links
    are looked at, not followed.

    Nothing where a part of it cannot be looked at, or where a link leads out: then nobody can tell.
    """
    root = os.path.realpath(folder)
    try:
        seen = [_numbers(os.lstat(root)), *map(_numbers, _entries(root))]
    except OSError:
        return ()
    return len(seen), *map(sum, zip(*seen, strict=True)), max(numbers[-1] for numbers in seen)


def settled(identity: tuple[int, ...], now: int) -> tuple[int, ...]:
    """An identity that may be stored; nothing if the last change is as recent as the clock of files can tell.

    Another change within the same tick would leave the same time. `now` is in nanoseconds.
    """
    return identity if identity and identity[-1] < now - _TICK else ()


def _entries(root: str) -> Iterator[os.stat_result]:
    pending = [root]
    while pending:
        with os.scandir(pending.pop()) as entries:
            found = list(entries)
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)
            elif entry.is_symlink() and link_leads_out(entry.path, root):
                raise OSError(f"{entry.path} leads out")
            yield os.lstat(entry.path)


def _numbers(status: os.stat_result) -> tuple[int, ...]:
    return status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns
