"""Patterns of paths in the manifests of pi's packages, as its package manager reads them.

An entry with `*` or `?` in it names files and folders; `**` is any number of folders, `{a,b}` one of several, `[ab]`
one character. Names with a leading dot are met only by a part that begins with a dot. Of what all entries name,
`!pattern` takes away whatever it fits, by its path in the package, its name alone or its whole path; `+path` gives back
and `-path` takes away one exact path. Bounded in time, whatever the pattern is.
"""

from __future__ import annotations

import os
import re

from pisces.files import MOST_FOLDERS, SKIPPED, entries, is_folder
from pisces.formats.path_glob import fits_in_order
from pisces.formats.wildcard import wildcard_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

OVERRIDES = ("!", "+", "-")
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST_CHOICES = _MOST_PARTS = 64
_CLASS = re.compile(r"\[[!^]?\]?[^\]/]*\]")
_MANY = "**"


def is_override(entry: str) -> bool:
    return entry.startswith(OVERRIDES)


def is_pattern(entry: str) -> bool:
    return "*" in entry or "?" in entry


def matching(folder: str, pattern: str) -> list[str]:
    """The files and folders that a pattern names, sorted within each folder."""
    found: dict[str, None] = {}
    for choice in _choices(pattern):
        parts = [part for part in choice.split("/") if part not in ("", ".")]
        if len(parts) <= _MOST_PARTS:
            found.update(dict.fromkeys(_below(folder, parts, [MOST_FOLDERS])))
    return list(found)


def enabled(paths: Sequence[str], listed: Iterable[str], folder: str) -> list[str]:
    """What overrides in a list leave of these paths."""
    by = {mark: [each[1:] for each in listed if each.startswith(mark)] for mark in OVERRIDES}
    left = [path for path in paths if not any(_is_met(path, each, folder) for each in by["!"])]
    left += [path for path in paths if path not in left and _is_exactly(path, by["+"], folder)]
    return [path for path in left if not _is_exactly(path, by["-"], folder)]


def _below(folder: str, parts: list[str], left: list[int]) -> Iterator[str]:
    """`left` is how many folders may still be looked into."""
    if not parts:
        yield folder
        return
    part, rest = parts[0], parts[1:]
    if part == _MANY:
        yield from _below(folder, rest, left) if rest else (folder,)
    elif not is_pattern(part) and not _CLASS.search(part):
        path = os.path.normpath(os.path.join(folder, part))
        if os.path.lexists(path):
            yield from _below(path, rest, left)
        return
    left[0] -= 1
    for entry in entries(folder) if left[0] >= 0 else ():
        yield from _of_entry(entry, part, parts, left)


def _of_entry(entry: os.DirEntry[str], part: str, parts: list[str], left: list[int]) -> Iterator[str]:
    rest = parts[1:]
    if part != _MANY:
        if _fits(part, entry.name):
            yield from _below(entry.path, rest, left) if not rest or is_folder(entry) else ()
    elif not entry.name.startswith(".") and entry.name not in SKIPPED:
        if is_folder(entry) and not entry.is_symlink():
            yield from _below(entry.path, parts, left)
        elif not rest:
            yield entry.path


def _is_met(path: str, pattern: str, folder: str) -> bool:
    inside = os.path.relpath(path, folder).replace(os.sep, "/")
    whole = path.replace(os.sep, "/")
    tried = (inside, os.path.basename(path), whole)
    return any(_leads(choice.split("/"), names.split("/")) for choice in _choices(pattern) for names in tried)


def _leads(parts: list[str], names: list[str]) -> bool:
    """Whether the parts of a pattern fit all names, in order. `places` are the parts that may come next."""
    places = _next(parts, {0})
    for name in names:
        stays = {at for at in places if at < len(parts) and parts[at] == _MANY and not name.startswith(".")}
        fits = {at + 1 for at in places if at < len(parts) and parts[at] != _MANY and _fits(parts[at], name)}
        places = _next(parts, stays | fits)
    return len(parts) in places


def _next(parts: list[str], places: set[int]) -> set[int]:
    """With those behind a `**`, which may stand for nothing."""
    found = set(places)
    for at in sorted(places):
        while at < len(parts) and parts[at] == _MANY:
            at += 1
            found.add(at)
    return found


def _is_exactly(path: str, wanted: Iterable[str], folder: str) -> bool:
    inside = os.path.relpath(path, folder).replace(os.sep, "/")
    return any(each.removeprefix("./") in (inside, path.replace(os.sep, "/")) for each in wanted)


def _fits(part: str, name: str) -> bool:
    """One part of a pattern, one name."""
    if name.startswith(".") and not part.startswith("."):
        return False
    if not _CLASS.search(part):
        return wildcard_matches(part, name)
    return _fits_with_classes(part, name)


def _fits_with_classes(part: str, name: str) -> bool:
    """Each character class is asked for each character, so that the cost stays that of a wildcard."""
    tokens: list[str] = []
    at = 0
    while at < len(part):
        found = _CLASS.match(part, at)
        tokens.append(found[0] if found else part[at])
        at = found.end() if found else at + 1
    parts = [None if token == "*" else token for token in tokens]
    return fits_in_order(parts, name, _fits_character)


def _fits_character(token: str, character: str) -> bool:
    if len(token) == 1:
        return token in ("?", character)
    inside = token[1:-1]
    is_negated = inside.startswith(("!", "^"))
    inside = inside[1:] if is_negated else inside
    ranges = re.findall(r"(.)-(.)|(.)", inside, re.DOTALL)
    is_in = any(low <= character <= high if low else character == one for low, high, one in ranges)
    return is_in != is_negated


def _choices(pattern: str) -> list[str]:
    """The patterns that braces stand for; those beyond a bound are left out."""
    waiting: list[str] = [pattern]
    made: list[str] = []
    while waiting and len(made) + len(waiting) <= _MOST_CHOICES:
        text = waiting.pop()
        found = _BRACES.search(text)
        if found is None:
            made.append(text)
        else:
            waiting += [text[: found.start()] + each + text[found.end() :] for each in reversed(found[1].split(","))]
    return made
