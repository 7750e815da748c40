"""Which files a workspace keeps to itself: its `.gitignore` files as Git reads them, then its `.geminiignore`.

The last pattern that matches decides, nearer files before farther ones, `.geminiignore` before all; nothing in an
ignored folder comes back. Without a repository only `.geminiignore` counts, to which `a` and `A` are the same, as to
Gemini CLI. What lies in `.git` is always ignored.
"""

from __future__ import annotations

import os
import re
import sys

from pisces.files import Unreadable, read_bytes
from pisces.formats.git_glob import MatchesNothing, matches, parts_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.formats.git_glob import Part

_GIT = ".git"
_MARK = b"\xef\xbb\xbf"
_FLAGS = re.IGNORECASE if sys.platform in ("darwin", "win32") else 0  # as `git init` sets `core.ignoreCase` there


class Pattern(Value):
    """One line of an ignore file. Without a slash in it (`anywhere`), a name at any depth is meant."""

    parts: tuple[Part, ...]
    negated: bool
    only_folders: bool
    anywhere: bool

    def fits(self, names: list[bytes], *, folder: bool) -> bool:
        if self.only_folders and not folder:
            return False
        return matches(self.parts, names[-1:] if self.anywhere else names)


def ignore_patterns(data: bytes, flags: int = _FLAGS) -> list[Pattern]:
    """The patterns of an ignore file, in order."""
    lines = data.removeprefix(_MARK).split(b"\n")
    found = [_pattern(line.removesuffix(b"\r"), flags) for line in lines if not line.startswith(b"#")]
    return [pattern for pattern in found if pattern]


def _pattern(line: bytes, flags: int) -> Pattern | None:
    line = _without_trailing(line)
    negated = line.startswith(b"!")
    line = line[negated:]
    only_folders = line.endswith(b"/")
    line = line.removesuffix(b"/")
    if not line:
        return None
    try:
        parts = parts_of(line.removeprefix(b"/"), flags)
    except MatchesNothing:
        return None
    return Pattern(parts, negated, only_folders, b"/" not in line)


def _without_trailing(line: bytes) -> bytes:
    """Spaces at the end do not count, unless a backslash stands before the last one that should."""
    end = len(line)
    while end and line[end - 1] == ord(" ") and not _is_escaped(line, end - 1):
        end -= 1
    return line[:end]


def _is_escaped(line: bytes, at: int) -> bool:
    before = line[:at]
    return bool((len(before) - len(before.rstrip(b"\\"))) % 2)


class IgnoreFiles:
    """The ignore files of one workspace, each read once. Of absolute paths, only those below it are ever ignored."""

    __slots__ = ("_below", "_decided", "_gemini", "_per_folder", "_top", "_workspace")

    def __init__(self, workspace: str, top: str | None = None) -> None:
        """`top` is where `.gitignore` files begin to count; by default, at the top of the repository."""
        self._workspace = workspace
        self._below = workspace.rstrip(os.sep) + os.sep
        self._top = _repository(workspace) if top is None else top
        lines = _content(os.path.join(workspace, ".geminiignore")).splitlines()
        self._gemini = ignore_patterns(b"\n".join(line.strip() for line in lines), re.IGNORECASE)
        self._per_folder: dict[str, list[Pattern]] = {}
        self._decided: dict[str, bool] = {}

    def is_ignored(self, path: str, *, folder: bool) -> bool:
        """Whether a path is ignored, by itself or because it lies in a folder that is."""
        if not path.startswith(self._below):
            return False
        if not folder:
            return self.is_ignored(os.path.dirname(path), folder=True) or self._decision(path, folder=False)
        if path not in self._decided:
            above = self.is_ignored(os.path.dirname(path), folder=True)
            self._decided[path] = above or self._decision(path, folder=True)
        return self._decided[path]

    def _decision(self, path: str, *, folder: bool) -> bool:
        if os.path.basename(path) == _GIT:
            return True
        for place, patterns in self._layers(path):
            names = os.fsencode(os.path.relpath(path, place)).split(os.fsencode(os.sep))
            for pattern in reversed(patterns):
                if pattern.fits(names, folder=folder):
                    return not pattern.negated
        return False

    def _layers(self, path: str) -> Iterator[tuple[str, list[Pattern]]]:
        """Patterns with the folder that they count from, the strongest first."""
        yield self._workspace, self._gemini
        if not self._top:
            return
        place = path
        while place != self._top:
            place = os.path.dirname(place)
            yield place, self._patterns_in(place, ".gitignore")
        yield self._top, self._patterns_in(self._top, os.path.join(_GIT, "info", "exclude"))

    def _patterns_in(self, folder: str, name: str) -> list[Pattern]:
        path = os.path.join(folder, name)
        if path not in self._per_folder:
            self._per_folder[path] = ignore_patterns(_content(path))
        return self._per_folder[path]


def git_ignored_below(folder: str) -> IgnoreFiles:
    """For a folder of modules, whose own `.gitignore` counts outside of a repository, too."""
    return IgnoreFiles(folder, _repository(folder) or folder)


def _repository(folder: str) -> str:
    """The nearest folder above with a `.git`, or nothing."""
    while not os.path.lexists(os.path.join(folder, _GIT)):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return ""
    return folder


def _content(path: str) -> bytes:
    try:
        return read_bytes(path)
    except Unreadable:
        return b""
