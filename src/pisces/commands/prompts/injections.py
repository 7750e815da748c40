"""A prompt cut into what its author wrote and what is to be put in: `!{...}` or `@{...}`, by counting braces."""

from __future__ import annotations

from pisces.formats.injections import UNCLOSED, injections
from pisces.formats.js_text import trimmed
from pisces.value import Value


class Piece(Value):
    """`written` as it stands in the prompt, from `start` on; `inside` is what an injection holds, None in text."""

    written: str
    start: int
    inside: str | None = None


class Unclosed(Exception):
    """An injection that begins at `start` and never ends."""

    def __init__(self, start: int) -> None:
        super().__init__(f"not closed: {start}")
        self.start = start


def pieces(text: str, trigger: str, start: int = 0) -> list[Piece]:
    """All of the text in order, without empty pieces; `start` is where the text stands in the whole prompt."""
    found = []
    last = 0
    for begin, end in injections(text, trigger):
        if end == UNCLOSED:
            raise Unclosed(start + begin)
        if begin > last:
            found.append(Piece(text[last:begin], start + last))
        found.append(Piece(text[begin:end], start + begin, trimmed(text[begin + len(trigger) : end - 1])))
        last = end
    if last < len(text):
        found.append(Piece(text[last:], start + last))
    return found
