"""The files of a log: the newest has the log's name, older ones `.1` to `.3`. Only regular files of this user are used.

A file is renamed under a lock, and only if it is still the one that was full. Whoever writes at that moment writes to
the renamed file, so no line is lost.
"""

from __future__ import annotations

import os
import stat
import sys
from itertools import pairwise

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.value import Value

OLDER = 3  # files beside the newest
FOLDER_MODE, FILE_MODE = 0o700, 0o600

# O_NONBLOCK: opening a named pipe must not wait. O_NOFOLLOW: a link may lead to any file of this user.
CAREFULLY = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))


class NotALog(OSError):
    """What has the log's name is not a file that records may be written to."""


class OpenLog(Value):
    """`identity` is device and inode; `is_torn` is set if the last line has no end: a disk was full, or a crash."""

    handle: int
    identity: tuple[int, int]
    size: int
    is_torn: bool = False


def open_log(path: str) -> OpenLog:
    """Opens the newest file for appending, made if it is missing. Raises `OSError`."""
    os.makedirs(os.path.dirname(path), FOLDER_MODE, exist_ok=True)
    if os.path.islink(path):  # before opening, for systems without O_NOFOLLOW
        raise NotALog("it is a symbolic link, and is not followed")
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | CAREFULLY, FILE_MODE)
    try:
        status = os.fstat(handle)
        _refuse_odd(status)
        if sys.platform != "win32" and status.st_mode & 0o077:
            os.fchmod(handle, FILE_MODE)
        is_torn = status.st_size > 0 and hasattr(os, "pread") and os.pread(handle, 1, status.st_size - 1) != b"\n"
    except OSError:
        os.close(handle)
        raise
    return OpenLog(handle, identity_of(status), status.st_size, is_torn)


def _refuse_odd(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotALog("it is not a regular file")
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise NotALog("it belongs to another user")
    if status.st_nlink > 1:
        raise NotALog("it has a second name (a hard link), so it may be another program's file")


def identity_of(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def is_set_aside(path: str, identity: tuple[int, int]) -> bool:
    """Renames the log if it is still this file, and the older ones; the oldest is gone. False if another process is
    renaming them at this moment. Raises `OSError` if it cannot be done.
    """
    try:
        lock: int = export_of("pisces", "file_lock", "held_lock")(f"{path}.lock")  # only where a file is full
    except PiscesError:
        return False
    try:
        status = status_of(path)
        if status is not None and identity_of(status) == identity:
            _rename_all(path)
    finally:
        os.close(lock)
    return True


def _rename_all(path: str) -> None:
    for older, newer in pairwise(older_first(path)):
        if os.path.lexists(newer):
            os.replace(newer, older)


def older_first(path: str) -> list[str]:
    """The names of all files, the newest last."""
    return [*(f"{path}.{number}" for number in range(OLDER, 0, -1)), path]


def status_of(path: str) -> os.stat_result | None:
    """None where there is nothing; links are not followed."""
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None
