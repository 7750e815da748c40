"""The edit distance of two words, for hints about misspelled names."""

from __future__ import annotations


def distance(one: str, other: str) -> int:
    """The number of single-character edits between two words. Costs the product of their lengths."""
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, 1):
        before, row[0] = row[0], index
        for place, against in enumerate(other, 1):
            cost = min(row[place] + 1, row[place - 1] + 1, before + (letter != against))
            before, row[place] = row[place], cost
    return row[-1]
