"""A model that makes the same calls again and again is caught: it is warned once, then the run ends.

A call whose result changes may be waiting for something, so it may be made four times as often. Calls that take turns
(read, grep, read, grep) count as the same calls.
"""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.shapes.message import CallPart, ResultPart

WARNED, ENDED = "warned", "ended"
WARNING = (
    "You have made the same call several times, with the same result. Do something else, or say what keeps you from "
    "going on. If you make it again and again, you are stopped."
)
_SAME, _OTHER = 4, 1  # what a repeated call counts, by whether its result is the same
_WARNS_AT, _ENDS_AT = 24, 48
_PERIOD = 4  # of answers that take turns


class Repeats:
    """Of one run."""

    def __init__(self) -> None:
        self._recent: deque[tuple[str, tuple[tuple[str, bool], ...]]] = deque(maxlen=_PERIOD)
        self._score = 0
        self._is_warned = False
        self.count = 0

    def after(self, calls: Sequence[CallPart], results: Sequence[ResultPart]) -> str:
        """WARNED when the model has to be warned, ENDED when it was and goes on, else an empty text."""
        made = json.dumps([(each.name, each.input, each.malformed) for each in calls], sort_keys=True, default=str)
        given = tuple((each.text, each.is_error) for each in results)
        if not any(made == earlier for earlier, _ in self._recent):
            self._score = self.count = 0
            self._is_warned = False
        else:
            self._score += _SAME if (made, given) in self._recent else _OTHER
            self.count += 1
        self._recent.append((made, given))
        if self._score >= _ENDS_AT:
            return ENDED
        if self._score >= _WARNS_AT and not self._is_warned:
            self._is_warned = True
            return WARNED
        return ""
