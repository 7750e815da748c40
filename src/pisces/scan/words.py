"""Words by which a detector finds the places it must look at, and what tells quickly that a page has none of them."""

from __future__ import annotations

import re

from pisces.value import Value

_PIECE = re.compile(r"[a-z0-9]{1,99}")


class Word(Value):
    """`text` is in lower case; `tokens` are the words of letters and digits in it, which a page must have."""

    text: str
    tokens: frozenset[bytes]


def words(*texts: str) -> tuple[Word, ...]:
    """A text that ends in `*` may be the beginning of a longer word; all others begin and end where words do."""
    return tuple(_word(text) for text in texts)


def _word(text: str) -> Word:
    if text.endswith("*"):
        return Word(text[:-1], frozenset())
    return Word(text, frozenset(piece.encode() for piece in _PIECE.findall(text)))
