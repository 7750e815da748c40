"""The links that a shell or a program meets where a line names a pattern or a folder: it reads what is behind them."""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.gates.command_files import FileUse

_MOST = 20_000  # entries that are looked at
_WILD = re.compile(r"[*?\[]")


def links_met(path: str, use: FileUse) -> list[str] | None:
    """None where there is too much to look at."""
    search = _Search()
    try:
        starts = search.matches(path) if use.is_pattern else [path]
        found = list(starts)
        return found + [link for each in found for link in search.below(each)] if use.is_deep else found
    except _TooMuch:
        return None


class _TooMuch(Exception):
    pass


class _Search:
    def __init__(self) -> None:
        self._left = _MOST

    def matches(self, path: str) -> list[str]:
        """All that a shell may find, and some more: of a class of signs only what stands before it is compared."""
        found = ["/" if os.path.isabs(path) else ""]
        for part in filter(None, path.split("/")):
            if _WILD.search(part):
                fits = re.compile(_loose(part), re.DOTALL).fullmatch
                found = [each.path for folder in found for each in self._entries(folder or ".") if fits(each.name)]
            else:
                found = [os.path.join(folder, part) for folder in found]
        return found

    def below(self, folder: str) -> Iterator[str]:
        pending = [folder]
        while pending:
            for each in self._entries(pending.pop()):
                if each.is_symlink():
                    yield each.path
                elif each.is_dir(follow_symlinks=False):
                    pending.append(each.path)

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        try:
            entries = os.scandir(folder)
        except (OSError, ValueError):
            return
        with entries:
            for each in entries:
                self._left -= 1
                if self._left < 0:
                    raise _TooMuch
                yield each


def _loose(part: str) -> str:
    signs = {"*": ".*", "?": "."}
    known, bracket, _ = part.partition("[")
    return "".join(signs.get(each) or re.escape(each) for each in known) + (".*" if bracket else "")
