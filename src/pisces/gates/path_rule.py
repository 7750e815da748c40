"""A path in a rule, written as in `.gitignore`: `.env` anywhere below, `src/**`, `~/x`, `//absolute`, `/in-its-folder`.

A rule that denies is read liberally: letters of any case, through links, from every folder that a line moves to. One
that allows must fit to the letter, and so must the file behind a link.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from pisces.formats.git_glob import MatchesNothing, matches, parts_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pisces.formats.git_glob import Part
    from pisces.shapes.session_facts import SessionFacts

_BELOW = "/**"


class PathRule(Value):
    """`folder` is what one leading slash stands for: the folder of the file that has the rule."""

    text: str
    folder: str

    def denies(self, path: str, facts: SessionFacts) -> bool:
        """Whether it speaks about a path, read liberally."""
        return self.denies_any(spellings(path, facts), facts)

    def denies_any(self, paths: Sequence[str], facts: SessionFacts) -> bool:
        """The same of paths in every spelling."""
        return any(
            _fits(pattern, each, start, re.IGNORECASE)
            for root, pattern in self._meanings(facts)
            for each in paths
            for start in dict.fromkeys((root, _real_root(root)))
        )

    def lies_below(self, paths: Sequence[str], facts: SessionFacts) -> bool:
        """Whether all that it speaks about is in a folder."""
        for root, pattern in self._meanings(facts):
            start = re.split(r"[*?\[]", pattern, maxsplit=1)[0].strip("/") if pattern.startswith("/") else ""
            place = os.path.join(root, start)
            if any((place.rstrip("/") + "/").startswith(each.rstrip("/") + "/") for each in paths):
                return True
        return False

    def _meanings(self, facts: SessionFacts) -> Iterator[tuple[str, str]]:
        text = self.text.strip()
        for base in dict.fromkeys((facts.workspace, facts.cwd)) if text else ():
            root, pattern, _ = self._split(text, base, facts.home)
            yield root, re.sub("/{2,}", "/", pattern)

    def allows(self, path: str, facts: SessionFacts) -> bool:
        """Whether it covers a path, and the file behind every link, to the letter."""
        if not path or path.startswith("~") or self.text[:1] in ("!", "") or ".." in self.text.split("/"):
            return False
        root, pattern, is_relative = self._split(self.text, facts.workspace, facts.home)
        if is_relative and "/" in self.text and "/" not in pattern.strip("/"):
            pattern = f"/{pattern}"
        written = os.path.normpath(os.path.join(facts.cwd, path))
        return bool(pattern.strip("/.")) and all(
            _fits(pattern, each, start, 0) for each, start in ((written, root), (_real(written), _real(root)))
        )

    def _split(self, text: str, base: str, home: str) -> tuple[str, str, bool]:
        """The folder that the pattern is relative to, the pattern, and whether that is the workspace."""
        if text.startswith("//"):
            return "/", _anchored(text[2:]), False
        if text == "~" or text.startswith("~/"):
            return home, _anchored(text[2:]), False
        if text.startswith("/"):
            return self.folder, _anchored(text[1:]), False
        if text.startswith("../"):
            while text.startswith("../"):
                base, text = os.path.dirname(base), text[3:]
            return base, _anchored(text), False
        return base, _without_end(text.removeprefix("./")), True


def _anchored(text: str) -> str:
    return "/" + _without_end(text)


def _without_end(text: str) -> str:
    return text[: -len(_BELOW)] if text.endswith(_BELOW) and text != _BELOW else text


def spellings(path: str, facts: SessionFacts) -> tuple[str, ...]:
    """The absolute paths that a path may mean, and the files behind their links."""
    return tuple(dict.fromkeys(each for written in _written(path, facts) for each in (written, _real(written))))


def _written(path: str, facts: SessionFacts) -> Iterable[str]:
    yield os.path.normpath(os.path.join(facts.cwd, path))
    yield os.path.normpath(os.path.join(facts.workspace, path))
    if path == "~" or path.startswith("~/"):
        yield os.path.normpath(os.path.join(facts.home, path[2:]))


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # a NUL in the path
        return path


@lru_cache(maxsize=64)  # the folders that rules are relative to stay where they are
def _real_root(path: str) -> str:
    return _real(path)


def _fits(pattern: str, path: str, root: str, flags: int) -> bool:
    """As git does: whatever lies below something that fits, fits."""
    inside = root.rstrip("/") + "/"
    if not (path + "/").lower().startswith(inside.lower()) or (not flags and not (path + "/").startswith(inside)):
        return False
    names = [name.encode("utf-8", "surrogatepass") for name in path[len(inside) :].split("/") if name]
    is_anchored = "/" in pattern.rstrip("/")
    try:
        parts = _parts(pattern.strip("/"), flags)
    except MatchesNothing:
        return False
    if parts is None:
        return is_anchored or bool(flags)  # the folder itself
    ends = range(1, len(names) + (0 if pattern.endswith("/") else 1))
    return any(matches(parts, names[:end] if is_anchored else names[end - 1 : end]) for end in ends)


@lru_cache(maxsize=256)
def _parts(pattern: str, flags: int) -> tuple[Part, ...] | None:
    return parts_of(pattern.encode("utf-8", "surrogatepass"), flags) if pattern.strip(".") else None
