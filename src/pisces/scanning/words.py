"""NearWords near which a detector searches, with tokens that show quickly that a page has none of them."""

from __future__ import annotations

import re

from pisces.value import Value

_PIECE = re.compile(r"[a-z0-9]{1,99}")
_STEM = 3


class Word(Value):
    """`text` is in lower case. A page with this text has all its `tokens`: words of letters and digits, and stems."""

    text: str
    tokens: frozenset[bytes]


class NearWords(tuple[Word, ...]):
    """`keys` has a token of every word, so that one look shows that a page has none; None if a word has no token."""

    keys: frozenset[bytes] | None


def words(*texts: str) -> NearWords:
    """A text that ends in `*` may be the beginning of a longer word; others begin and end at word boundaries."""
    found = NearWords(_word(text) for text in texts)
    keys = [max(each.tokens, key=len, default=None) for each in found]
    found.keys = None if None in keys else frozenset(key for key in keys if key is not None)
    return found


def _word(text: str) -> Word:
    if not text.endswith("*"):
        return Word(text, frozenset(piece.encode() for piece in _PIECE.findall(text)))
    text = text[:-1]
    *before, last = _PIECE.findall(text) or [""]
    is_open = text.endswith(last)  # what follows may belong to the same word
    end = last if not is_open else stem(last.encode()).decode() if len(last) >= _STEM else ""
    known = [*before[1:], end] if end else before
    return Word(text, frozenset(piece.encode() for piece in known if piece))


def stem(token: bytes) -> bytes:
    """The beginning of a word, written as no word is."""
    return token[:_STEM] + b"*"
