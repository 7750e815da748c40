"""JSON for programs: two spaces, keys in the order that the documentation has them.

People look at it in terminals too, so what a terminal would obey, or what reorders text, is written as an escape.
"""

from __future__ import annotations

from json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def json_text(value: Any) -> str:
    text = dumps(value, indent=2, ensure_ascii=False, default=str)
    return "\n".join(line if line.isprintable() else _escaped(line) for line in text.split("\n"))


def _escaped(line: str) -> str:
    return "".join(char if char.isprintable() else dumps(char)[1:-1] for char in line)
