"""One text in a file replaced by another: exactly, or where only blanks, quotes and dashes differ, which is said."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right

from pisces.shapes.tool import ToolFailed
from pisces.value import Value

_WORD = re.compile(r"\S+|\n")
_GROUPS = ("'\u2018\u2019\u201a\u201b\u00b4", '"\u201c\u201d\u201e\u201f', "-\u2010\u2011\u2012\u2013\u2014\u2212")
_ALIKE = str.maketrans({sign: group[0] for group in _GROUPS for sign in group})  # models write one for another
_MOST_PLACES = 5  # that are named
_BLANKS = " \t\r\f\v\u00a0"
_SHOWN = 400  # characters of what stands in the file


class Edit(Value):
    """`is_everywhere` replaces each place, else there must be one."""

    old: str
    new: str
    is_everywhere: bool = False


class Replaced(Value):
    """`notes` say where the match was not exact."""

    text: str
    notes: tuple[str, ...] = ()
    count: int = 0


def replaced(text: str, edits: tuple[Edit, ...]) -> Replaced:
    """All edits, each on what the one before left. Raises `ToolFailed`, and then nothing was done."""
    done = Replaced(text)
    for number, edit in enumerate(edits, 1):
        try:
            made = _one(done.text, edit)
        except ToolFailed as error:
            raise ToolFailed(f"edit {number} of {len(edits)}: {error}" if len(edits) > 1 else str(error)) from None
        notes = (*done.notes, *made.notes)
        done = Replaced(made.text, notes, done.count + made.count)
    return done


def _one(text: str, edit: Edit) -> Replaced:
    if not edit.old:
        raise ToolFailed("`old` is empty: name the text to replace, or use `write` for a whole file")
    if edit.old == edit.new:
        raise ToolFailed("`old` and `new` are the same: nothing would change")
    count = text.count(edit.old)
    if count == 1 or (count and edit.is_everywhere):
        return Replaced(text.replace(edit.old, edit.new), count=count)
    if count:
        starts = [match.start() for match in re.finditer(re.escape(edit.old), text)]
        raise ToolFailed(f"`old` stands {count} times in the file, in {_lines(text, starts)}: {_MAKE_ONE}")
    return _forgiven(text, edit)


_MAKE_ONE = "add lines around it until it stands there once, or set `replace_all`"


def _forgiven(text: str, edit: Edit) -> Replaced:
    """Where blanks, quotes or dashes differ, and nothing else."""
    found = _alike(text, edit.old) if edit.old.strip() else []
    if not found:
        raise ToolFailed("`old` is not in the file: `read` it again and copy the text exactly, without line numbers")
    places = _lines(text, [start for start, _ in found])
    if len(found) > 1 and not edit.is_everywhere:
        raise ToolFailed(f"`old` is only alike, but for blanks or quotes, to the text in {places}: {_MAKE_ONE}")
    parts, at = [], 0
    for start, end in found:
        parts += [text[at:start], _fitted(text[start:end], edit)]
        at = end
    note = f"only blanks, quotes or dashes differed from `old` in {places}"
    return Replaced("".join((*parts, text[at:])), (note,), len(found))


def _alike(text: str, old: str) -> list[tuple[int, int]]:
    """Where the words of `old` stand, line by line. Linear: the plain form is searched as a text."""
    plain, places = _plain_form(text)
    wanted = _plain_form(old)[0]
    found: list[tuple[int, int]] = []
    at = plain.find(wanted)
    while at >= 0:
        start, end = _place(places, at), _place(places, at + len(wanted) - 1) + 1
        while start and old[0] in _BLANKS and text[start - 1] in _BLANKS:
            start -= 1
        while end < len(text) and old[-1] in _BLANKS and text[end] in _BLANKS:
            end += 1
        found.append((start, end))
        at = plain.find(wanted, at + len(wanted))
    return found


def _plain_form(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Words with one blank between them, lines without any at their ends; and for each word its place in this form
    and in the text.
    """
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    size = 0
    for word in _WORD.finditer(text):
        is_end = word[0] == "\n"
        if parts and not is_end and parts[-1] != "\n":
            parts.append(" ")
            size += 1
        places.append((size, word.start()))
        parts.append(word[0])
        size += len(word[0])
    return "".join(parts).translate(_ALIKE), places


def _place(places: list[tuple[int, int]], at: int) -> int:
    """The place in the text of a letter in the plain form."""
    form, start = places[bisect_right(places, (at, sys.maxsize)) - 1]
    return start + at - form


def _fitted(found: str, edit: Edit) -> str:
    """The new text with the indentation that the file has. Raises `ToolFailed` where that cannot be known."""
    there, old = found.split("\n"), edit.old.split("\n")
    pairs = [(_indent(one), _indent(other)) for one, other in zip(there, old, strict=False) if other.strip()]
    if not old[0][:1].isspace():
        pairs = pairs[1:]  # it may begin in the middle of a line
    if all(one == other for one, other in pairs):
        return edit.new
    here, given = pairs[0]
    if any(not other.startswith(given) or one != here + other[len(given) :] for one, other in pairs):
        raise ToolFailed(f"the indentation of `old` differs from the file, which has:\n{found[:_SHOWN]}")
    first, *rest = edit.new.split("\n")
    is_whole = old[0][:1].isspace() or not old[0].strip()
    moved = [_moved(line, given, here) for line in rest]
    return "\n".join((_moved(first, given, here) if is_whole else first, *moved))


def _moved(line: str, before: str, after: str) -> str:
    return after + line[len(before) :] if line.strip() and line.startswith(before) else line


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _lines(text: str, starts: list[int]) -> str:
    named = [str(text.count("\n", 0, start) + 1) for start in starts[:_MOST_PLACES]]
    more = " and more" if len(starts) > _MOST_PLACES else ""
    return f"line{'s' if len(starts) > 1 else ''} {', '.join(named)}{more}"
