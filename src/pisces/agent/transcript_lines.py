"""The lines of a transcript, in a file or in memory: appended, and read from either end.

Each line is one write to a file that is opened for appending, so a process that is killed leaves whole lines. What
the disk does not take stays in memory and is written with the next line that it takes.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from contextlib import suppress
from errno import EINVAL

from pisces.audit.log_file import CAREFULLY, FILE_MODE, FOLDER_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import BufferedReader
    from typing import Protocol, Self
else:
    Protocol = object

_PIECE = 1 << 20
_LAST_PIECE = 1 << 15  # of the end of a file, which is often all that is asked for
_LONGEST_LINE = 32 << 20  # bytes; what is longer is not a line of ours
_TOO_LONG = b"\0"  # stands for a line that is not read; no entry has such a byte
_APPEND = os.O_WRONLY | os.O_APPEND | CAREFULLY


class TranscriptLines(Protocol):
    """`newest_first` and `batches` give lines without their ends. A batch comes with the offset behind its last whole
    line: the same as before for lines that are not whole, or not on the disk.
    """

    def hold(self, line: bytes) -> None:
        """To be written with the next line."""

    def append(self, line: bytes) -> OSError | None:
        """Why it is not on the disk yet; it is not lost."""

    def newest_first(self) -> Iterator[bytes]: ...
    def batches(self, start: int = 0) -> Iterator[tuple[list[bytes], int]]: ...


class MemoryLines:
    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def hold(self, line: bytes) -> None:
        self._lines.append(line)

    def append(self, line: bytes) -> OSError | None:
        self._lines.append(line)
        return None

    def newest_first(self) -> Iterator[bytes]:
        for line in reversed(self._lines):
            yield line[:-1]

    def batches(self, start: int = 0) -> Iterator[tuple[list[bytes], int]]:
        yield [line[:-1] for line in self._lines[start:]], len(self._lines)


class FileLines:
    """`is_torn` is set if the last line has no end: a crash or a full disk cut it. It stays, and the next one begins
    behind an end of its own.
    """

    def __init__(self, path: str) -> None:
        """A file that is to be made; `look` for one that is there."""
        self.path = path
        self._unwritten: deque[bytes] = deque()
        self.size, self.is_torn = 0, False

    def look(self) -> Self:
        """As the file is now: what was held is dropped. Raises `OSError` if the file cannot be read."""
        self._unwritten.clear()
        self.size, self.is_torn = _end_of(self.path)
        return self

    @property
    def is_made(self) -> bool:
        return self.size > 0

    def hold(self, line: bytes) -> None:
        self._unwritten.append(line)

    def append(self, line: bytes) -> OSError | None:
        self._unwritten.append(line)
        return self.try_again()

    def try_again(self) -> OSError | None:
        """Writes what waits in memory."""
        try:
            self._flush()
        except OSError as error:
            return error
        return None

    def _flush(self) -> None:
        if not self.is_made:
            make_private(os.path.dirname(self.path))
        handle = os.open(self.path, _APPEND | (0 if self.is_made else os.O_CREAT), FILE_MODE)
        try:
            while self._unwritten:
                data = b"\n" + self._unwritten[0] if self.is_torn else self._unwritten[0]
                self.is_torn = True  # until its end is there
                _write(handle, data)
                self.is_torn = False
                self.size += len(data)
                self._unwritten.popleft()
        finally:
            os.close(handle)

    def begin_again(self, lines: Iterable[bytes]) -> OSError | None:
        """Where somebody removed the file: these come before what was to be appended."""
        self.size, self.is_torn = 0, False
        *before, last = (*lines, *self._unwritten)
        self._unwritten = deque(before)
        return self.append(last)

    def newest_first(self) -> Iterator[bytes]:
        for line in reversed(tuple(self._unwritten)):
            yield line[:-1]
        if not self.is_made:
            return
        with suppress(FileNotFoundError), open_to_read(self.path) as file:
            end, rest, size = file.seek(0, os.SEEK_END), b"", _LAST_PIECE
            while end > 0:
                start, size = max(0, end - size), min(2 * size, _PIECE)
                file.seek(start)
                rest, *lines = (file.read(end - start) + rest).split(b"\n")
                yield from reversed(lines)
                end = start
                rest = rest if len(rest) <= _LONGEST_LINE else _TOO_LONG
            yield rest

    def batches(self, start: int = 0) -> Iterator[tuple[list[bytes], int]]:
        end = start
        if self.is_made:
            with suppress(FileNotFoundError), open_to_read(self.path) as file:
                for batch, end in _batches_in(file, start):
                    yield batch, end
        yield [line[:-1] for line in self._unwritten], end


def _batches_in(file: BufferedReader, start: int) -> Iterator[tuple[list[bytes], int]]:
    end, rest = file.seek(start), b""
    while piece := file.read(_PIECE):
        end += len(piece)
        *lines, rest = (rest + piece).split(b"\n")
        yield lines, end - len(rest)
        rest = rest if len(rest) <= _LONGEST_LINE else _TOO_LONG
    yield [rest] if rest else [], end - len(rest)


def open_to_read(path: str) -> BufferedReader:
    """Raises `OSError`, also for what is no regular file: a named pipe would be waited for."""
    handle = os.open(path, os.O_RDONLY | CAREFULLY)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(EINVAL, "it is not a regular file", path)
    return open(handle, "rb")


def make_private(folder: str) -> None:
    """With the folders above it up to one that exists. Nobody else can look into a folder that is made here."""
    if not os.path.isdir(folder):
        make_private(os.path.dirname(folder))
        with suppress(FileExistsError):
            os.mkdir(folder, FOLDER_MODE)


def _end_of(path: str) -> tuple[int, bool]:
    """The size of a file, and whether its last line has no end. Raises `OSError` if it cannot be read."""
    try:
        with open_to_read(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 1))
            return size, file.read(1) not in (b"", b"\n")
    except FileNotFoundError:
        return 0, False


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]
