"""Flow style: `[lists]`, `{mappings}`, and the nodes inside them."""

from __future__ import annotations

from pisces.formats.yaml.flow_scalars import double_quoted, plain_in_flow, single_quoted
from pisces.formats.yaml.properties import alias, read_properties, tagged
from pisces.formats.yaml.reader import ABSENT, BLANKS, EntryReader, Key, Properties, YamlReader
from pisces.formats.yaml.scalars import value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def flow_collection(reader: YamlReader, indent: int, properties: Properties | None) -> object:
    """The list or mapping that starts here."""
    if reader.text[reader.at] == "[":
        value: object = _flow_list(reader, indent, properties)
    else:
        value = _flow_mapping(reader, indent, properties)
    reader.is_merge = False
    return tagged(reader, properties, value)


def _flow_list(reader: YamlReader, indent: int, properties: Properties | None) -> list[object]:
    items: list[object] = []
    reader.name_anchor(properties, items)
    reader.at += 1
    while _another(reader, "]"):
        start = reader.at
        key, value = _pair(reader, indent)
        if value is None:
            items.append(None if key.value is ABSENT else key.value)
        else:
            single = EntryReader(reader)
            single.put(key, value[0])
            items.append(single.mapping)
        reader.note(items, len(items) - 1, start)
        _comma(reader, "]")
    return items


def _flow_mapping(reader: YamlReader, indent: int, properties: Properties | None) -> dict[str, object]:
    entries = EntryReader(reader)
    reader.name_anchor(properties, entries.mapping)
    reader.at += 1
    while _another(reader, "}"):
        key, value = _pair(reader, indent)
        entries.put(key, ABSENT if value is None else value[0])
        _comma(reader, "}")
    return entries.mapping


def _another(reader: YamlReader, bracket: str) -> bool:
    """Whether an entry follows. Moves past the closing bracket if none does."""
    reader.gap()
    char = reader.text[reader.at]
    if char == bracket:
        reader.at += 1
        return False
    if char == "\0":
        raise reader.malformed(f"the end of the text, where `{bracket}` is missing")
    if char == ",":
        raise reader.malformed("a comma without an entry before it")
    return True


def _comma(reader: YamlReader, bracket: str) -> None:
    reader.gap()
    char = reader.text[reader.at]
    if char == ",":
        reader.at += 1
    elif char not in (bracket, "\0"):
        raise reader.malformed(f"a comma or `{bracket}` is missing")


def _pair(reader: YamlReader, indent: int) -> tuple[Key, tuple[object] | None]:
    """An entry: its node, and the value after the colon if there is one."""
    text = reader.text
    explicit = text[reader.at] == "?" and text[reader.at + 1] in BLANKS
    if explicit:
        reader.at += 1
        reader.gap()
    start, line = reader.at, reader.line_start
    reader.is_merge = False
    node = one_node(reader, indent, plain_in_flow)
    key = Key(None if node is ABSENT else node, reader.is_merge, start)
    reader.gap()
    if text[reader.at] == ":" and (explicit or reader.line_start == line):
        reader.at += 1
        reader.gap()
        return key, (one_node(reader, indent, plain_in_flow),)
    return key, (None,) if explicit else None


def one_node(reader: YamlReader, indent: int, plain: Callable[[YamlReader, int], object]) -> object:
    """A node that is no block collection and no block scalar, or ABSENT. `plain` reads unquoted text."""
    reader.go_deeper()
    properties: Properties | None = None
    if reader.text[reader.at] in "&!":
        properties, crossed = read_properties(reader)
        if crossed is not None and reader.indent <= indent:
            reader.depth -= 1
            return tagged(reader, properties, ABSENT)
    value = atom(reader, indent, properties, plain)
    reader.depth -= 1
    return value


def atom(
    reader: YamlReader, indent: int, properties: Properties | None, plain: Callable[[YamlReader, int], object]
) -> object:
    """The node after its anchor and tag."""
    char = reader.text[reader.at]
    if char in "[{":
        return flow_collection(reader, indent, properties)
    reader.is_merge = False
    if char == '"':
        return tagged(reader, properties, double_quoted(reader))
    if char == "'":
        return tagged(reader, properties, single_quoted(reader))
    if char != "*":
        return _scalar(reader, properties, plain(reader, indent))
    if properties is not None:
        raise reader.malformed("an alias cannot have an anchor or a tag")
    return alias(reader)


def _scalar(reader: YamlReader, properties: Properties | None, plain: object) -> object:
    """The value of a plain scalar: by its tag if it has one, else by its text."""
    if not isinstance(plain, str) or (properties is not None and properties.tag is not None):
        return tagged(reader, properties, plain)
    reader.is_merge = plain == "<<"
    return tagged(reader, properties, value_of(plain))
