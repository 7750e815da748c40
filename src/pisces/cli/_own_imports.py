"""A short cut for the imports of the shell: our own modules, from compiled files that are up to date.

Python lists every folder, asks four finders and compares names before it opens what lies there. A listing loads a
hundred of our files and more, so a third of its start would be that. What is read here is what Python would read,
after the same comparison with the source; wherever anything is unusual, Python's own way is taken. Only `main` of the
shell installs it: other programs keep their imports as they are.
"""

from __future__ import annotations

import marshal
import os
import sys

import pisces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

_OURS = f"{pisces.__name__}."
_HEADER = 16  # bytes: a magic number, flags, time and size of the source
_MOST_BYTES = 1 << 16  # what is longer, or read in pieces, is cut off: Python reads it instead
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def install() -> None:
    """From now on. Not where the files are in a zip file, or compiled ones are elsewhere or of another kind."""
    spec = pisces.__spec__
    usual = sys.pycache_prefix is None and not sys.flags.optimize and spec is not None and spec.cached
    if usual and spec and type(spec.loader).__name__ == "SourceFileLoader":
        magic = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
        if not any(isinstance(each, _Finder) for each in sys.meta_path):
            sys.meta_path.insert(0, _Finder(spec, magic))


class _Finder:
    """Answers for one folder of a package: one that somebody extended is left to Python."""

    def __init__(self, own: ModuleSpec, magic: bytes) -> None:
        self.spec_type = type(own)
        self.loader_type: Any = type(own.loader)
        self.start = magic + bytes(4)  # no flags: compared by time and size
        self.end = f".{sys.implementation.cache_tag}.pyc"

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith(_OURS) or not path or len(path) != 1:
            return None
        beside = os.path.join(path[0], name.rpartition(".")[2])
        return self._spec(name, f"{beside}.py", "") or self._spec(name, os.path.join(beside, "__init__.py"), beside)

    def _spec(self, name: str, source: str, folder: str) -> ModuleSpec | None:
        above, _, file = source.rpartition(os.sep)
        cached = f"{above}{os.sep}__pycache__{os.sep}{file[:-3]}{self.end}"
        code = self._code(source, cached)
        if code is None:
            return None
        loader = self.loader_type(name, source)
        loader.get_code = lambda _name: code
        spec = self.spec_type(name, loader, origin=source, is_package=bool(folder))
        spec.has_location, spec.cached = True, cached
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(folder)
        return spec

    def _code(self, source: str, cached: str) -> CodeType | None:
        """What is compiled, if it is of this very source, by the rules of Python."""
        try:
            status = os.stat(source)
            handle = os.open(cached, _OPEN_FLAGS)
        except OSError:
            return None
        try:
            data = os.read(handle, _MOST_BYTES)  # `open` and its `read` ask the system twice as much
        except OSError:
            return None
        finally:
            os.close(handle)
        of_source = (int(status.st_mtime) & 0xFFFFFFFF) | (status.st_size & 0xFFFFFFFF) << 32
        if data[:_HEADER] != self.start + of_source.to_bytes(8, "little"):
            return None
        try:
            code: CodeType = marshal.loads(memoryview(data)[_HEADER:])
        except (EOFError, ValueError, TypeError):  # cut off: Python complains, or compiles it again
            return None
        return code if code.co_filename == source else None
