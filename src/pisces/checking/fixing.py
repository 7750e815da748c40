"""Applies fixes to files: those that do not overlap, from the end of a file to its beginning, each file in one step.

A file that could be parsed can be parsed afterwards, or it is not written. A file that changed since it was checked is
left as it is.
"""

from __future__ import annotations

import os
import stat
from bisect import bisect_left, insort

from pisces.atomic import write_atomically
from pisces.checking.fix import Fix, TextEdit, is_own_file
from pisces.diagnostics import Diagnostic
from pisces.disk import disk_fault
from pisces.files import Unreadable, read_bytes
from pisces.formats import json, jsonc, toml, yaml
from pisces.formats.frontmatter import split
from pisces.formats.malformed import Malformed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_ONE_BY_ONE = 50  # fixes of a file that are tried alone when all of them together break it


class Rewrite(Value):
    """A file with its fixes: both texts, and which fixes were applied."""

    path: str
    before: str
    after: str
    fixes: tuple[Fix, ...]


def rewrites(fixes: Iterable[Fix]) -> list[Rewrite]:
    """By path; files that changed since they were checked, or that would break, are left out."""
    by_path: dict[str, list[Fix]] = {}
    for fix in dict.fromkeys(fixes):
        by_path.setdefault(fix.path, []).append(fix)
    made = (_rewrite(path, found) for path, found in sorted(by_path.items()))
    return [each for each in made if each is not None]


def write(rewrite: Rewrite) -> Diagnostic | None:
    """Why the file could not be written, or nothing. One that is no longer what was read is left as it is."""
    path = rewrite.path
    if not is_own_file(path, rewrite.fixes[0].folder) or _text(path) != rewrite.before:
        return None
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode) & 0o777
        write_atomically(path, rewrite.after.encode("utf-8"), mode)
        if stat.S_IMODE(os.stat(path).st_mode) != mode:  # the mask of this process took something away
            os.chmod(path, mode)
    except OSError as error:
        return disk_fault(error, path)
    return None


def _rewrite(path: str, fixes: list[Fix]) -> Rewrite | None:
    text = _text(path)
    if text is None:
        return None
    chosen = _apart(text, fixes)
    after = edited(text, [edit for fix in chosen for edit in fix.edits])
    if not _is_as_sound(path, text, after):
        chosen, after = _one_by_one(path, text, chosen)
    return Rewrite(path, text, after, tuple(chosen)) if after != text else None


def _one_by_one(path: str, text: str, fixes: list[Fix]) -> tuple[list[Fix], str]:
    """The fixes that leave the file sound; each is tried together with those before it."""
    taken: list[Fix] = []
    after = text
    for fix in fixes[:_ONE_BY_ONE]:
        tried = edited(text, [edit for each in (*taken, fix) for edit in each.edits])
        if _is_as_sound(path, text, tried):
            taken.append(fix)
            after = tried
    return taken, after


def _apart(text: str, fixes: list[Fix]) -> list[Fix]:
    """Fixes that fit the text and touch no edit of one before them in the list; the others wait for the next round."""
    taken: list[tuple[int, int]] = []  # in order, and apart
    chosen: list[Fix] = []
    for fix in fixes:
        spans = [(edit.start, max(edit.end, edit.start + 1)) for edit in fix.edits]
        fits = all(text[edit.start : edit.end] == edit.old for edit in fix.edits)
        if fits and not any(_is_taken(span, taken) for span in spans):
            for span in spans:
                insort(taken, span)
            chosen.append(fix)
    return chosen


def _is_taken(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    at = bisect_left(taken, span)
    return any(span[0] < last and first < span[1] for first, last in taken[max(at - 1, 0) : at + 1])


def edited(text: str, edits: Sequence[TextEdit]) -> str:
    """The text with all edits, which do not overlap."""
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda each: each.start):
        parts += (text[done : edit.start], edit.new)
        done = edit.end
    return "".join((*parts, text[done:]))


def _text(path: str) -> str | None:
    try:
        return read_bytes(path).decode("utf-8")
    except (Unreadable, UnicodeDecodeError):
        return None


def _is_as_sound(path: str, before: str, after: str) -> bool:
    return _soundness(path, after) >= _soundness(path, before)


def _soundness(path: str, text: str) -> int:
    """2: every reader takes it; 1: forgiving ones do; 0: nobody."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix == ".json":
        return 2 if _parses(json.parse, text) else int(_parses(jsonc.parse_lenient, text))
    if suffix == ".toml":
        return 2 * int(_parses(toml.parse, text))
    header = split(text.removeprefix("\ufeff")) if suffix in (".md", ".mdc") else None
    if header is None:
        return 0
    return 2 if _parses(yaml.parse, header.header) else 1


def _parses(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except Malformed:
        return False
    return True
