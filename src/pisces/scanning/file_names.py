"""The files of a folder by the spellings of others: relative, without an ending, behind a variable."""

from __future__ import annotations

import os
import posixpath
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ENDINGS = ("", ".js", ".ts", ".mjs", ".cjs", ".mts", ".py", ".sh", ".tsx", "/index.js", "/index.ts", "/__init__.py")
_UP = re.compile(r"(?>(?:\.{0,2}/){0,20})")
_MOST_ALIKE = 3


class FileNames:
    """Names with `/`, relative to one folder. `find` costs the same for any number of files."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._alike: dict[str, list[str]] = {}
        for name in sorted(self._names):
            base = name.rpartition("/")[2]
            for key in {base, base.partition(".")[0], *_folder_of_index(name)}:
                self._alike.setdefault(key, []).append(name)

    def may_have(self, spelling: str) -> bool:
        """A quick answer without false noes."""
        base = spelling.rstrip("/").rpartition("/")[2]
        return base in self._alike or base.partition(".")[0] in self._alike

    def find(self, spelling: str, here: str) -> list[str]:
        """The files that a spelling in a file of the folder `here` may mean: the nearest, else those that end so."""
        for name in _candidates(spelling, here):
            if name in self._names:
                return [name]
        rest = _UP.sub("", spelling, count=1)
        ends = [name for name in self._alike.get(rest.rpartition("/")[2], ()) if f"/{name}".endswith(f"/{rest}")]
        return ends if "/" in spelling and len(ends) <= _MOST_ALIKE else []


class FilesOnDisk:
    """The same for a folder that is too large to list: only the spellings themselves are looked up."""

    def __init__(self, root: str) -> None:
        self._root = root

    def may_have(self, spelling: str) -> bool:
        return "/" in spelling or "." in spelling

    def find(self, spelling: str, here: str) -> list[str]:
        for name in _candidates(spelling, here):
            if os.path.isfile(os.path.join(self._root, *name.split("/"))):
                return [name]
        return []


def _candidates(spelling: str, here: str) -> Iterator[str]:
    """Relative to the folder and to each folder above it; nothing outside of the root."""
    rest = spelling.lstrip("/")
    folder = here
    while True:
        name = posixpath.normpath(posixpath.join(folder, rest))
        if not name.startswith(("..", "/")) and name != ".":
            yield from (name + ending for ending in _ENDINGS)
        if not folder:
            return
        folder = folder.rpartition("/")[0]


def _folder_of_index(name: str) -> Iterator[str]:
    folder, _, base = name.rpartition("/")
    if base.partition(".")[0] in ("index", "__init__") and folder:
        yield folder.rpartition("/")[2]
