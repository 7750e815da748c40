"""Writing so that a power cut leaves the old or the new, never a half: write aside, flush, rename, flush the folder."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress

WRITABLE = 0o700
# Not through a link: in a folder of somebody else, one may lie at the name of the new file and lead anywhere.
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def write_atomically(path: str, data: bytes, mode: int = 0o644) -> None:
    """Replaces a file's content in one step."""
    aside = f"{path}.{os.getpid()}.new"
    try:
        handle = os.open(aside, _NEW, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except OSError as error:
        with suppress(OSError):
            os.unlink(aside)
        error.filename = path  # a write that fails names no file
        raise
    flush_folder(os.path.dirname(path))


def rename_atomically(old: str, new: str) -> None:
    """Moves a file or folder in one step; both places are flushed."""
    os.rename(old, new)
    flush_folder(os.path.dirname(new))
    if os.path.dirname(old) != os.path.dirname(new):
        flush_folder(os.path.dirname(old))


def flush_folder(folder: str) -> None:
    """Makes new names in a folder survive a power cut. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def flush_tree(folder: str) -> None:
    """Every file and folder below, so that a rename afterwards names something whole."""
    for here, folders, files in os.walk(folder):
        for name in files:
            path = os.path.join(here, name)
            if not os.path.islink(path):
                _flush_file(path)
        folders.sort()
        flush_folder(here)


def remove_tree(folder: str) -> None:
    """A folder and all below it, also where somebody made parts of it read-only. A missing one is fine."""

    def make_writable(_function: object, path: str, _error: object) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(path), WRITABLE)
            os.chmod(path, WRITABLE)
            (os.rmdir if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)

    if not os.path.lexists(folder):
        return
    if sys.version_info >= (3, 12):  # `onerror` is on its way out
        shutil.rmtree(folder, onexc=make_writable)
    else:
        shutil.rmtree(folder, onerror=make_writable)


def _flush_file(path: str) -> None:
    with open(path, "rb") as file, suppress(OSError):  # some systems refuse to flush what is open for reading only
        os.fsync(file.fileno())
