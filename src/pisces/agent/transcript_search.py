"""Looks for a text in sessions, a line at a time: memory does not grow with what is searched."""

from __future__ import annotations

import re
from itertools import chain

from pisces.agent.transcript import read_transcript
from pisces.agent.transcript_entry import entry_of
from pisces.agent.transcript_lines import FileLines
from pisces.agent.transcript_pieces import IMAGE, pieces
from pisces.agent.transcript_texts import STORED
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.agent.transcript_pieces import TranscriptPiece

_AROUND = 60  # characters before and after what was found
_STORED = f'"{STORED}"'.encode()
_PLAIN = re.compile("[A-Za-z0-9 ]+")  # what stands in a line as it is, but for upper and lower case


class SearchHit(Value):
    """`before`, `found` and `after` are one line of text."""

    session: str
    entry: str
    at: float
    what: str
    title: str
    before: str
    found: str
    after: str


def hits_in(path: str, wanted: str) -> Iterator[SearchHit]:
    """One for each piece that has the text, whatever its case. Raises `OSError`."""
    transcript = read_transcript(path)
    pattern = re.compile(re.escape(wanted), re.IGNORECASE)
    rough = max(_PLAIN.findall(wanted), key=len, default="").lower().encode()
    for line in chain.from_iterable(batch for batch, _ in FileLines(path).look().batches()):
        if rough not in line.lower() and _STORED not in line:
            continue
        entry = entry_of(line)
        if entry is None:
            continue
        for piece in pieces(entry.kind, transcript.whole(entry)):
            if piece.what != IMAGE and (found := pattern.search(piece.text)):
                yield _hit(transcript.id, (entry.id, entry.at), piece, found)


def _hit(session: str, entry: tuple[str, float], piece: TranscriptPiece, found: re.Match[str]) -> SearchHit:
    start, end = found.span()
    before = " ".join(piece.text[max(0, start - _AROUND) : start].split("\n"))
    after = " ".join(piece.text[end : end + _AROUND].split("\n"))
    return SearchHit(session, *entry, piece.what, piece.title, before, piece.text[start:end], after)
