"""The whole conversation with all that tools said, to scroll and search. Read from its end, as far as needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.agent.transcript_pieces import ANSWER, CALL, FAILED, IMAGE, NOTE, RESULT, THINKING, USER, pieces
from pisces.ui.terminal.choices import LEAVES
from pisces.ui.terminal.drawn import exact_rows, one_row, prose_rows
from pisces.ui.terminal.typed_line import TypedLine
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.agent.transcript import Transcript
    from pisces.agent.transcript_entry import TranscriptEntry
    from pisces.agent.transcript_pieces import TranscriptPiece
    from pisces.ui.terminal.themes import Palette

MOST_ROWS = 500_000
_MOST_OF_A_PIECE = 2_000_000  # characters
_STEPS = {"j": "down", "k": "up", " ": "pagedown", "b": "pageup", "g": "home", "G": "end"}
_KEYS = "up down pgup pgdn · / searches, n older, N newer · q leaves"
_MEANINGS = {USER: "bold", THINKING: "dim", CALL: "dim", RESULT: "text", FAILED: "bad", IMAGE: "dim", NOTE: "warn"}


class TranscriptRow(Value):
    text: str
    meaning: str = "text"


class TranscriptRows:
    """The rows of a conversation from its end: row 0 is the last one. What nobody scrolls to is not read."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._entries = transcript.newest()
        self._read: list[TranscriptEntry] = []
        self._rows: list[TranscriptRow] = []
        self._width = 0
        self.is_whole = False

    def wrap(self, width: int) -> None:
        """For another width, what was read is cut into rows anew."""
        if width == self._width:
            return
        self._width = width
        self._rows = [row for entry in self._read for row in self._of(entry)]

    def known(self, count: int) -> Sequence[TranscriptRow]:
        """At least so many rows, if there are so many."""
        while len(self._rows) < count and not self.is_whole:
            entry = next(self._entries, None)
            if entry is None or len(self._rows) > MOST_ROWS:
                self.is_whole = True
            else:
                self._read.append(entry)
                self._rows += self._of(entry)
        return self._rows

    def _of(self, entry: TranscriptEntry) -> list[TranscriptRow]:
        """From the last one to the first."""
        rows = [row for each in pieces(entry.kind, self._transcript.whole(entry)) for row in _rows(each, self._width)]
        return rows[::-1]


def _rows(piece: TranscriptPiece, width: int) -> Iterator[TranscriptRow]:
    meaning = _MEANINGS.get(piece.what, "text")
    text = piece.text[:_MOST_OF_A_PIECE].expandtabs(4)
    yield TranscriptRow("")
    if piece.what in (USER, ANSWER, THINKING, NOTE):
        start = "> " if piece.what == USER else ""
        for row in prose_rows(text, width, " " * len(start)):
            yield TranscriptRow(start + row[len(start) :], meaning)
            start = " " * len(start)
        return
    title = {CALL: "● {}", RESULT: "{} said", FAILED: "{} failed", IMAGE: "an image, {}"}[piece.what]
    yield TranscriptRow(one_row(title.format(piece.title), width), "accent" if piece.what == CALL else meaning)
    for row in () if piece.what == IMAGE else exact_rows(text, width, "  "):
        yield TranscriptRow(row, meaning)
    if len(piece.text) > _MOST_OF_A_PIECE:
        yield TranscriptRow(one_row(f"  … and {len(piece.text) - _MOST_OF_A_PIECE:,} characters", width), "dim")


class TranscriptPanel:
    """A page. It begins at the end."""

    def __init__(self, transcript: Transcript, palette: Palette) -> None:
        self._rows, self._palette = TranscriptRows(transcript), palette
        self._below = 0  # rows under the window
        self._height = 1
        self._term: TypedLine | None = None
        self._found = self._said = ""
        self.is_done = False

    def lines(self, width: int, height: int) -> Sequence[str]:
        self._height = max(height - 1, 1)
        self._rows.wrap(max(width, 1))
        rows = self._rows.known(self._below + self._height)
        self._below = max(0, min(self._below, len(rows) - self._height))
        part = rows[self._below : self._below + self._height][::-1]
        return [*map(self._painted, part), self._foot(width, len(rows))][-height:]

    def _painted(self, row: TranscriptRow) -> str:
        is_found = bool(self._found) and self._found in row.text.lower()
        return self._palette.paint(row.text, "warn" if is_found else row.meaning)

    def _foot(self, width: int, count: int) -> str:
        if self._term is not None:
            return one_row(f"/{self._term.text}", width)
        where = f"{count - self._below} of {count}" if self._rows.is_whole else f"{self._below} lines below"
        return self._palette.paint(one_row(" · ".join(filter(None, (self._said, where, _KEYS))), width), "dim")

    def key(self, key: str, text: str) -> None:
        self._said = ""
        if self._term is not None:
            self._type(self._term, key, text)
        elif key in LEAVES or key == "c-o" or text == "q":
            self.is_done = True
        elif text == "/":
            self._term = TypedLine()
        elif text in ("n", "N"):
            self._search(older=text == "n")
        else:
            self._move(key or _STEPS.get(text, ""))

    def _type(self, term: TypedLine, key: str, text: str) -> None:
        if key in LEAVES:
            self._term = None
        elif key == "enter":
            self._term, self._found = None, term.text.strip().lower()
            self._search(older=True)
        else:
            term.key(key, text)

    def _move(self, key: str) -> None:
        page = max(self._height - 1, 1)
        steps = {"up": 1, "down": -1, "pageup": page, "pagedown": -page, "home": MOST_ROWS, "end": -MOST_ROWS}
        self._below = max(0, self._below + steps.get(key, 0))

    def _search(self, *, older: bool) -> None:
        """Moves so that the row is the last of the window."""
        if not self._found:
            return
        at = self._older() if older else self._newer()
        self._said = "" if at >= 0 else f"no more `{self._found}`"
        self._below = at if at >= 0 else self._below

    def _older(self) -> int:
        at = self._below + 1 if self._below else 0
        while len(rows := self._rows.known(at + 1)) > at:
            if self._found in rows[at].text.lower():
                return at
            at += 1
        return -1

    def _newer(self) -> int:
        rows = self._rows.known(self._below)
        return next((at for at in range(self._below - 1, -1, -1) if self._found in rows[at].text.lower()), -1)
