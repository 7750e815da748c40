"""The fix for a key that has no effect: the one that was meant, where only its case or its hyphens differ."""

from __future__ import annotations

import re
from functools import lru_cache

from pisces.checking.fix import Fix, Spot
from pisces.checking.json_edits import member_at, members, removed, renamed

_NEAR = re.compile(r"did you mean `([^`]+)`\?")  # as `did_you_mean` says it

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


def respelled(word: str, known: Collection[str]) -> str:
    """The one known word with the same letters and digits, whatever their case; empty without one."""
    same = [each for each in known if _letters(each) == _letters(word) and each != word]
    return same[0] if len(same) == 1 else ""


def key_fix(spot: Spot, known: Collection[str]) -> Fix | None:
    """Renamed, or else removed. Neither is safe: it has an effect from then on, or somebody else reads it."""
    member = member_at(spot.text, spot.offset) if spot.offset >= 0 else None
    if member is None:
        return None
    own = respelled(member.name, known)
    if own and own not in _siblings(spot, member.start):
        return spot.fix(f"write `{own}`", renamed(spot.text, member, own), safe=False)
    near = _NEAR.fullmatch(spot.diagnostic.hint)
    if near:
        taken = near[1] in _siblings(spot, member.start)
        return None if taken else spot.fix(f"write `{near[1]}`", renamed(spot.text, member, near[1]), safe=False)
    return spot.fix(f"remove `{member.name}`", removed(spot.text, member), safe=False)


def _siblings(spot: Spot, start: int) -> frozenset[str]:
    """The names at the top where the member is one of them; elsewhere every name in the file, to be sure."""
    top, inside = _names(spot.text)
    return top if start in _starts(spot.text) else inside


@lru_cache(maxsize=4)
def _names(text: str) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(each.name for each in members(text)), frozenset(text.split('"')[1::2])


@lru_cache(maxsize=4)
def _starts(text: str) -> frozenset[int]:
    return frozenset(each.start for each in members(text))


def _letters(word: str) -> str:
    return "".join(char for char in word.lower() if char.isalnum())
