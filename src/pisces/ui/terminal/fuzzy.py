"""Which names fit what was typed: the beginning of it, a part of it, or its letters in their order."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_TYPED = 64
_MOST_RANKED = 5000  # a letter or two fit nearly every name: those near the top of the workspace are ranked then
_ENOUGH = 20  # names with the typed text in them: then names with its letters alone are not looked for


class FoldedNames(Value):
    """Names with the same in small letters, made once: there may be a hundred thousand."""

    names: tuple[str, ...]
    folded: tuple[str, ...]


def folded_names(names: Iterable[str]) -> FoldedNames:
    given = tuple(names)
    return FoldedNames(given, tuple(map(str.lower, given)))


def fitting(typed: str, names: FoldedNames, most: int) -> list[str]:
    """The best ones, best first. Small and large letters are the same."""
    wanted = typed.lower()[:_MOST_TYPED]
    if not wanted:
        return list(names.names[:most])
    within = [(index, each) for index, each in enumerate(names.folded) if wanted in each]
    if len(within) < min(most, _ENOUGH):
        seen = {index for index, _ in within}
        within += [(at, each) for at, each in enumerate(names.folded) if at not in seen and _has_letters(wanted, each)]
    within = within[:_MOST_RANKED]
    best = heapq.nsmallest(most, within, key=lambda one: (*_rank(wanted, one[1]), one[0]))
    return [names.names[index] for index, _ in best]


def _has_letters(wanted: str, name: str) -> bool:
    at = 0
    for letter in wanted:
        at = name.find(letter, at) + 1
        if not at:
            return False
    return True


def _rank(wanted: str, name: str) -> tuple[int, int]:
    """The whole name, its beginning, the beginning of its last part, of any word, anywhere; then the shortest."""
    last = name.rpartition("/")[2]
    kinds: Sequence[bool] = (
        name == wanted,
        name.startswith(wanted),
        last.startswith(wanted),
        any(f"{mark}{wanted}" in name for mark in "/:-_. "),
        wanted in last,
        wanted in name,
    )
    return (kinds.index(True) if True in kinds else len(kinds)), len(name)
