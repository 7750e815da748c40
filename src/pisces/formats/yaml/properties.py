"""The anchor and the tag before a node, and how a tag converts the node's value."""

from __future__ import annotations

import re
from codecs import decode
from collections.abc import Callable

from pisces.formats.yaml import numbers, scalars
from pisces.formats.yaml.reader import ABSENT, Properties, YamlReader

YAML = "tag:yaml.org,2002:"
_NAME = r"[^ \t\n\0,\[\]{}]+"
_TAG = r"!<([^>\0]*)>|(!(?:[a-zA-Z-]*!)?)([^ \t\n\0!,\[\]{}]*)(?=[ \t\n])"
_URI = r"(?:!|[^,\[\]{}])(?:%[0-9a-fA-F]{2}|[0-9a-zA-Z\-#;/?:@&=+$,_.!~*'()\[\]])*"


def read_properties(reader: YamlReader) -> tuple[Properties, bool | None]:
    """The properties here. The second value is None if all is on one line, else whether the node starts a line."""
    properties = Properties()
    crossed: bool | None = None
    while reader.text[reader.at] in "&!":
        taken = properties.anchor if reader.text[reader.at] == "&" else properties.tag
        if taken is not None:
            raise reader.malformed("a node may have one anchor and one tag")
        if reader.text[reader.at] == "&":
            properties.anchor = _name(reader, "an anchor needs a name")
        else:
            properties.tag_at = reader.at
            properties.tag = _tag(reader)
        crossed = reader.gap() or (None if crossed is None else False)
    return properties, crossed


def alias(reader: YamlReader) -> object:
    start = reader.at
    name = _name(reader, "an alias needs a name")
    if name not in reader.anchors:
        raise reader.malformed(f"unknown alias `{name[:80]}`", start)
    return reader.anchors[name]


def _name(reader: YamlReader, missing: str) -> str:
    found = re.compile(_NAME).match(reader.text, reader.at + 1)
    if found is None:
        raise reader.malformed(missing)
    reader.at = found.end()
    return found[0]


def _tag(reader: YamlReader) -> str:
    found = re.compile(_TAG).match(reader.text, reader.at)
    name = None if found is None else found[1] or found[3]
    if found is None or (name and re.fullmatch(_URI, name) is None):
        raise reader.malformed("a malformed tag")
    tag = found[1] if found[1] is not None else _prefix(reader, found[2]) + found[3]
    reader.move_to(found.end())
    try:
        return re.sub(r"(?:%[0-9a-fA-F]{2})+", lambda run: bytes.fromhex(run[0].replace("%", "")).decode(), tag)
    except UnicodeDecodeError:
        raise reader.malformed("a malformed tag", found.start()) from None


def _prefix(reader: YamlReader, handle: str) -> str:
    prefix = reader.handles.get(handle, {"!": "!", "!!": YAML}.get(handle))
    if prefix is None:
        raise reader.malformed(f"undeclared tag handle `{handle[:80]}`")
    return prefix


def tagged(reader: YamlReader, properties: Properties | None, value: object) -> object:
    """The value converted by its tag and registered under its anchor."""
    if properties is None:
        return value
    if properties.tag is not None and properties.tag != "!":
        converted = _converted(properties.tag.removeprefix(YAML), value) if properties.tag.startswith(YAML) else ABSENT
        if converted is ABSENT:
            problem = f"the tag `!<{properties.tag[:80]}>` is unknown or does not fit its value"
            raise reader.malformed(problem, properties.tag_at)
        reader.is_merge = properties.tag == YAML + "merge"
        value = converted
    elif value is ABSENT:
        value = None
    reader.name_anchor(properties, value)
    return value


def _converted(name: str, value: object) -> object:
    """The value converted by a standard tag, or ABSENT if they do not fit."""
    if value is ABSENT:
        return _EMPTY[name]() if name in _EMPTY else ABSENT
    if isinstance(value, str):
        return _from_text(name, value)
    if isinstance(value, list):
        return _from_list(name, value)
    if isinstance(value, dict):
        return value if name == "map" or (name == "set" and all(each is None for each in value.values())) else ABSENT
    if name == "str":  # js-yaml resolves a scalar on a later line before the tag
        return "" if value is None else value
    return None if value is None and name in ("null", "merge") else ABSENT


_EMPTY: dict[str, Callable[[], object]] = {
    "str": str,
    **dict.fromkeys(("null", "merge"), lambda: None),
    **dict.fromkeys(("seq", "omap", "pairs"), list),
    **dict.fromkeys(("map", "set"), dict),
}


def _from_text(name: str, text: str) -> object:
    if name == "str" or (name == "merge" and text == "<<"):
        return text
    if name == "null":
        return None if text and scalars.value_of(text) is None else ABSENT
    reading = {
        "bool": scalars.boolean,
        "int": numbers.integer,
        "float": numbers.floating,
        "timestamp": numbers.timestamp,
        "binary": _binary,
    }.get(name)
    value = None if reading is None else reading(text)
    return ABSENT if value is None else value


def _from_list(name: str, items: list[object]) -> object:
    if name == "seq":
        return items
    if name not in ("omap", "pairs"):
        return ABSENT
    pairs = [next(iter(item.items())) if isinstance(item, dict) and len(item) == 1 else None for item in items]
    if None in pairs:
        return ABSENT
    if name == "pairs":
        return [list(pair) for pair in pairs if pair is not None]
    keys = [pair[0] for pair in pairs if pair is not None]
    return items if len(set(keys)) == len(keys) else ABSENT


def _binary(text: str) -> bytes | None:
    digits = re.sub(r"[\r\n]", "", text)
    if len(digits) % 4 or re.fullmatch(r"[A-Za-z0-9+/=]*", digits) is None:
        return None
    digits = digits.replace("=", "")
    if not digits:
        return bytes(3)  # js-yaml's answer: three zero bytes
    if len(digits) % 4 == 1:  # the last digit has too few bits for a byte
        digits = digits[:-1]
    return decode(f"{digits}==".encode(), "base64")  # `codecs` is loaded always, `binascii` is not
