"""Text from files made safe for a page. Every name, path and message goes through here, and only into elements.

No text from a file is ever written into an attribute: then there is no quote to break out of and no address to fetch.
"""

from __future__ import annotations

from unicodedata import combining

from pisces.formats.masking import masked
from pisces.ui.screen import visible

LONGEST = 2000
_MOST_MARKS = 2  # accents on one letter that some language needs; hundreds of them cover the lines above and below


def text(value: object, longest: int = LONGEST) -> str:
    """As HTML. Characters that cannot be seen, or that reorder others, are shown by their numbers."""
    whole = str(value)
    left_off = len(whole) - longest
    made = "".join(f"<i>{part}</i>" if is_odd else _escaped(part) for part, is_odd in _parts(masked(whole[:longest])))
    return f"{made}<i>… {left_off:,} more characters</i>" if left_off > 0 else made


def plain(value: object) -> str:
    """The same without markup, for pictures: an element of HTML inside a picture would end it."""
    return "".join(_escaped(part) for part, _ in _parts(masked(str(value)[:LONGEST])))


def name(value: object) -> str:
    """A name between our own words: its direction of writing does not reorder them."""
    return f"<bdi>{text(value, 300)}</bdi>"


def code(value: object) -> str:
    """A path, a command line or a key."""
    return f"<code>{text(value)}</code>"


def prose(message: str) -> str:
    """A message of ours, in which code stands between backticks."""
    pieces = message[:LONGEST].split("`")
    if len(pieces) % 2 == 0:  # one backtick is left over: somebody's text has one
        return text(message)
    made = "".join(code(piece) if at % 2 else text(piece) for at, piece in enumerate(pieces))
    return made + (text(message[LONGEST:], 0) if len(message) > LONGEST else "")


def _escaped(plain: str) -> str:
    escaped = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace('"', "&quot;").replace("'", "&#39;")


def _parts(shown: str) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it stands for characters that are not as they seem."""
    if shown.isascii() and shown.isprintable():
        return [(shown, False)]
    parts: list[tuple[list[str], bool]] = []
    marks = 0
    for char in shown:
        marks = marks + 1 if combining(char) else 0
        is_odd = not char.isprintable() or marks > _MOST_MARKS
        if not parts or parts[-1][1] != is_odd:
            parts.append(([], is_odd))
        parts[-1][0].append(f"\\u{ord(char):04x}" if marks > _MOST_MARKS else visible(char))
    return [("".join(piece), is_odd) for piece, is_odd in parts]
