"""Markdown as it streams in, cut into blocks: a block that is finished is never touched again.

A block is a paragraph, a heading, a table, a quotation, one item of a list, or fenced code. Each line is looked at
once, so the cost grows with the text and not with its square. Code that is very long is handed over in parts.
"""

from __future__ import annotations

import re

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PROSE, CODE = "prose", "code"
MOST_CODE_LINES = 50  # before a part of it is handed over

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_ITEM = re.compile(r" {0,1}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")


class Block(Value):
    """`language` is that of code. `gap` says whether an empty line stands before it."""

    kind: str
    text: str
    language: str = ""
    gap: bool = False


class Blocks:
    """`feed` text, take what is finished; `open_block` is what is still growing, and `end` finishes it."""

    def __init__(self) -> None:
        self._partial: list[str] = []
        self._lines: list[str] = []
        self._is_item = False
        self._fence = ""  # the fence that has to be closed, at the top or inside an item
        self._language = ""
        self._blank = False  # an empty line came, and the item may still go on
        self._gap = False

    def feed(self, text: str) -> list[Block]:
        if "\n" not in text:
            self._partial.append(text)
            return []
        head, _, rest = text.rpartition("\n")
        whole = "".join((*self._partial, head))
        self._partial = [rest] if rest else []
        return [block for line in whole.split("\n") for block in self._line(line)]

    def end(self) -> list[Block]:
        last = "".join(self._partial)
        self._partial = []
        made = list(self._line(last)) if last else []
        made.extend(self._code() if self._is_code else self._finished())
        self._fence, self._gap = "", True
        return made

    @property
    def open_block(self) -> Block:
        lines = [*self._lines, "".join(self._partial)]
        return Block(CODE if self._is_code else PROSE, "\n".join(lines), self._language, self._gap)

    @property
    def _is_code(self) -> bool:
        return bool(self._fence) and not self._is_item

    def _line(self, line: str) -> Iterator[Block]:
        if self._fence:
            yield from self._in_fence(line)
        elif not line.strip():
            yield from self._empty_line()
        else:
            yield from self._begun(line)

    def _in_fence(self, line: str) -> Iterator[Block]:
        bare = line.strip()
        closes = len(bare) >= len(self._fence) and not bare.strip(self._fence[0])
        if self._is_item:
            self._lines.append(line)
            self._fence = "" if closes else self._fence
        elif closes:
            yield from self._code()
            self._fence = self._language = ""
        else:
            self._lines.append(line)
            if len(self._lines) >= MOST_CODE_LINES:
                yield from self._code()

    def _empty_line(self) -> Iterator[Block]:
        if self._is_item:
            self._blank = True
            return
        yield from self._finished()
        self._gap = True

    def _begun(self, line: str) -> Iterator[Block]:
        """A line with something in it, outside of code."""
        indented = line.startswith(("  ", "\t"))
        if self._is_item and (indented or not (self._blank or _starts_block(line))):
            self._lines.extend(("", line) if self._blank else (line,))
            self._blank = False
            fence = _FENCE.match(line.lstrip())
            self._fence = fence[1] if fence else ""
            return
        if self._lines and not self._is_item and _UNDERLINE.match(line):
            self._lines.append(line)
            yield from self._finished()
            return
        if self._is_item or _starts_block(line):
            yield from self._finished()
        yield from self._started(line)

    def _started(self, line: str) -> Iterator[Block]:
        fence = _FENCE.match(line)
        if fence:
            self._fence, self._language = fence[1], fence[2].strip()
            return
        self._lines.append(line)
        if _HEADING.match(line) or (len(self._lines) == 1 and _RULE.match(line)):
            yield from self._finished()
        else:
            self._is_item = self._is_item or (len(self._lines) == 1 and bool(_ITEM.match(line)))

    def _finished(self) -> Iterator[Block]:
        if self._lines:
            yield Block(PROSE, "\n".join(self._lines), "", self._gap)
            self._gap = False
        self._gap = self._gap or self._blank
        self._lines, self._is_item, self._blank = [], False, False

    def _code(self) -> Iterator[Block]:
        if self._lines:
            yield Block(CODE, "\n".join(self._lines), self._language, self._gap)
            self._gap = False
        self._lines = []


def _starts_block(line: str) -> bool:
    return bool(_ITEM.match(line) or _HEADING.match(line) or _FENCE.match(line) or _RULE.match(line))
