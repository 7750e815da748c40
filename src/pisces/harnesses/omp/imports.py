"""`@path` in context files, as oh-my-pi 18 does it: the text of the file stands in place of its name, up to five deep.

Paths count from the importing file, `~/` is home, punctuation at the end is not part of a name. Code imports nothing.
Each file once in all; the name of one that cannot be read, or was read before, stays as it is.
"""

from __future__ import annotations

import os
import re

from pisces.files import Unreadable
from pisces.instructions.context_reader import ContextReader, ContextText
from pisces.instructions.rooms import Room
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEEPEST = 5
_IMPORT = re.compile(r"(?:(?<=[ \t])|\A)@([./~A-Za-z0-9_-]\S*)", re.ASCII)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_TICKS = re.compile("`+")
_PUNCTUATION = ".,;:!?)]}\"'"


class OmpImports(Value):
    """`seen` are the files that stand in the text already."""

    reader: ContextReader
    room: Room
    seen: set[str]


def texts(path: str, room: Room, reader: ContextReader) -> Iterator[ContextText]:
    text = reader.text(path, room)
    if text is not None:
        yield ContextText(path, _expanded(text, path, 0, OmpImports(reader, room, {path})))


def _expanded(text: str, path: str, depth: int, imports: OmpImports) -> str:
    if depth >= _DEEPEST:
        return text
    fence = ""
    lines = []
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        is_code = bool(fence or mark)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        lines.append(line if is_code or "@" not in line else _line(line, path, depth, imports))
    return "\n".join(lines)


def _line(line: str, path: str, depth: int, imports: OmpImports) -> str:
    pieces, last, ticks, counted = [], 0, 0, 0
    for match in _IMPORT.finditer(line):
        name = match[1].rstrip(_PUNCTUATION)
        ticks, counted = ticks + len(_TICKS.findall(line, counted, match.start())), match.start()
        if not name or ticks % 2:  # inside of a code span
            continue
        if not imports.reader.next_import():
            break
        text = _import(name, path, depth, imports)
        if text is not None:
            pieces += [line[last : match.start()], text]
            last = match.start() + 1 + len(name)
    return "".join((*pieces, line[last:]))


def _import(name: str, importer: str, depth: int, imports: OmpImports) -> str | None:
    path = imports.reader.places.replace(cwd=os.path.dirname(importer)).absolute(name)
    if path in imports.seen:
        return None
    try:
        text = imports.reader.imported(path, imports.room, importer)
    except Unreadable:  # reported already
        return None
    imports.seen.add(path)
    return _expanded(text, path, depth + 1, imports)
