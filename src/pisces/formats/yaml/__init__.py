"""YAML as `load()` of js-yaml 4.1.1 reads it, in the standard library alone, with places for what is wrong.

Agreement with js-yaml is the rule, not the specification: it is inside Gemini CLI and decides what loads there.
"""

from __future__ import annotations

from pisces.formats.malformed import Malformed, place_at
from pisces.formats.yaml.document import document
from pisces.formats.yaml.quick import UNSURE, flat_mapping
from pisces.formats.yaml.reader import YamlReader
from pisces.formats.yaml.scalars import Timestamp

__all__ = ["Timestamp", "parse", "parse_in_full", "place_of"]


def parse(text: str) -> object:
    """The value of a YAML text; None if the text is empty. Raises `Malformed`."""
    mapping = flat_mapping(text)
    return parse_in_full(text) if mapping is UNSURE else mapping


def parse_in_full(text: str) -> object:
    """`parse` without its shortcut for flat headers."""
    try:
        return document(YamlReader(text, None))
    except RecursionError:  # only if the caller is near the limit: nesting here is bounded
        raise Malformed("nested too deeply to be read from here") from None


def place_of(text: str, path: tuple[str | int, ...]) -> tuple[int, int]:
    """The 1-based line and column of the key or list item at a path, or (1, 1) if there is none."""
    offsets: dict[int, dict[str | int, int]] = {}
    try:
        reader = YamlReader(text, offsets)
        node = document(reader)
    except (Malformed, RecursionError):
        return 1, 1
    offset = 0
    for step in path:
        known = offsets.get(id(node), {})
        if step not in known or not isinstance(node, dict | list):
            return 1, 1
        offset = known[step]
        node = node[step]  # type: ignore[index]  # a recorded step fits its container
    return place_at(reader.text, offset)
