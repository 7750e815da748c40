"""The files below a folder that its ignore files leave in, by name. No link to a folder is followed."""

from __future__ import annotations

import os
import re
from time import monotonic
from typing import TYPE_CHECKING

from pisces.discovery.ignore_files import IgnoreFiles
from pisces.files import entries
from pisces.formats.git_glob import MatchesNothing, matches, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.formats.git_glob import Part

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST_PATTERNS = 100


class NoPattern(Exception):
    """The text is a sentence for the model."""


class Files:
    """Iterating gives path, names below the folder, and entry. `is_cut` says whether time ran out."""

    def __init__(self, folder: str, seconds: float) -> None:
        self._folder = os.path.realpath(folder)
        self._until = monotonic() + seconds
        self.is_cut = False

    def __iter__(self) -> Iterator[tuple[str, list[bytes], os.DirEntry[str]]]:
        ignored = IgnoreFiles(self._folder)
        pending: list[tuple[str, list[bytes]]] = [(self._folder, [])]
        while pending:
            here, names = pending.pop()
            deeper = []
            for entry in entries(here):
                if monotonic() > self._until:
                    self.is_cut = True
                    return
                is_folder = _is_folder(entry)
                if ignored.is_ignored(entry.path, folder=is_folder):
                    continue
                below = [*names, os.fsencode(entry.name)]
                if is_folder:
                    deeper.append((entry.path, below))
                else:
                    yield entry.path, below, entry
            pending.extend(reversed(deeper))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


class NamePattern:
    """A glob over paths: `*.py` at any depth, `src/**/*.{ts,tsx}` from the folder on. Raises `NoPattern`."""

    def __init__(self, text: str) -> None:
        self._alternatives = [self._parts(each) for each in _expanded(text)]

    @staticmethod
    def _parts(text: str) -> tuple[tuple[Part, ...], bool]:
        text = text.removeprefix("./")
        if text.startswith(("/", "~")) or ".." in text.split("/"):
            raise NoPattern("a pattern stays below `path`: put the folder there")
        try:
            return parts_of(text.encode()), "/" in text
        except (MatchesNothing, UnicodeEncodeError, IndexError):
            raise NoPattern(f"`{text}` is no pattern that can match") from None

    def fits(self, names: list[bytes]) -> bool:
        return any(matches(parts, names if is_path else names[-1:]) for parts, is_path in self._alternatives)


def _expanded(text: str) -> list[str]:
    pending, done = [text], list[str]()
    while pending:
        each = pending.pop()
        found = _BRACES.search(each)
        if found is None:
            done.append(each)
        else:
            pending += [each[: found.start()] + word + each[found.end() :] for word in found[1].split(",")]
        if len(pending) + len(done) > _MOST_PATTERNS:
            raise NoPattern("the pattern has too many alternatives")
    return done
