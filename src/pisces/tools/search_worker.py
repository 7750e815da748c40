"""Searches files for a pattern, in a process of its own: a regular expression may take for ever, and holds all threads.

One JSON value a line: `[path, line, text]` for a match, at last an object with what was left out.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from pisces.files import TOO_LARGE, Unreadable, read_bytes
from pisces.tools.file_text import file_text, lines_of
from pisces.tools.walking import Files, NamePattern, NoPattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEES_NEIGHBOURS = re.compile(r"\\[AZ]|\(\?<?[=!]")  # a pattern that may fit a line and not the whole text
_LONGEST = 300  # characters that are shown


def main(asked: dict[str, Any]) -> None:
    left_out: dict[str, Any] = {}
    try:
        _search(asked, left_out)
    except (re.error, NoPattern, RecursionError, OverflowError) as error:
        left_out["error"] = str(error)
    _say(left_out)


def _search(asked: dict[str, Any], left_out: dict[str, Any]) -> None:
    pattern = re.compile(asked["pattern"])
    whole = None if _SEES_NEIGHBOURS.search(asked["pattern"]) else re.compile(asked["pattern"], re.MULTILINE)
    count = 0
    for names, path in _files(asked, left_out):
        text = _text(path, left_out)
        if not text or (whole is not None and not whole.search(text)):
            continue
        for number, line in enumerate(lines_of(text), 1):
            match = pattern.search(line)
            if match is None:
                continue
            count += 1
            if count > asked["most"]:
                left_out["cut"] = True
                return
            _say([names, number, _around(line, match.start())])


def _files(asked: dict[str, Any], left_out: dict[str, Any]) -> Iterator[tuple[list[str], str]]:
    if not os.path.isdir(asked["start"]):
        yield [], asked["start"]
        return
    wanted = NamePattern(asked["glob"]) if asked["glob"] else None
    walk = Files(asked["start"], asked["seconds"])
    for path, names, entry in walk:
        if not entry.is_symlink() and (wanted is None or wanted.fits(names)):
            yield [os.fsdecode(each) for each in names], path
    if walk.is_cut:
        left_out["time"] = True


def _text(path: str, left_out: dict[str, Any]) -> str:
    try:
        found = file_text(read_bytes(path))
    except Unreadable as error:
        if error.kind == TOO_LARGE:
            left_out["large"] = left_out.get("large", 0) + 1
        return ""
    return found.shown if found else ""


def _around(line: str, at: int) -> str:
    """A line that is too long, from a little before the match on."""
    if len(line) <= _LONGEST:
        return line
    start = max(at - _LONGEST // 4, 0)
    head = "[...] " if start else ""
    tail = " [...]" if start + _LONGEST < len(line) else ""
    return head + line[start : start + _LONGEST] + tail


def _say(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()
