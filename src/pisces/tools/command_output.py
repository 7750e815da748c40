"""The output of a command: its beginning and end for the model, all of it in a file once it is longer."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

from pisces.processes.clean import Cleaner

if TYPE_CHECKING:
    from typing import BinaryIO

_HEAD = 8_000  # bytes for the model
_TAIL = 16_000
_LIVE = 2_000  # bytes for the screen, while it runs


class CommandOutput:
    """`add` takes bytes as they come. Escape codes are left out, also in the file, which is `path` if there is one."""

    def __init__(self) -> None:
        self._cleaner = Cleaner()
        self._head, self._tail = bytearray(), bytearray()
        self._file: BinaryIO | None = None
        self._lost = ""
        self.path = ""
        self.size = 0

    def add(self, chunk: bytes) -> None:
        self._take(self._cleaner.clean(chunk))

    def close(self) -> None:
        self._take(self._cleaner.end())
        if self._file is not None:
            try:
                self._file.close()
            except OSError as error:
                self._lose(error)

    @property
    def is_cut(self) -> bool:
        return self.size > _HEAD + _TAIL

    @property
    def end(self) -> str:
        """The last lines of what came so far."""
        return bytes((self._head + self._tail)[-_LIVE:]).decode("utf-8", "ignore")

    @property
    def text(self) -> str:
        if not self.is_cut:
            return (self._head + self._tail).decode("utf-8", "replace")
        head, tail = self._head.decode("utf-8", "ignore"), self._tail[-_TAIL:].decode("utf-8", "ignore")
        where = f"all of it is in {self.path}" if self.path else self._lost
        return f"{head}\n[{self.size - _HEAD - _TAIL} bytes are left out here: {where}]\n{tail}"

    def _take(self, data: bytes) -> None:
        was_cut = self.is_cut
        self.size += len(data)
        if self.is_cut and not was_cut:
            self._open()
        self._write(data)
        room = _HEAD - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        if len(self._tail) > 4 * _TAIL:
            del self._tail[:-_TAIL]

    def _open(self) -> None:
        """Until now all of it is in memory."""
        try:
            handle, self.path = tempfile.mkstemp(".txt", "pisces-output-")
            self._file = os.fdopen(handle, "wb")
        except OSError as error:
            self._lose(error)
        self._write(bytes(self._head + self._tail))

    def _write(self, data: bytes) -> None:
        try:
            if self._file is not None:
                self._file.write(data)
        except OSError as error:
            self._lose(error)

    def _lose(self, error: OSError) -> None:
        """A file with a part of the output would be taken for all of it: it is removed."""
        self._lost = f"they could not be stored: {error.strerror or error}"
        file, path = self._file, self.path
        self._file, self.path = None, ""
        with suppress(OSError):
            if file is not None:
                file.close()
        with suppress(OSError):
            os.unlink(path)
