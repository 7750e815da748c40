"""What JavaScript takes for true: an empty list or object is, an empty text is not."""

from __future__ import annotations


def is_truthy(value: object) -> bool:
    return bool(value) or isinstance(value, list | dict)
