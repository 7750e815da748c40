"""Block style: lists and mappings by indentation, and what may stand as a key or a value in them.

Columns are counted from the start of the line. A node belongs to its parent while it is indented more, except that a
list may stand right below the key that it belongs to.
"""

from __future__ import annotations

from pisces.formats.yaml.flow import atom, one_node
from pisces.formats.yaml.flow_scalars import plain_in_block
from pisces.formats.yaml.literal import block_scalar
from pisces.formats.yaml.properties import read_properties, tagged
from pisces.formats.yaml.reader import ABSENT, BLANKS, EntryReader, Key, Properties, YamlReader


def block_node(reader: YamlReader, parent: int, dash: int, fresh: bool) -> object:
    """The node here, deeper than column `parent`, or ABSENT. A list may start at column `dash`.

    A collection may start here only if `fresh`.
    """
    reader.go_deeper()
    if reader.text[reader.at] in "&!":
        value = _with_properties(reader, parent, dash)
    else:
        value = _content(reader, parent, fresh, None)
    reader.depth -= 1
    return value


def _with_properties(reader: YamlReader, parent: int, dash: int) -> object:
    properties, crossed = read_properties(reader)
    if crossed is None:  # so no mapping starts here: `&a key: value` is refused, except below another key
        return _content(reader, parent, False, properties)
    if reader.indent > parent:
        return _content(reader, parent, crossed, properties)
    if crossed and reader.indent == dash and not reader.tabbed and _is_marker(reader, "-"):
        return _block_list(reader, reader.indent, properties)
    return tagged(reader, properties, ABSENT)


def _content(reader: YamlReader, parent: int, fresh: bool, properties: Properties | None) -> object:
    start, line = reader.at, reader.line_start
    is_block_scalar = reader.text[start] in "|>"
    reader.is_merge = False
    if not fresh or reader.tabbed:
        if is_block_scalar:
            return tagged(reader, properties, block_scalar(reader, parent + 1))
        return atom(reader, parent + 1, properties, plain_in_block)
    if _is_marker(reader, "-"):
        return _block_list(reader, start - line, properties)
    if _is_marker(reader, "?") or _is_marker(reader, ":"):
        return _block_mapping(reader, start - line, properties, None)
    # js-yaml tries a mapping now: the anchor already names it, and without a key the tag is dropped.
    reader.name_anchor(properties, {})
    if is_block_scalar:
        return block_scalar(reader, parent + 1)
    value = one_node(reader, parent + 1, plain_in_block)
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
    while _is_marker(reader, "-"):
        _refuse_tab(reader)
        reader.note(items, len(items), reader.at)
        reader.at += 1
        if reader.gap() and reader.indent <= column:
            items.append(None)
            continue
        line = reader.line_start
        value = block_node(reader, column, column + 1, True)
        items.append(None if value is ABSENT else value)
        if _ends(reader, line, column):
            break
    reader.is_merge = False
    return tagged(reader, properties, items)


def _block_mapping(reader: YamlReader, column: int, properties: Properties | None, first: Key | None) -> object:
    """The mapping whose keys start at a column. `first` is a key that was read already, with its colon."""
    entries = EntryReader(reader)
    reader.name_anchor(properties, entries.mapping)
    waiting: Key | None = None  # a `?` key without its `:` line so far
    over = False
    if first is not None:
        line = reader.line_start
        entries.put(first, _value(reader, column, False))
        over = _ends(reader, line, column)
    while not over:
        line = reader.line_start
        if waiting is None:  # js-yaml allows a tab before the `:` line of a `?` key
            _refuse_tab(reader)
        if _is_marker(reader, ":"):
            _explicit_value(reader, entries, waiting, column)
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


def _explicit_value(reader: YamlReader, entries: EntryReader, waiting: Key | None, column: int) -> None:
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
    """The value of a key: on its line, on lines indented more, or a list right below it."""
    crossed = reader.gap()
    if not crossed or reader.indent > column:
        return block_node(reader, column, column, crossed or compact)
    if reader.indent == column and not reader.tabbed and _is_marker(reader, "-"):
        return _block_list(reader, column, None)
    return ABSENT


def _ends(reader: YamlReader, line: int, column: int) -> bool:
    """Whether the collection ends here. Text after the entry on its line, or deeper below it, is an error."""
    reader.gap()
    if reader.text[reader.at] == "\0":
        return True
    if reader.line_start == line or reader.indent > column:
        raise reader.malformed("this does not belong to the entry before it: wrong indentation or a missing quote")
    return reader.indent < column


def _refuse_tab(reader: YamlReader) -> None:
    if reader.tabbed:
        raise reader.malformed("a tab must not be used in indentation", reader.line_start)
