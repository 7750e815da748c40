"""Clues: a pattern with the words near which it is searched. Detectors have tables of them."""

from __future__ import annotations

import re

from pisces.scanning.contexts import READ
from pisces.scanning.words import NearWords, words
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.scanning.page import Page


_AFTER = 420


class Clue(Value):
    """`what` completes "the file ...". A match begins at most `before` characters before one of the words."""

    what: str
    pattern: re.Pattern[str]
    words: NearWords
    before: int = 30


def clue(what: str, pattern: str, *near: str, flags: int = 0, before: int = 30) -> Clue:
    return Clue(what, re.compile(pattern, flags), words(*near), before)


def seen(page: Page, clues: tuple[Clue, ...]) -> Iterator[tuple[Clue, re.Match[str]]]:
    """Every place with a clue that is more than read."""
    tokens = page.tokens
    for each in clues:
        if each.words.keys is not None and each.words.keys.isdisjoint(tokens):
            continue  # as for most
        for found in page.matches((each.pattern,), each.words, before=each.before, after=_AFTER):
            if page.context(found.start()) != READ:
                yield each, found


def first(page: Page, clues: tuple[Clue, ...]) -> tuple[Clue, re.Match[str]] | None:
    return next(seen(page, clues), None)
