"""YAML as `load()` of js-yaml 4.1.1 reads it, in the standard library alone, with places for what is wrong.

Agreement with js-yaml is the rule, not the specification: it is inside Gemini CLI and decides what loads there. The
exception are aliases that stand for too many values, or for what they are in: `parse` refuses these.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.formats.malformed import Malformed
from pisces.formats.yaml.quick import UNSURE, flat_mapping
from pisces.formats.yaml.scalars import Timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.formats.yaml.reader import YamlReader

    Path = tuple[str | int, ...]

__all__ = ["Timestamp", "parse", "parse_in_full", "place_of"]


def parse(text: str) -> object:
    """The value of a YAML text; None if the text is empty. Raises `Malformed`."""
    mapping = flat_mapping(text)
    return mapping if mapping is not UNSURE else _bounded(text)


def parse_in_full(text: str) -> object:
    """What js-yaml reads: `parse` without its shortcut for flat headers and without its bound for aliases."""
    return _read(text)[0]


def _bounded(text: str) -> object:
    value, reader = _read(text)
    if reader.anchors:
        _full("aliases", "refuse_endless")(reader, value)
    return value


def _read(text: str) -> tuple[object, YamlReader]:
    try:
        reader = _full("reader", "YamlReader")(text, None)
        return _full("document")(reader), reader
    except RecursionError:  # only when the caller itself is near the limit: nesting here is bounded
        raise Malformed("nested too deeply to be read from here") from None


def place_of(text: str, path: Path) -> tuple[int, int]:
    """The 1-based line and column of the key or list item at a path, or of the last part of the path that exists."""
    place: tuple[int, int] = _full("places", "place_of")(text, path)
    return place


def _full(name: str, export: str = "") -> Any:
    """A part of the full reader, which is loaded where the shortcut is not sure."""
    return export_of("pisces.formats.yaml", name, export or name)
