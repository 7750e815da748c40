"""Patterns in which `*` stands for any text and `?` for one character. Linear in the pattern times the text."""

from __future__ import annotations


def wildcard_matches(pattern: str, text: str) -> bool:
    """Whether the whole text fits. Only the last star is ever tried again, so nothing explodes."""
    at = star = mark = 0
    seen = False
    position = 0
    while position < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, mark, seen, at = at, position, True, at + 1
        elif at < len(pattern) and pattern[at] in ("?", text[position]):
            at, position = at + 1, position + 1
        elif seen:
            mark += 1
            at, position = star + 1, mark
        else:
            return False
    return all(char == "*" for char in pattern[at:])
