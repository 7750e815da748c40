"""The frame against a terminal of pyte: it changes its own lines and nothing else."""

from __future__ import annotations

import random

import pyte
import pytest

from pisces.ui.terminal.box_text import box_lines
from pisces.ui.terminal.cells import cells, clipped, rows_of
from pisces.ui.terminal.frame import Frame


class Paper:
    """A terminal that counts what is written."""

    def __init__(self, columns: int = 20, rows: int = 8) -> None:
        self.screen = pyte.HistoryScreen(columns, rows, history=1000)
        self._stream = pyte.Stream(self.screen)
        self.written = 0

    def write(self, text: str) -> None:
        self.written += len(text)
        self._stream.feed(text)

    @property
    def lines(self) -> list[str]:
        columns = range(self.screen.columns)
        above = ["".join(line[at].data for at in columns).rstrip() for line in self.screen.history.top]
        return [*above, *(line.rstrip() for line in self.screen.display)]


def test_only_what_changed_is_written() -> None:
    paper = Paper()
    frame = Frame(paper.write)
    frame.draw(["rule", "> text", "status"], (1, 6), 20)
    before = paper.written
    frame.draw(["rule", "> text", "status"], (1, 6), 20)
    assert paper.written == before
    frame.draw(["rule", "> textx", "status"], (1, 7), 20)
    assert paper.written - before < 70
    assert paper.lines[:3] == ["rule", "> textx", "status"]
    assert (paper.screen.cursor.y, paper.screen.cursor.x) == (1, 7)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_printed_stays_and_the_frame_is_below_it(seed: int) -> None:
    source = random.Random(seed)
    paper = Paper()
    frame = Frame(paper.write)
    printed: list[str] = []
    for step in range(60):
        lines = [f"frame {source.randint(0, 3)}" for _ in range(source.randint(1, 6))]
        caret = (source.randrange(len(lines)), source.randint(0, 7))
        if source.random() < 0.4:
            new = [f"printed {step}.{number}" for number in range(source.randint(1, 12))]
            frame.print("\n".join(new), lines, caret, 20)
            printed += new
        else:
            frame.draw(lines, caret, 20)
        shown = paper.lines
        while shown and not shown[-1]:
            shown.pop()
        assert shown == [*printed, *lines]
        row = len(shown) - len(lines) + caret[0] - len(paper.screen.history.top)
        assert (paper.screen.cursor.y, paper.screen.cursor.x) == (row, caret[1])


def test_colours_are_cut_and_broken_without_losing_them() -> None:
    line = "\x1b[31mabc漢字\x1b[0mdef"
    assert cells(line) == 10
    assert clipped(line, 4) == "\x1b[31mabc\x1b[0m"
    assert [cells(row) for row in rows_of(line, 4)] == [3, 4, 3]
    assert all(row.startswith("\x1b[31m") for row in list(rows_of(line, 4))[:2])


@pytest.mark.parametrize("width", [1, 2, 3, 5, 20, 80])
@pytest.mark.parametrize("height", [1, 2, 6])
def test_the_caret_is_always_inside_the_box(width: int, height: int) -> None:
    text = "one 漢字漢字 three\n\tfour\x1b[31m five\n\n" + "x" * 50 + "e\u0301👩‍👩‍👧"
    for cursor in range(len(text) + 1):
        box = box_lines(text, cursor, width, height)
        assert len(box.lines) <= height
        assert 0 <= box.row < len(box.lines)
        assert 0 <= box.column < width
        assert all("\x1b" not in line for line in box.lines)
        assert all(cells(line) <= width for line in box.lines)
