"""A shortcut for the usual header: one `key: text` a line, nothing nested, nothing that could mean anything else.

It answers only where the full reader would answer the same (a property test holds it to that), else it says so.
"""

from __future__ import annotations

import re

from pisces.formats.yaml.reader import NO_CHARACTER
from pisces.formats.yaml.scalars import value_of

UNSURE = object()

_UNSAFE = r"\x00-\x1f\x7f-\x9f"
_PLAIN = rf"((?:[A-Za-z0-9/(.+~<_]|-(?=[^ ])|[^\x00-\xa0])[^{_UNSAFE}]*)"
_QUOTED = rf"'([^'{_UNSAFE}]*)' *|\"([^\"\\{_UNSAFE}]*)\" *"
_LINE = rf"([A-Za-z_][A-Za-z0-9_-]*): +(?:{_PLAIN}|{_QUOTED})"
_NO_STRINGS = frozenset(("null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"))


def flat_mapping(text: str) -> object:
    """The mapping that a flat text means, or UNSURE."""
    if not text.isascii() and re.compile(NO_CHARACTER).search(text) is not None:
        return UNSURE
    line_match = re.compile(_LINE).fullmatch  # compiled on first use, then found in re's own cache
    mapping: dict[str, object] = {}
    for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n"):
        found = line_match(line)
        if found is None:
            return UNSURE
        key, plain, single, double = found.groups()
        if key in mapping or key in _NO_STRINGS:
            return UNSURE
        if plain is None:
            mapping[key] = single if double is None else double
        elif ": " in plain or " #" in plain or plain[-1] == ":":
            return UNSURE
        else:
            mapping[key] = value_of(plain.rstrip(" "))
    return mapping
