"""The shortcut for TOML that is nothing but texts without escapes, one key below the other, as most command files are.

It answers only where it is sure: what it reads, `toml.TomlReader` reads in the same way.
"""

from __future__ import annotations

import re

CONTROL_BYTES = bytes((*range(9), 11, 12, *range(14, 32), 127))  # that no text may have

# A key and a text that is closed on its line, or a key and the beginning of a longer text.
_PAIR = re.compile(r'([A-Za-z0-9_-]++)[ \t]*+=[ \t]*+"(?:([^"\\\x00-\x08\n-\x1f\x7f]*+)"(?!")|""\r*+\n?)')
_LINE_END = re.compile(r"[ \t\r]*+(?:\n[ \t\r\n]*+|\Z)")


def plain_pairs(text: str) -> dict[str, object] | None:
    """The keys and texts of a document; None where that is for the full reader to say."""
    found: dict[str, object] = {}
    at = 0
    while at < len(text):
        pair = _PAIR.match(text, at)
        if pair is None or pair[1] in found:
            return None
        at, value = pair.end(), pair[2]
        if value is None:
            end = text.find('"""', at)
            value, at = text[at:end], end + 3
            if end < 0 or "\\" in value or not is_printable(value):
                return None
        found[pair[1]] = value
        line_end = _LINE_END.match(text, at)
        if line_end is None:
            return None
        at = line_end.end()
    return found


def is_printable(text: str) -> bool:
    """Bytes are compared ten times as fast as characters."""
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw.translate(None, CONTROL_BYTES)) == len(raw)
