"""Block style: lists and mappings by indentation, and what may stand as a key or a value in them.

Columns are counted from the start of the line. A node belongs to its parent while it is indented more, except that a
list may stand right below the key that it belongs to.
"""

from __future__ import annotations

from pisces.formats.yaml.entries import EntryReader, Key
from pisces.formats.yaml.flow import atom, one_node
from pisces.formats.yaml.literal import block_scalar
from pisces.formats.yaml.plain import plain_in_block
from pisces.formats.yaml.properties import read_properties, tagged
from pisces.formats.yaml.reader import ABSENT, BLANKS, Properties, YamlReader


class Spot:
    """Where a node is expected: deeper than `parent`, a list from column `dash`, a collection only if `fresh`."""

    __slots__ = ("dash", "fresh", "parent")

    def __init__(self, parent: int, dash: int, fresh: bool) -> None:
        self.parent = parent
        self.dash = dash
        self.fresh = fresh


def block_node(reader: YamlReader, spot: Spot) -> object:
    """The node that starts here, or ABSENT."""
    reader.go_deeper()
    value = _with_properties(reader, spot) if reader.text[reader.at] in "&!" else _content(reader, spot, None)
    reader.depth -= 1
    return value


def _with_properties(reader: YamlReader, spot: Spot) -> object:
    properties, crossed = read_properties(reader)
    if crossed is None:  # so no mapping starts here: `&a key: value` is refused, except below another key
        return _content(reader, Spot(spot.parent, spot.dash, False), properties)
    if reader.indent > spot.parent:
        return _content(reader, Spot(spot.parent, spot.dash, crossed), properties)
    if crossed and reader.indent == spot.dash and not reader.tabbed and _is_marker(reader, "-"):
        return _block_list(reader, reader.indent, properties)
    return tagged(reader, properties, ABSENT)


def _content(reader: YamlReader, spot: Spot, properties: Properties | None) -> object:
    start, line = reader.at, reader.line_start
    is_block_scalar = reader.text[start] in "|>"
    reader.is_merge = False
    if not spot.fresh or reader.tabbed:
        if is_block_scalar:
            return tagged(reader, properties, block_scalar(reader, spot.parent + 1))
        return atom(reader, spot.parent + 1, properties, plain_in_block)
    if _is_marker(reader, "-"):
        return _block_list(reader, start - line, properties)
    if _is_marker(reader, "?") or _is_marker(reader, ":"):
        return _block_mapping(reader, start - line, properties, None)
    # js-yaml tries a mapping now: the anchor names it already, and the tag is forgotten where there is no key.
    reader.name_anchor(properties, {})
    if is_block_scalar:
        return block_scalar(reader, spot.parent + 1)
    value = one_node(reader, spot.parent + 1, plain_in_block)
    if value is ABSENT and reader.text[reader.at] != "\0":
        return ABSENT
    if value is not ABSENT and reader.line_start == line and _colon(reader):
        return _block_mapping(reader, start - line, properties, Key(value, reader.is_merge, start))
    return tagged(reader, properties, value)


def _is_marker(reader: YamlReader, marker: str) -> bool:
    return reader.text[reader.at] == marker and reader.text[reader.at + 1] in BLANKS


def _colon(reader: YamlReader) -> bool:
    """Moves past the colon after a key, if there is one on this line."""
    text, at = reader.text, reader.at
    while text[at] in " \t":
        at += 1
    if text[at] != ":":
        return False
    if text[at + 1] not in BLANKS:
        raise reader.malformed("a space is missing after the colon", at + 1)
    reader.at = at + 1
    return True


def _block_list(reader: YamlReader, column: int, properties: Properties | None) -> object:
    items: list[object] = []
    reader.name_anchor(properties, items)
    spot = Spot(column, column + 1, True)
    while _is_marker(reader, "-"):
        _refuse_tab(reader)
        reader.note(items, len(items), reader.at)
        reader.at += 1
        if reader.gap() and reader.indent <= column:
            items.append(None)
            continue
        line = reader.line_start
        value = block_node(reader, spot)
        items.append(None if value is ABSENT else value)
        if _ends(reader, line, column):
            break
    reader.is_merge = False
    return tagged(reader, properties, items)


def _block_mapping(reader: YamlReader, column: int, properties: Properties | None, first: Key | None) -> object:
    """The mapping whose keys start at a column; `first` is a key that has been read already, with its colon."""
    entries = EntryReader(reader)
    reader.name_anchor(properties, entries.mapping)
    waiting: Key | None = None  # a `?` key whose `:` has not come yet
    over = False
    if first is not None:
        line = reader.line_start
        entries.put(first, _value(reader, column, False))
        over = _ends(reader, line, column)
    while not over:
        line = reader.line_start
        if waiting is None:  # js-yaml lets a tab pass before the answer to a `?` key
            _refuse_tab(reader)
        if _is_marker(reader, ":"):
            _answer(reader, entries, waiting, column)
            waiting = None
        else:
            if waiting is not None:
                entries.put(waiting, None)
            waiting = _explicit_key(reader, column) if _is_marker(reader, "?") else None
            if waiting is None and not _implicit_entry(reader, entries, column):
                break
        over = _ends(reader, line, column)
    if waiting is not None:
        entries.put(waiting, None)
    reader.is_merge = False
    return tagged(reader, properties, entries.mapping)


def _answer(reader: YamlReader, entries: EntryReader, waiting: Key | None, column: int) -> None:
    """The `:` line that gives a `?` key its value."""
    if waiting is None:
        raise reader.malformed("a colon without a key before it")
    reader.at += 1
    entries.put(waiting, _value(reader, column, True))


def _explicit_key(reader: YamlReader, column: int) -> Key:
    start = reader.at
    reader.at += 1
    value = _value(reader, column, True)
    return Key(None if value is ABSENT else value, False, start)  # `? <<` merges nothing in js-yaml


def _implicit_entry(reader: YamlReader, entries: EntryReader, column: int) -> bool:
    """Reads `key: value`, and says whether there was one."""
    start, line = reader.at, reader.line_start
    value = one_node(reader, column, plain_in_block)
    if value is ABSENT:
        return False
    if reader.line_start != line:
        raise reader.malformed("a key must be on one line and followed by a colon", start)
    if not _colon(reader):
        raise reader.malformed("a colon is missing after the key", start)
    entries.put(Key(value, reader.is_merge, start), _value(reader, column, False))
    return True


def _value(reader: YamlReader, column: int, compact: bool) -> object:
    """What belongs to a key: on its line, or on lines indented more, or a list right below it."""
    crossed = reader.gap()
    if not crossed or reader.indent > column:
        return block_node(reader, Spot(column, column, crossed or compact))
    if reader.indent == column and not reader.tabbed and _is_marker(reader, "-"):
        return _block_list(reader, column, None)
    return ABSENT


def _ends(reader: YamlReader, line: int, column: int) -> bool:
    """Whether the collection is over; anything left on the entry's line or too deep below it is an error."""
    reader.gap()
    if reader.text[reader.at] == "\0":
        return True
    if reader.line_start == line or reader.indent > column:
        raise reader.malformed("this does not belong to the entry before it: wrong indentation or a missing quote")
    return reader.indent < column


def _refuse_tab(reader: YamlReader) -> None:
    if reader.tabbed:
        raise reader.malformed("a tab must not be used in indentation", reader.line_start)
