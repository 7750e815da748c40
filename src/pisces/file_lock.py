"""One writer at a time across processes: a lock that the system releases when its holder dies."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress

from pisces.diagnostics import ERROR, PiscesError, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 120.0
LOOK_AGAIN = 0.05

STORE_BUSY = Rule("store-busy", ERROR, "Another pisces is writing to the store")

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@contextmanager
def file_lock(path: str, report: Callable[[str], None], patience: float = PATIENCE) -> Iterator[None]:
    """Holds the lock file at `path`, waiting for whoever has it. The holder may remove the file."""
    deadline = time.monotonic() + patience
    while True:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle = _opened(path)
        try:
            _wait(handle, path, report, deadline)
            if _is_still_there(handle, path):
                yield
                return
        finally:
            os.close(handle)


@contextmanager
def folder_lock(folder: str) -> Iterator[None]:
    """Holds a folder that exists. Where the system cannot lock folders, a file in it that is removed afterwards."""
    if sys.platform == "win32":
        path = os.path.join(folder, ".pisces.lock")
        with file_lock(path, _nobody):
            yield
            with suppress(OSError):  # whoever waits for it has it open
                os.unlink(path)
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _wait(handle, folder, _nobody, time.monotonic() + PATIENCE)
        yield
    finally:
        os.close(handle)


def held_lock(path: str) -> int:
    """Takes a lock for as long as the returned handle is open. For things of our own that nobody else waits for."""
    handle = _opened(path)
    if not _try_lock(handle):
        os.close(handle)
        raise PiscesError(STORE_BUSY.at(path, "somebody holds this lock"))
    return handle


def is_held(path: str) -> bool:
    """Whether a living process holds the lock file."""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _try_lock(handle)
    finally:
        os.close(handle)


def _opened(path: str) -> int:
    """A link is not followed: somebody else may have put it there."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags, 0o600)


def _nobody(_text: str) -> None:
    """Locks that are held for moments are waited for in silence."""


def _is_still_there(handle: int, path: str) -> bool:
    """Not where the one before us removed the file, and a lock on it would be a lock on nothing."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False


def _wait(handle: int, path: str, report: Callable[[str], None], deadline: float) -> None:
    is_reported = False
    while not _try_lock(handle):
        if time.monotonic() > deadline:
            raise PiscesError(STORE_BUSY.at(path, "another pisces did not finish in time"))
        if not is_reported:
            report("waiting for another pisces to finish")
            is_reported = True
        time.sleep(LOOK_AGAIN)
