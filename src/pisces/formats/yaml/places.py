"""Where the keys and items of a YAML text stand. The text is read once for all places that are asked of it."""

from __future__ import annotations

from functools import lru_cache

from pisces.formats.malformed import Malformed, place_at
from pisces.formats.yaml.document import document
from pisces.formats.yaml.reader import YamlReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[str | int, ...]
    Offsets = dict[int, dict[str | int, int]]  # of the parts of each container, by its identity


def place_of(text: str, path: Path) -> tuple[int, int]:
    """Of the last part of the path that exists."""
    found = _read(text)
    if found is None:
        return 1, 1
    plain, node, offsets = found
    offset = 0
    for step in path:
        known = offsets.get(id(node), {})
        if step not in known or not isinstance(node, dict | list):
            break
        offset = known[step]
        node = node[step]  # type: ignore[index]  # a step that was noted for this container fits it
    return place_at(plain, offset)


@lru_cache(maxsize=4)
def _read(text: str) -> tuple[str, Any, Offsets] | None:
    offsets: Offsets = {}
    try:
        reader = YamlReader(text, offsets)
        return reader.text, document(reader), offsets
    except (Malformed, RecursionError):
        return None
