"""JSON for programs: two spaces, keys in the order that the documentation has them."""

from __future__ import annotations

from json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def json_text(value: Any) -> str:
    return dumps(value, indent=2, ensure_ascii=False, default=str)
