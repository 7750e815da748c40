"""JSON for programs: two spaces, keys in the order that the documentation has them.

People look at it in terminals too, so what a terminal would obey, or what reorders text, is written as an escape.
"""

from __future__ import annotations

from json import dumps
from math import isfinite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_MOST_BITS = 10_000  # Python refuses to write more than 4300 digits


def json_text(value: Any) -> str:
    try:
        text = _written(value)
    except (ValueError, TypeError):
        text = _written(_plain(value))
    return "\n".join(line if line.isprintable() else _escaped(line) for line in text.split("\n"))


def _written(value: Any) -> str:
    return dumps(value, indent=2, ensure_ascii=False, allow_nan=False, default=str)


def _plain(value: Any) -> Any:
    """Without what JSON has no word for: infinity, NaN and endless integers are null, as in JavaScript."""
    if isinstance(value, float) or (isinstance(value, int) and value.bit_length() > _MOST_BITS):
        return value if isinstance(value, float) and isfinite(value) else None
    if isinstance(value, list | tuple):
        items = []
        for item in value:
            items.append(_plain(item))  # a comprehension would be one more frame for each level
        return items
    if isinstance(value, dict):
        table = {}
        for key, item in value.items():
            table[key if isinstance(key, str) else repr(_plain(key))] = _plain(item)
        return table
    return value


def _escaped(line: str) -> str:
    return "".join(char if char.isprintable() else dumps(char)[1:-1] for char in line)
