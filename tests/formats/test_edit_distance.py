"""The edit distance against its definition, and that words which are far apart are left early."""

from __future__ import annotations

from functools import cache

import pytest

from pisces.formats.edit_distance import distance

WORDS = ("", "a", "read_file", "read_files", "raed_file", "write_file", "Glob", "glob", "google_web_search")


@cache
def defined(one: str, other: str) -> int:
    if not one or not other:
        return len(one) + len(other)
    changed = defined(one[1:], other[1:]) + (one[0] != other[0])
    return min(changed, defined(one[1:], other) + 1, defined(one, other[1:]) + 1)


@pytest.mark.parametrize("most", [0, 3, 99])
def test_the_distance_is_exact_up_to_the_limit_and_above_it_beyond(most: int) -> None:
    for one in WORDS:
        for other in WORDS:
            found, true = distance(one, other, most), defined(one, other)
            assert found == true if true <= most else found > most, (one, other)
