"""Reading what others wrote: only regular files, only up to a size, never blocking, never raising OSError."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_BYTES = 8 * 1024 * 1024  # no manifest, command, skill or hook file is larger than a few hundred kilobytes
SKIPPED = ("node_modules", ".git")  # folders that hold other people's files by the thousand
MOST_FOLDERS = 5_000

MISSING = "missing"
NOT_A_FILE = "not-a-file"
TOO_LARGE = "too-large"
DENIED = "denied"

# Without this flag, opening a FIFO that nobody writes to waits for ever. Windows has neither.
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Unreadable(Exception):
    """`kind` is one of the constants above; `message` completes the sentence "`path` ..."."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def read_bytes(path: str | os.DirEntry[str]) -> bytes:
    """The content of a regular file, or `Unreadable`. What a listing knows as a file is not looked at again."""
    try:
        if isinstance(path, str) or not path.is_file(follow_symlinks=False):
            status = os.stat(path)
            if not _is_usual(status):  # before opening: for some devices, opening is an act
                raise _odd(status)
        handle = os.open(path, _OPEN_FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        raise Unreadable(MISSING, "does not exist") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise Unreadable(DENIED, f"cannot be read: {_reason(error)}") from None
    try:
        status = os.fstat(handle)
        size = status.st_size
        if not stat.S_ISREG(status.st_mode) or size > MAX_BYTES:  # again: it may have been swapped since
            raise _odd(status)
        data = os.read(handle, size + 1)
        return data if len(data) == size else _whole(handle, data)
    except OSError as error:
        raise Unreadable(DENIED, f"cannot be read: {_reason(error)}") from None
    finally:
        os.close(handle)


def read_text(path: str | os.DirEntry[str]) -> str:
    """As Node reads text: UTF-8, bytes that are not become U+FFFD, a byte order mark stays."""
    return read_bytes(path).decode("utf-8", "replace")


def entries(folder: str) -> list[os.DirEntry[str]]:
    """The entries of a folder by name; nothing for a folder that is missing or cannot be read."""
    try:
        listed = list(os.scandir(folder))  # to its end, which closes it
    except (OSError, ValueError):
        return []
    if len(listed) < 2:  # as every other folder of a package has it
        return listed
    found = {entry.name: entry for entry in listed}
    return [found[name] for name in sorted(found)]  # quicker than a sort with a key


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Links count as what they lead to; a link that leads nowhere, or in circles, is nothing."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def walk(
    folder: str,
    *,
    depth: int = 12,
    skipped: tuple[str, ...] = SKIPPED,
    listed: list[os.DirEntry[str]] | None = None,
    cut: Callable[[str], None] | None = None,
) -> Iterator[os.DirEntry[str]]:
    """Every file below a folder, links followed, the `skipped` folders left out, safe from circles.

    `listed` are the entries of the folder, where somebody has them already. `cut` is told the folder where it has more
    folders than are read.
    """
    pending: list[tuple[str, int, tuple[str, ...]]] = [(folder, 0, ())]
    left = MOST_FOLDERS  # a link may lead to the top of the disk
    while pending and left:
        here, level, above = pending.pop()
        left -= 1
        deeper = []
        for entry in listed if listed is not None and not level else entries(here):
            if not is_folder(entry):
                yield entry
            elif level < depth and entry.name not in skipped:
                deeper.append(entry)
        if not above and any(entry.is_symlink() for entry in deeper):
            above = _real_folders(folder, here)
        for entry in reversed(deeper):
            real = _real(entry, above[-1]) if above else ""
            if not real or real not in above:
                pending.append((entry.path, level + 1, (*above, real) if above else ()))
    if pending and cut:
        cut(folder)


def below(folder: str, path: str) -> str:
    """The path relative to a folder that it lies in."""
    return path[len(folder) :].lstrip(os.sep)


def without_suffix(name: str, suffixes: tuple[str, ...]) -> str:
    """The name without the first of the suffixes that it ends with."""
    return next((name.removesuffix(suffix) for suffix in suffixes if name.endswith(suffix)), name)


def _real_folders(folder: str, here: str) -> tuple[str, ...]:
    """Where a folder, `here` below it and all between them really are. Only links lead in circles, so only they ask."""
    reals = [os.path.realpath(folder)]
    for name in filter(None, below(folder, here).split(os.sep)):
        reals.append(os.path.join(reals[-1], name))
    return tuple(reals)


def _real(entry: os.DirEntry[str], parent: str) -> str:
    return os.path.realpath(entry.path) if entry.is_symlink() else os.path.join(parent, entry.name)


def _is_usual(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES


def _odd(status: os.stat_result) -> Unreadable:
    if not stat.S_ISREG(status.st_mode):
        return Unreadable(NOT_A_FILE, f"is a {_kind(status.st_mode)}, not a file")
    return Unreadable(TOO_LARGE, f"is {status.st_size:,} bytes, more than the {MAX_BYTES:,} that are read")


def _kind(mode: int) -> str:
    kinds = {stat.S_IFDIR: "folder", stat.S_IFIFO: "named pipe", stat.S_IFSOCK: "socket"}
    return kinds.get(stat.S_IFMT(mode), "device")


def _whole(handle: int, data: bytes) -> bytes:
    """Of a file that grows, or of a file system that reads in pieces; `data` is what was read of it so far."""
    parts = [data]
    total = len(data)
    while data and total <= MAX_BYTES:
        data = os.read(handle, 1 << 20)
        parts.append(data)
        total += len(data)
    return b"".join(parts)


def _reason(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
