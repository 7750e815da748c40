"""A session as Markdown: what the user and the model wrote as it is, everything else in fences that it cannot leave."""

from __future__ import annotations

import re

from pisces.agent.transcript_pieces import ANSWER, CALL, FAILED, IMAGE, NOTE, RESULT, THINKING, USER, pieces
from pisces.formats.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.agent.transcript import Transcript
    from pisces.agent.transcript_entry import TranscriptEntry
    from pisces.agent.transcript_pieces import TranscriptPiece

_HEADINGS = {USER: "User", ANSWER: "Model", THINKING: "Thinking"}
_TOOLS = {CALL: "Call of", RESULT: "Result of", FAILED: "Failure of"}
_TICKS = re.compile("`+")


def markdown(transcript: Transcript) -> Iterator[str]:
    """In blocks, each with its line end."""
    totals = transcript.totals
    yield f"# {visible(totals.name or totals.first or 'A session')}\n\n"
    for label, value in session_facts(transcript):
        yield f"* {label}: {visible(value)}\n"
    yield from markdown_of(transcript, transcript.branch)


def session_facts(transcript: Transcript) -> Iterator[tuple[str, str]]:
    """What stands above a conversation."""
    totals = transcript.totals
    yield "session", transcript.id
    yield "workspace", totals.cwd
    if totals.model:
        yield "model", totals.model
    yield "messages", str(totals.messages)
    yield "tokens", f"{totals.usage.input:,} in, {totals.usage.output:,} out"
    if totals.cost:
        yield "cost", f"${totals.cost:.4f}"


def markdown_of(transcript: Transcript, entries: Iterable[TranscriptEntry]) -> Iterator[str]:
    """Speakers get a heading when they change."""
    last = ""
    for entry in entries:
        for piece in pieces(entry.kind, transcript.whole(entry)):
            yield _block(piece, last)
            last = piece.what


def _block(piece: TranscriptPiece, last: str) -> str:
    if piece.what == NOTE:
        quoted = "\n".join(f"> {line}".rstrip() for line in piece.text.split("\n"))
        return f"\n{quoted}\n"
    if piece.what == IMAGE:
        return f"\n*(an image, {visible(piece.title)})*\n"
    if piece.what in _TOOLS:
        return f"\n### {_TOOLS[piece.what]} {_code(visible(piece.title))}\n\n{_fenced(piece)}"
    if piece.what == THINKING:
        return f"\n### Thinking\n\n{_fenced(piece)}"
    heading = "" if piece.what == last else f"\n## {_HEADINGS[piece.what]}\n"
    return f"{heading}\n{piece.text}\n"


def _code(text: str) -> str:
    ticks = "`" * (_longest_ticks(text) + 1)
    space = " " if "`" in text else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _fenced(piece: TranscriptPiece) -> str:
    fence = "`" * max(3, _longest_ticks(piece.text) + 1)
    return f"{fence}{'json' if piece.what == CALL else 'text'}\n{piece.text}\n{fence}\n"


def _longest_ticks(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)
