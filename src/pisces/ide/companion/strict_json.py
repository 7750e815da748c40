"""JSON that has one reading only: UTF-8, no key twice in an object, and only numbers that JSON can write."""

from __future__ import annotations

import json
import math
from typing import Any, Never


def strict_value(content: bytes | bytearray) -> Any:
    """Raises `ValueError` for anything else."""
    text = content.decode("utf-8-sig")
    try:
        return json.loads(text, parse_constant=_refused, parse_float=_finite, object_pairs_hook=_distinct)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _refused(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found
