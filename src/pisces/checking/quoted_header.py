"""The fix for a YAML header in which a value needs quotes: `description: Use when: always`.

Only lines at which the reader stops are changed, so that lists and flags stay what they are.
"""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot, TextEdit
from pisces.discovery.markdown_file import quoted_line
from pisces.formats import yaml
from pisces.formats.frontmatter import Frontmatter, split
from pisces.formats.malformed import Malformed

_MOST = 20  # lines of a header that are changed
_BEFORE = re.compile(r"[ \t]*(?:- +)?")


def quoted_header(spot: Spot) -> Fix | None:
    mark = len(spot.text) - len(spot.text.removeprefix("\ufeff"))
    header = split(spot.text[mark:])
    lines = _mended(header) if header else None
    if header is None or lines is None:
        return None
    at = spot.text.index("\n", mark) + 1
    edits = []
    for old, new in zip(header.header.split("\n"), lines, strict=True):
        edits.append(TextEdit(at, old, new))
        at += len(old) + 1
    return spot.fix("put the value in double quotes", *edits)


def _mended(header: Frontmatter) -> list[str] | None:
    """The lines of a header that can be read; None where quotes do not help."""
    lines = header.header.split("\n")
    for _ in range(_MOST):
        fault = _fault(lines)
        if not fault:
            return lines
        better = _quoted_before(lines, fault)
        if better is None:
            return None
        lines = better
    return None


def _quoted_before(lines: list[str], fault: int) -> list[str] | None:
    """With quotes at the line of the fault or at the one before it, whichever lets the reader come further."""
    for number in (fault, fault - 1):
        old = lines[number - 1] if 0 < number <= len(lines) else ""
        before = _BEFORE.match(old)
        indent = before[0] if before else ""
        new = indent + quoted_line(old[len(indent) :].rstrip("\r")) + ("\r" if old.endswith("\r") else "")
        if new.rstrip() != old.rstrip():
            changed = [*lines[: number - 1], new, *lines[number:]]
            if not 0 < _fault(changed) <= fault:
                return changed
    return None


def _fault(lines: list[str]) -> int:
    """The line at which the reader stops; 0 if it reads all."""
    try:
        yaml.parse("\n".join(lines))
    except Malformed as error:
        return max(error.line, 1)
    return 0
