"""The state of reading a YAML text: the position, its line, anchors, tag handles, and the entries of a mapping.

The text always ends in a line end and a NUL, so that looking at the next character never needs a bounds check.
"""

from __future__ import annotations

import re

from pisces.formats.malformed import Malformed, place_at
from pisces.formats.yaml.scalars import Timestamp, has_no_character, key_text

BLANKS = " \t\n"
# Limits against hostile text. Later versions of js-yaml have the same two; the one in Gemini CLI has none.
DEEPEST = 100
MOST_MERGED = 10_000  # keys copied by `<<`

ABSENT = object()  # no node here, as opposed to a null

_GAP = r"[ \t]*(?:(?:#[^\n]*)?\n[ \t]*)*"
# Apart from each other because a class that spans all of Unicode takes half a millisecond to compile.
_UNPRINTABLE_LATIN = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]"
_UNPRINTABLE = _UNPRINTABLE_LATIN + r"|[\ud800-\udfff\ufffe\uffff]"


class Properties:
    """The anchor and the tag written before a node."""

    __slots__ = ("anchor", "tag", "tag_at")

    def __init__(self) -> None:
        self.anchor: str | None = None
        self.tag: str | None = None
        self.tag_at = 0


class YamlReader:
    """Positions are offsets into `text`. Lines are compared by `line_start`."""

    __slots__ = (
        *("anchors", "at", "depth", "gap_pattern", "handles", "indent", "is_merge", "line_start", "merged", "offsets"),
        *("tabbed", "text", "unprintable"),
    )

    def __init__(self, text: str, offsets: dict[int, dict[str | int, int]] | None) -> None:
        text = text.removeprefix("\ufeff")
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text + ("\0" if text.endswith("\n") else "\n\0")
        if "\0" in text:
            raise self.malformed("a NUL character is not allowed", text.index("\0"))
        self.gap_pattern = re.compile(_GAP)  # compiled on first use, then found in re's own cache
        is_usual = text.isascii() or not has_no_character(text)
        found = re.compile(_UNPRINTABLE_LATIN if is_usual else _UNPRINTABLE).search(text)
        self.unprintable = len(self.text) if found is None else found.start()
        self.at = 0
        self.line_start = 0
        self.indent = 0  # spaces at the start of the current line
        self.tabbed = False  # a tab was skipped on this line, so no block collection may start on it
        self.depth = 0
        self.anchors: dict[str, object] = {}
        self.handles: dict[str, str] = {}
        self.is_merge = False  # the node just read is a plain `<<`
        self.merged = 0
        self.offsets = offsets

    def malformed(self, message: str, at: int | None = None) -> Malformed:
        return Malformed(message, *place_at(self.text, self.at if at is None else at))

    def gap(self) -> bool:
        """Moves past blanks, comments and line ends. Returns whether there was a line end."""
        text, start = self.text, self.at
        if text[start] not in " \t\n#":
            return False
        found = self.gap_pattern.match(text, start)
        return found is not None and self.move_to(found.end())

    def move_to(self, end: int) -> bool:
        """Moves ahead. Returns whether that crossed a line end."""
        text, start = self.text, self.at
        self.at = end
        line_start = text.rfind("\n", start, end) + 1
        if not line_start:
            self.tabbed = self.tabbed or "\t" in text[start:end]
            return False
        self.enter_line(line_start)
        return True

    def enter_line(self, line_start: int) -> None:
        text, at = self.text, line_start
        self.line_start = line_start
        while text[at] == " ":
            at += 1
        self.indent = at - line_start
        while text[at] in " \t":
            at += 1
        self.tabbed = "\t" in text[line_start:at]

    def is_separator(self, at: int) -> bool:
        """Whether there is a document marker here, at the start of a line."""
        text = self.text
        return text.startswith(("---", "..."), at) and text[at + 3] in " \t\n"

    def check_printable(self, start: int, end: int) -> None:
        if self.unprintable >= end:
            return
        found = re.compile(_UNPRINTABLE).search(self.text, start, end)
        if found is not None:
            raise self.malformed("a control character is not allowed here", found.start())

    def go_deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.malformed(f"nested deeper than {DEEPEST} levels")

    def name_anchor(self, properties: Properties | None, value: object) -> None:
        if properties is not None and properties.anchor is not None:
            self.anchors[properties.anchor] = value

    def note(self, container: object, key: str | int, offset: int) -> None:
        if self.offsets is not None:
            self.offsets.setdefault(id(container), {})[key] = offset


class Key:
    """A key: its value, whether it is a plain `<<`, and its offset."""

    __slots__ = ("is_merge", "offset", "value")

    def __init__(self, value: object, is_merge: bool, offset: int) -> None:
        self.value = value
        self.is_merge = is_merge
        self.offset = offset


class EntryReader:
    """Collects the entries of a mapping as js-yaml does: keys become text, a repeated key is an error, `<<` merges."""

    __slots__ = ("mapping", "merged", "reader")

    def __init__(self, reader: YamlReader) -> None:
        self.reader = reader
        self.mapping: dict[str, object] = {}
        self.merged: set[str] = set()  # keys that came by `<<`, which a later entry may replace once

    def put(self, key: Key, value: object) -> None:
        if value is ABSENT:
            value = None
        if key.is_merge:
            self._merge(key, value)
            return
        try:
            name = key_text(key.value)
        except ValueError as problem:
            raise self.reader.malformed(str(problem), key.offset) from None
        if name in self.mapping and name not in self.merged:
            raise self.reader.malformed(f"the key `{name[:80]}` is given twice", key.offset)
        self.merged.discard(name)
        self.mapping[name] = value
        self.reader.note(self.mapping, name, key.offset)

    def _merge(self, key: Key, value: object) -> None:
        for source in value if isinstance(value, list) else [value]:
            if isinstance(source, list):
                source = {str(index): item for index, item in enumerate(source)}
            if isinstance(source, Timestamp):
                continue
            if not isinstance(source, dict):
                raise self.reader.malformed("`<<` merges mappings only", key.offset)
            self._copy(source, key.offset)

    def _copy(self, source: dict[str, object], offset: int) -> None:
        self.reader.merged += len(source)
        if self.reader.merged > MOST_MERGED:
            raise self.reader.malformed("too many keys merged with `<<`", offset)
        known = (self.reader.offsets or {}).get(id(source), {})
        for name, value in list(source.items()):
            if name not in self.mapping:
                self.mapping[name] = value
                self.merged.add(name)
                self.reader.note(self.mapping, name, known.get(name, offset))
