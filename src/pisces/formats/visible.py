"""Text from a file, made safe to be shown."""

from __future__ import annotations

_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"


def visible(text: object) -> str:
    """Text from a file made safe for a terminal: control characters, and those that reorder text, become escapes.

    So do letters that look like blanks: a name could push the rest of its line out of sight with them.
    """
    text = str(text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char.isprintable() and not _is_blank(char) else _escape(char) for char in text)


def _is_blank(char: str) -> bool:
    """Printable by the Unicode tables, and nothing to be seen: fillers, joiners, marks that pick a variant.

    U+FE0F after a symbol asks for its colour, and stays.
    """
    return char in _BLANKS or "\ufe00" <= char <= "\ufe0d" or "\U000e0100" <= char <= "\U000e01ef"


def _escape(char: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    if char in named:
        return named[char]
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
