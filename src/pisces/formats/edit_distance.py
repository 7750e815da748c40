"""The edit distance of two words, for hints about misspelled names."""

from __future__ import annotations


def distance(one: str, other: str, most: int) -> int:
    """The number of single-character edits between two words, or any number above `most` if it is above that.

    Costs the product of their lengths, and much less for words that are far apart.
    """
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, 1):
        before, row[0] = row[0], index
        for place, against in enumerate(other, 1):
            cost = min(row[place] + 1, row[place - 1] + 1, before + (letter != against))
            before, row[place] = row[place], cost
        if min(row) > most:  # later rows have nothing less
            return most + 1
    return row[-1]
