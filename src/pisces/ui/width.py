"""How wide text is on a terminal, and how it is made to fit: folded at blanks, cut, or shortened as a path."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ASCII = frozenset(map(chr, range(128)))
_STYLE = "\x1b["
_FOLDER = "/"
_CUT = "…"


def is_narrow(text: str) -> bool:
    """Whether each character is one column. The mark of a text that was cut is the only other one in most tables."""
    return _STYLE not in text and (text.isascii() or text.replace(_CUT, "").isascii())


def width_of(text: str) -> int:
    """How many columns a terminal uses: none for styles and combining characters, two for wide ones."""
    if is_narrow(text):
        return len(text)
    text = _unstyled(text)
    width = len(text)
    if text.isascii():
        return width
    from unicodedata import category, east_asian_width  # a large table, needed for non-English text only

    for char in set(text).difference(_ASCII):
        is_combining = category(char) in ("Mn", "Me") or "\u1160" <= char <= "\u11ff"  # the vowels of Hangul
        width += text.count(char) * (-1 if is_combining else east_asian_width(char) in "WF")
    return width


def cut(text: str, width: int = 48) -> str:
    """The beginning that fits, with a mark where more was."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - 1:
        text = text[: min(len(text) - 1, max(width - 1, 0))] if len(text) > width else text[:-1]
    return text + _CUT


def folded(line: str, width: int, hang: int = 2) -> Iterator[str]:
    """A line as several that fit, each after the first one indented more.

    A word that fits nowhere stays where it is, and so does a long one at the end: a hash or a path behind its label.
    """
    if not width or (len(line) <= width and line.isascii()) or width_of(line) <= width:
        yield line
        return
    words = line.split(" ")
    blanks = next((at for at, word in enumerate(words) if word), 0)
    indent = " " * min(blanks + hang, width // 2)
    made = start = " " * min(blanks, width // 2)
    for at, word in enumerate(words[blanks:], blanks + 1):
        longer = made + word if made == start else f"{made} {word}"
        most = width // 2 if at == len(words) else width - len(indent)
        stays = width_of(word) > most and width_of(made) < width
        if made == start or stays or width_of(longer.rstrip()) <= width:
            made = longer
        else:
            yield made.rstrip()
            start, made = indent, indent + word
    yield made.rstrip()


def short_path(path: str, width: int) -> str:
    """A path without the folders in its middle, if it does not fit: its beginning says where, its end says what."""
    if width_of(path) <= width:
        return path
    parts = path.split(_FOLDER)
    for start in (2, 1):
        for end in range(start + 1, len(parts)):
            shorter = _FOLDER.join([*parts[:start], _CUT, *parts[end:]])
            if width_of(shorter) <= width:
                return shorter
    return cut(path, width)


def _unstyled(text: str) -> str:
    first, *rest = text.split(_STYLE)
    return first + "".join(part.partition("m")[2] for part in rest)


def broken(line: str, width: int) -> Iterator[str]:
    """Like `folded`, but a word that fits nowhere is broken too: no part begins further left than the line does."""
    blanks = len(line) - len(line.lstrip(" "))
    indent = " " * min(blanks + 4, width // 2)
    for part in folded(line, width, hang=4):
        while width and width_of(part) > width:
            at = _fitting(part, width)
            yield part[:at]
            part = indent + part[at:]
        yield part


def _fitting(text: str, width: int) -> int:
    """How many characters fit; at least one more than the indent, so that every step goes on."""
    most = len(text) - len(text.lstrip(" ")) + 1
    used = at = 0
    while at < len(text):
        if text.startswith(_STYLE, at):
            at = text.find("m", at) + 1 or len(text)
            continue
        used += width_of(text[at])
        if used > width:
            return max(at, most)
        at += 1
    return len(text)
