"""What JavaScript takes for true, and the words that every JavaScript object has an answer to."""

from __future__ import annotations

# `table[word]` finds something for these in any table, which is how they pass for known names.
IN_EVERY_OBJECT = frozenset(
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf "
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__".split()
)


def is_truthy(value: object) -> bool:
    """An empty list or object is true, an empty text is not."""
    return bool(value) or isinstance(value, list | dict)
