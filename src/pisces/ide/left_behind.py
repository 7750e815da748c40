"""Was a discovery file left behind by an editor that is gone? Its port may now be served by anybody.

Linux says who owns a process and when it began. Elsewhere only a process that does not exist is recognised.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator

from pisces.files import entries
from pisces.ide.discovery_file import DiscoveryFile, is_alive
from pisces.ide.listener import listening_inodes, own_user
from pisces.ide.process_tree import ancestors_of

_CLOCK = 5.0  # seconds by which the two clocks may differ: the time of the start is counted from whole seconds
_USERS = re.compile(r"^Uid:\s*([\d\s]*)$", re.MULTILINE)


def why_left_behind(file: DiscoveryFile, believed: Collection[int] = ()) -> str:
    """Empty if the editor may still be there. `believed` are the processes that we run inside, and the declared one.

    A container does not see the process that the user has declared. Who serves the port is asked all the same.
    """
    if file.pid in believed:
        return _why_given_again(file)
    if not is_alive(file.pid):
        return f"its process {file.pid} is gone"
    users, own = _users(file.pid), own_user()
    if users and own is not None and own not in users:
        return f"its process {file.pid} belongs to user {users[0]}, not to you"
    return _why_given_again(file)


def _why_given_again(file: DiscoveryFile) -> str:
    """A process that began after the file was written is another one with the same number.

    The clock of a machine that slept may have jumped, so a server in the tree of that process is believed more.
    """
    started = started_at(file.pid)
    try:
        is_older = started > os.stat(file.path).st_mtime + _CLOCK
    except OSError:  # it went while we looked
        is_older = False
    if not is_older or (file.port and _serves(file.pid, file.port)):
        return ""
    return f"its process {file.pid} began after the file was written: the number was given to another process"


def started_at(pid: int) -> float:
    """In seconds since 1970; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        with open("/proc/stat", "rb") as file:
            booted = next(int(line.split()[1]) for line in file if line.startswith(b"btime "))
        return booted + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return 0.0


def _users(pid: int) -> list[int]:
    """The real, effective, saved and file system user of a process; none where the system does not say."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            found = _USERS.search(file.read())
    except OSError:
        return []
    return [int(word) for word in found[1].split()] if found else []


def _serves(pid: int, port: int) -> bool:
    """Whether the process, one below it or one above it holds the port."""
    wanted = {f"socket:[{inode}]" for inode in listening_inodes(port)}
    holders = [each for each in _processes() if wanted & _links(each)] if wanted else []
    return any(pid in ancestors_of(each) or each in ancestors_of(pid) for each in holders)


def _processes() -> Iterator[int]:
    return (int(entry.name) for entry in entries("/proc") if entry.name.isdigit())


def _links(pid: int) -> set[str]:
    """What the open files of a process are; nothing for a process of another user."""
    found = set()
    for entry in entries(f"/proc/{pid}/fd"):
        try:
            found.add(os.readlink(entry.path))
        except OSError:  # closed since
            continue
    return found
