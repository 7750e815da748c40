"""The card of a question in the live area: what would run, who asks, and the answers with their letters."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pisces.shapes.request import NO
from pisces.ui.terminal.card_lines import CardText, card_rows
from pisces.ui.terminal.cells import clipped
from pisces.ui.terminal.choices import LEAVES
from pisces.ui.terminal.consent_answers import CHANGE, EXPLAIN, INSTEAD, ConsentAnswer
from pisces.ui.terminal.drawn import Scroll, exact_rows, one_row, prose_rows
from pisces.ui.terminal.settling import Settling
from pisces.ui.terminal.typed_line import TypedLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pisces.ui.terminal.themes import Palette

_EVERY, _LASTING = "sad", "sa"  # answers that show what they store: where there is room, or at least these
_LEAST_BODY = 4  # rows of what would run that the answers leave room for
_TINY = 2  # rows, of which one says how many there are


def _nothing(_width: int, _palette: Palette) -> Iterator[str]:
    return iter(())


class ConsentPanel:
    """`answer` is what was chosen, None as long as nobody has. `typed` is what the user wrote with it.

    An answer that stores something can be chosen only after what it stores has been on the screen: where the card has
    no room for it, the letter shows that first, and the same letter again chooses it.
    """

    def __init__(
        self,
        card: CardText,
        answers: Sequence[ConsentAnswer],
        palette: Palette,
        explained: Callable[[], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._card, self._answers, self._palette, self._explained = card, tuple(answers), palette, explained
        self._scroll = Scroll()
        self._rows: tuple[int, list[str]] = (0, [])
        self._more: list[str] = []
        self._is_new = True
        self._looked_at: ConsentAnswer | None = None
        self._shown: frozenset[str] = frozenset()
        self._line: TypedLine | None = None
        self._typing: ConsentAnswer | None = None
        self.command = ""
        self.settling = Settling(clock)
        self.answer: ConsentAnswer | None = None
        self.typed = ""

    @property
    def is_done(self) -> bool:
        return self.answer is not None

    def close(self) -> None:
        """Nobody answers any more, which is a no."""
        self.answer = self.answer or ConsentAnswer("n", NO, "")

    def lines(self, width: int, height: int) -> Sequence[str]:
        self.settling.shown()
        width, height = max(width, 1), max(height, 1)
        foot = self._foot(width, height)
        body = self._body(width)
        if self._is_new and height - len(foot) <= _TINY:  # what would run rather than the question about it
            self._scroll.top = len(card_rows(CardText(self._card.title, _nothing, ()), width, self._palette))
        self._is_new = False
        shown = self._scroll.shown(body, max(height - len(foot), 0), self._palette)
        return [*(clipped(row, width) for row in shown), *foot[:height]]

    def _body(self, width: int) -> list[str]:
        if self._rows[0] != width:
            self._rows = width, card_rows(self._card, width, self._palette)
        more = [row for text in self._more for row in prose_rows(text, width)]
        if self._looked_at is not None:
            more = [row for text in self._looked_at.stores for row in exact_rows(text, width)]
        return [*more, *self._rows[1]] if self._looked_at is not None else [*self._rows[1], *more]

    def _foot(self, width: int, height: int) -> list[str]:
        if self._line is not None and self._typing is not None:
            hint = "enter sends it, esc goes back"
            rows = self._line.rows(width, 1, self._palette)
            return [self._palette.paint(one_row(f"{self._typing.label}: {hint}", width), "dim"), *rows]
        if self._looked_at is not None:
            hint = f"{self._looked_at.letter} stores this, esc goes back"
            return [self._palette.paint(one_row(hint, width), "warn")]
        for letters in (_EVERY, _LASTING):
            rows = [row for each in self._answers for row in self._answer_rows(each, width, letters)]
            if len(rows) + _LEAST_BODY <= height:
                self._shown = frozenset(letters)
                return rows
        self._shown = frozenset()
        short = [one_row(f"{each.letter}  {each.label}", width) for each in self._answers]
        if len(short) + _LEAST_BODY <= height:
            return short
        letters = " ".join(f"{each.letter}:{each.kind}" for each in self._answers)
        rows = list(prose_rows(letters, width))
        return rows if len(rows) + _TINY < height else [one_row("/".join(each.letter for each in self._answers), width)]

    def _answer_rows(self, answer: ConsentAnswer, width: int, letters: str) -> list[str]:
        """With what it stores, for these letters. A rule that stands above already is not written again."""
        rows = [one_row(f"{answer.letter}  {answer.label}", width)]
        above = next((each for each in self._answers if each.rules == answer.rules), answer)
        is_repeated = above is not answer and bool(answer.rules)
        same = "this rule" if len(answer.rules) == 1 else "these rules"
        stores = (same, *answer.stores[len(answer.rules) :]) if is_repeated else answer.stores
        for text in stores if answer.letter in letters else ():
            rows += (self._palette.paint(row, "dim") for row in exact_rows(text, width, "   "))
        return rows

    def key(self, key: str, text: str) -> None:
        if self._line is not None:
            self._typed(key, text)
        elif key in LEAVES and self.settling.is_word:
            self._leave()
        elif self._scroll.key(key) or self.settling.takes(text):
            return
        elif key in LEAVES:
            self._leave()
        else:
            self._letter(text)

    def _leave(self) -> None:
        if self._looked_at is not None:
            self._looked_at = None
        else:
            self.close()

    def _letter(self, text: str) -> None:
        found = next((each for each in self._answers if each.letter == text), None)
        if found is None or (self._looked_at is not None and found is not self._looked_at):
            self.settling.word(text)
            return
        if found.kind == EXPLAIN:
            self._more = [] if self._more else ["", *self._explained().split("\n")]
            self._scroll.top = len(self._rows[1]) + 1 if self._more else 0  # where it begins
        elif found.kind in (INSTEAD, CHANGE):
            self._typing, self._line = found, TypedLine(self.command if found.kind == CHANGE else "")
        elif found.stores and found is not self._looked_at and found.letter not in self._shown:
            self._looked_at, self._scroll.top = found, 0
        else:
            self.answer = found

    def _typed(self, key: str, text: str) -> None:
        assert self._line is not None
        if key in LEAVES:
            self._line = self._typing = None
        elif key == "enter":
            self.typed, self.answer = self._line.text, self._typing
        else:
            self._line.key(key, text)
