"""Splits a typed line into words. No input is an error, so no function here raises.

`split_words` splits as a POSIX shell does, without variables, globs and operators. An unclosed quote is an ordinary
character, because people write `it's`. `plain_words` splits as pi and omp do.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"""'[^']*'|"(?>(?:[^"\\]|\\.)*)"|\\.|\s+|.""", re.DOTALL)
_ESCAPED_IN_QUOTES = re.compile(r'\\(["\\$`])|\\\n')
_PLAIN = re.compile(r"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^"' \t])+""")
_PLAIN_QUOTES = re.compile(r""""([^"]*)"?|'([^']*)'?""")


def split_words(text: str) -> list[str]:
    """`fix "the bug" a\\ b` has three words; `""` is an empty one."""
    words: list[str] = []
    word: str | None = None
    for token in _TOKEN.findall(text):
        if token.isspace():
            if word is not None:
                words.append(word)
            word = None
        else:
            word = (word or "") + _meant(token)
    return words if word is None else [*words, word]


def plain_words(text: str) -> list[str]:
    """Splits at blanks and tabs outside quotes. An unclosed quote extends to the end of the line."""
    held = (_PLAIN_QUOTES.sub(lambda quote: quote[1] or quote[2] or "", word) for word in _PLAIN.findall(text))
    return [word for word in held if word]


def _meant(token: str) -> str:
    if len(token) == 1:
        return token
    if token[0] == "'":
        return token[1:-1]
    if token[0] == '"':
        return _ESCAPED_IN_QUOTES.sub(r"\1", token[1:-1])
    return "" if token == "\\\n" else token[1]
