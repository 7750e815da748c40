"""The beginning of a conversation that is far longer than a model reads: its messages are not parsed, but for the
user's own words. It stands for them as a compaction does, until there is a summary; the file has everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.agent.compaction_cut import most_words, tokens_of_words, words_of_user
from pisces.agent.compaction_entry import Compaction, compaction_of, standing
from pisces.agent.message_json import message_of_json
from pisces.agent.transcript_entry import COMPACTION, MESSAGE, TranscriptEntry, entry_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pisces.agent.transcript_context import BranchLine

_NOT_READ = "The conversation is longer than what is read of it: this is its end. What came before has no summary yet."
_MESSAGE, _COMPACTION = MESSAGE.encode(), COMPACTION.encode()
_BY_USER, _RESULT = b'"role": "user"', b'"type": "result"'  # in a text their quotes would have backslashes


def beginning_of(
    newest: Sequence[TranscriptEntry],
    rest: Iterable[BranchLine],
    whole: Callable[[TranscriptEntry], Mapping[str, Any]],
    most: int,
) -> TranscriptEntry:
    """A compaction in place of `rest`. `newest` is what was read, the newest first; its last message counts as gone, so
    that the compaction has something to stand for. The id is empty: nobody can undo it.
    """
    *stays, gone = (each for each in newest if each.kind == MESSAGE)
    made = _Beginning(newest, whole, most_words(most))
    made.add_words(words_of_user(gone.fields["message"]))
    for each in rest:
        made.add(each)
        if made.end == each.id:
            break
    before = made.before or Compaction()
    summary = "\n\n".join(filter(None, (before.summary, _NOT_READ)))
    compaction = before.replace(
        summary=summary,
        first=stays[-1].id,
        words=(*before.words, *reversed(made.words)),
        left_out=before.left_out + made.left_out,
        tokens=0,
    )
    return TranscriptEntry(COMPACTION, "", stays[-1].id, 0.0, compaction.as_json())


class _Beginning:
    """Hears of lines, the newest first."""

    def __init__(
        self, newest: Sequence[TranscriptEntry], whole: Callable[[TranscriptEntry], Mapping[str, Any]], room: int
    ) -> None:
        found = standing(newest[::-1])
        self.before = found[1] if found else None
        self.words: list[str] = []
        self.left_out = 0
        self._whole, self._room = whole, room
        self._undone = {compaction_of(each.fields).undone for each in newest if each.kind == COMPACTION}

    @property
    def end(self) -> bytes | None:
        """The entry before which all is in the summary of a compaction."""
        return self.before.first.encode() if self.before is not None else None

    def add(self, line: BranchLine) -> None:
        if line.kind == _MESSAGE:
            if _BY_USER in line.line and _RESULT not in line.line:
                self._add_message(line)
        elif line.kind == _COMPACTION and self.before is None:
            self._add_compaction(line)

    def _add_compaction(self, line: BranchLine) -> None:
        entry = entry_of(line.line)
        if entry is None:
            return
        compaction = compaction_of(self._whole(entry))
        self._undone.add(compaction.undone)
        if not compaction.undone and entry.id not in self._undone:
            self.before = compaction

    def _add_message(self, line: BranchLine) -> None:
        """Parsed only as long as there is room."""
        if self._room > 0:
            self.add_words(_words_in(line, self._whole))
        else:
            self.left_out += 1

    def add_words(self, words: str) -> None:
        """The last ones, as many as fit. The rest is only counted."""
        self._room -= tokens_of_words(words) if words else 0
        if words and (self._room > 0 or not self.words):
            self.words.append(words)
        else:
            self.left_out += bool(words)


def _words_in(line: BranchLine, whole: Callable[[TranscriptEntry], Mapping[str, Any]]) -> str:
    entry = entry_of(line.line)
    try:
        return words_of_user(message_of_json(whole(entry)["message"])) if entry is not None else ""
    except (ValueError, KeyError):
        return ""
