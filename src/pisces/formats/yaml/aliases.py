"""How large a document is where each alias is written out: a few lines can stand for billions of values.

Whoever prints, copies or compares such a value never comes to an end, so it is refused where it is read.
"""

from __future__ import annotations

from pisces.formats.yaml.reader import DEEPEST, YamlReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    Extent = tuple[int, int]  # values, of which every eighty characters of a text are one more, and levels

_MOST = 100_000
_ROOM = 10  # times the text itself, where that is more


def refuse_endless(reader: YamlReader, value: object) -> None:
    """Raises `Malformed` for a document with aliases that is too large or too deep, or holds itself."""
    most = max(_MOST, len(reader.text) * _ROOM), DEEPEST
    known: dict[int, Extent] = {}
    if _fits(_extent(value, most, known), most):
        return
    sizes = {name: _extent(each, most, known) for name, each in reader.anchors.items()}
    name = max(sizes, key=lambda each: sizes[each])
    raise reader.malformed(f"aliases of `{name[:80]}` stand for too many values", reader.text.find(f"&{name}"))


def _fits(extent: Extent, most: Extent) -> bool:
    return extent[0] <= most[0] and extent[1] <= most[1]


def _extent(value: object, most: Extent, known: dict[int, Extent]) -> Extent:
    if not isinstance(value, dict | list):
        return (1 + len(value) // 80 if isinstance(value, str) else 1), 0
    if id(value) not in known:
        known[id(value)] = most[0] + 1, 0  # where it is met again inside of itself
        inside = (*value, *value.values()) if isinstance(value, dict) else value
        each = [_extent(one, most, known) for one in inside]
        known[id(value)] = 1 + sum(size for size, _ in each), 1 + max((levels for _, levels in each), default=0)
    return known[id(value)]
