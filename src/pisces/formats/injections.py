"""Finds the injections of a Gemini prompt: a trigger, then counted braces. Quotes and escapes are ignored."""

from __future__ import annotations

import re

UNCLOSED = -1
_BRACE = re.compile(r"[{}]")


def injections(prompt: str, trigger: str) -> list[tuple[int, int]]:
    """Start and end of every `!{...}` or `@{...}`. An unclosed one ends the list, with `UNCLOSED` as its end."""
    found = []
    start = prompt.find(trigger)
    while start >= 0:
        end = _closed(prompt, start + len(trigger))
        found.append((start, end))
        start = prompt.find(trigger, end) if end != UNCLOSED else -1
    return found


def _closed(prompt: str, at: int) -> int:
    depth = 1
    for brace in _BRACE.finditer(prompt, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return UNCLOSED
