"""Compares what Host did with what the real program did: equal, stricter by one of our rules, or looser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.hook_cases.session import Played

EQUAL, LOOSER, OTHER_INPUT = "equal", "looser", "another input"
_STRICT = {
    "allow": 0,
    "ran": 0,
    "no match": 1,
    "asked": 1,
    "ask_user": 1,
    "prompt": 2,
    "denied": 3,
    "deny": 3,
    "not run": 3,
    "forbidden": 3,
    "never reached": 3,
    "load error": 3,
}


def stricter(rule: int) -> str:
    return f"stricter by rule {rule}" if rule else "stricter by no rule"


def compared_word(recorded: str, ours: str, rule: int) -> str:
    if _STRICT[ours] == _STRICT[recorded]:
        return EQUAL
    return stricter(rule) if _STRICT[ours] > _STRICT[recorded] else LOOSER


def compared_calls(recorded: Sequence[Mapping[str, Any]], played: Sequence[Played], rule: int) -> str:
    """`rule` is that of whatever ended the session before a call."""
    words = []
    for number, each in enumerate(recorded):
        ours = played[number] if number < len(played) else None
        word = compared_word(each["verdict"], ours.verdict if ours else "never reached", ours.rule if ours else rule)
        if word == EQUAL and ours and _ran_otherwise(each, ours):
            word = OTHER_INPUT
        if ours and each["verdict"] == "ran" and each.get("told") == ours.told and ours.ran_with is None:
            word = EQUAL  # the tool itself refused, with the same words
        words.append(word)
    if any(_STRICT[each.verdict] == 0 for each in played[len(recorded) :]):
        words.append(LOOSER)
    return next((word for word in (LOOSER, OTHER_INPUT) if word in words), next(filter(_is_stricter, words), EQUAL))


def _is_stricter(word: str) -> bool:
    return word.startswith("stricter")


def _ran_otherwise(recorded: Mapping[str, Any], ours: Played) -> bool:
    """A row has no input where nobody could watch the tool."""
    seen = recorded["ran_with"]
    return isinstance(seen, dict) and ours.ran_with is not None and seen != ours.ran_with


def is_told_the_same(recorded: Sequence[Mapping[str, Any]], played: Sequence[Played]) -> bool:
    """Of calls that came to the same end. Rows have 400 characters at most."""
    return not list(_told_otherwise(recorded, played))


def told_by(recorded: Sequence[Mapping[str, Any]], played: Sequence[Played]) -> int:
    """The rule of ours by which the model is told something else of a call that came to the same end; 0 for none."""
    return next((ours.told_by for ours in _told_otherwise(recorded, played)), 0)


def _told_otherwise(recorded: Sequence[Mapping[str, Any]], played: Sequence[Played]) -> Iterator[Played]:
    for each, ours in zip(recorded, played, strict=False):
        if each["verdict"] == ours.verdict and not _same_text(each.get("told"), ours.told):
            yield ours


def _same_text(recorded: Any, ours: Any) -> bool:
    first, second = str(recorded), str(ours)
    return first == second or (len(first) >= _CUT and second.startswith(first[:_CUT]))


_CUT = 380
