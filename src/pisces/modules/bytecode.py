"""A cache of compiled modules in a folder of our own, keyed by the content of the source, not by its time.

So an edit is seen within the same second, and nothing is written into other people's folders. A cached file that is
broken, or cannot be read or written, is ignored.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from contextlib import suppress

from pisces.files import Unreadable, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

_TAG = sys.implementation.cache_tag or sys.version
_LENGTH = hashlib.sha256().digest_size
_MODE = 0o700


class Bytecode:
    """`folder` is empty where nothing should be cached."""

    def __init__(self, folder: str = "") -> None:
        self._folder = folder

    def code_of(self, source: bytes, path: str, compiled: Callable[[], CodeType]) -> CodeType:
        """The code of a source file at a path, which is part of it: tracebacks say it."""
        if not self._folder:
            return compiled()
        cached = os.path.join(self._folder, hashlib.sha256(f"{_TAG}\0{path}".encode()).hexdigest())
        digest = hashlib.sha256(source).digest()
        code = _cached(cached, digest)
        if code is None:
            code = compiled()
            self._store(cached, digest + marshal.dumps(code))
        return code

    def _store(self, path: str, data: bytes) -> None:
        if sys.dont_write_bytecode:
            return
        aside = f"{path}.{os.getpid()}"
        with suppress(OSError):
            os.makedirs(self._folder, _MODE, exist_ok=True)
            with open(aside, "wb") as file:
                file.write(data)
            os.replace(aside, path)


def _cached(path: str, digest: bytes) -> CodeType | None:
    try:
        data = read_bytes(path)
        if data[:_LENGTH] != digest:
            return None
        code: CodeType = marshal.loads(data[_LENGTH:])
    except (Unreadable, EOFError, ValueError, TypeError):
        return None
    return code if isinstance(code, type(_cached.__code__)) else None
