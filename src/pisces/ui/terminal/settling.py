"""A question that appears while somebody types must not take their typing for an answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 0.3


class Settling:
    """Until nobody has typed for `SECONDS` after the question was shown, keys answer nothing.

    What was typed meanwhile is in `typed`: it belongs into the input box. A question that the user has called for
    needs no `clock`: what is typed answers it. A letter that answers nothing begins a word: the letters that follow at
    once answer nothing either.
    """

    def __init__(self, clock: Callable[[], float] | None) -> None:
        self._clock = clock or time.monotonic
        self._last: float | None = None
        self._is_settled = clock is None
        self.is_word = False
        self.typed = ""

    def shown(self) -> None:
        if self._last is None:
            self._last = self._clock()

    def takes(self, text: str) -> bool:
        """Whether a key is typing that is no answer; a question that nobody has seen takes every key."""
        if self._is_settled:
            return False
        now = self._clock()
        if self._last is not None and now - self._last >= SECONDS:
            self._is_settled, self.is_word = True, False
            return False
        self._last = now if self._last is not None else None
        if not self.is_word:
            self.typed += text if text.isprintable() or text == "\n" else ""
        return True

    def word(self, text: str) -> None:
        """A key came that answers nothing."""
        if text and text.isprintable():
            self._is_settled, self.is_word, self._last = False, True, self._clock()
