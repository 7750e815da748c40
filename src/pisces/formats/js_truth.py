"""What JavaScript treats as true, and the property names that every JavaScript object inherits."""

from __future__ import annotations

# A lookup `table[word]` finds these in any object, so Gemini CLI accepts them as known names.
IN_EVERY_OBJECT = frozenset(
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf "
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__".split()
)


def is_truthy(value: object) -> bool:
    """An empty list or object is true, an empty text is not."""
    return bool(value) or isinstance(value, list | dict)
