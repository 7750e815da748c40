"""Where the entries of one session are written to and read from: its file, its long texts, its lock; or memory.

Writing never raises. What the disk refuses waits in memory, and is said once.
"""

from __future__ import annotations

import os
import weakref
from itertools import chain

from pisces.agent.transcript_context import branch_lines, branch_to
from pisces.agent.transcript_entry import entry_of, line_of
from pisces.agent.transcript_lines import FileLines, MemoryLines, make_private
from pisces.agent.transcript_places import LOCK, SUFFIX
from pisces.agent.transcript_rules import TRANSCRIPT_CUT, TRANSCRIPT_UNWRITTEN
from pisces.agent.transcript_texts import INLINE, StoredTexts
from pisces.agent.transcript_totals import store_index, tally_of
from pisces.diagnostics import NOTE, PiscesError
from pisces.disk import disk_fault
from pisces.file_lock import held_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from pisces.agent.transcript_context import BranchLine
    from pisces.agent.transcript_entry import TranscriptEntry
    from pisces.agent.transcript_totals import TranscriptTally, TranscriptTotals
    from pisces.diagnostics import Diagnostic

_TEXTS = "texts"


class TranscriptStore:
    """`path` is empty for one in memory. `source` is the folder of the session that it is a fork of."""

    def __init__(self, path: str, source: str = "") -> None:
        self.path, self.folder = path, path.removesuffix(SUFFIX)
        self._lines = FileLines(path) if path else MemoryLines()
        before = os.path.join(source, _TEXTS) if source else ""
        self._texts = StoredTexts(os.path.join(self.folder, _TEXTS), before) if path else None
        self._lock: Callable[[], object] | None = None
        self._is_failing = False
        self._report: Callable[[Diagnostic], None] | None = None
        self._unheard: list[Diagnostic] = []

    def report_to(self, report: Callable[[Diagnostic], None]) -> None:
        self._report = report
        for each in self._unheard:
            report(each)
        self._unheard.clear()

    def say(self, problem: Diagnostic) -> None:
        if self._report is None:
            self._unheard.append(problem)
        else:
            self._report(problem)

    def hold(self, entry: TranscriptEntry) -> None:
        """To be written with the next entry."""
        self._lines.hold(line_of(entry))

    def hold_line(self, line: bytes) -> None:
        """The same for a line of another session, which has no end."""
        self._lines.hold(line + b"\n")

    def write(self, entry: TranscriptEntry, before: Callable[[], Iterable[TranscriptEntry]]) -> None:
        """`before` are entries to begin with, where somebody removed the file."""
        if self._texts is not None and self._lock is None:
            self.take_lock()
            self._texts.take_over()
        error = self._lines.append(self._line(entry))
        self._note(error)
        if isinstance(error, FileNotFoundError) and isinstance(self._lines, FileLines) and self._lines.is_made:
            self._note(self._lines.begin_again(map(self._line, before())))

    def _line(self, entry: TranscriptEntry) -> bytes:
        """Long texts are taken out; where they cannot be written, they stay in the line, which waits in memory."""
        line = line_of(entry)
        if self._texts is None or len(line) <= INLINE:
            return line
        whole = entry_of(line.rstrip(b"\n"))
        try:
            return line if whole is None else line_of(entry.replace(fields=self._texts.taken_from(whole.fields)))
        except OSError:
            return line

    def _note(self, error: OSError | None) -> None:
        if error is not None and not self._is_failing:
            fault = disk_fault(error, self.path, TRANSCRIPT_UNWRITTEN)
            message = f"{fault.message}; the session goes on in memory, and is written as soon as that is possible"
            self.say(fault.replace(message=message))
        elif error is None and self._is_failing:
            message = "the session is written again, with what was only in memory"
            self.say(TRANSCRIPT_UNWRITTEN.at(self.path, message).replace(severity=NOTE))
        self._is_failing = error is not None

    def look(self) -> None:
        """For a file that is there. Raises `OSError`."""
        if isinstance(self._lines, FileLines):
            self._lines.look()

    def newest_first(self) -> Iterator[TranscriptEntry]:
        return filter(None, map(entry_of, self._lines.newest_first()))

    def oldest_first(self) -> Iterator[TranscriptEntry]:
        lines = chain.from_iterable(batch for batch, _ in self._lines.batches())
        return filter(None, map(entry_of, lines))

    def branch_to(self, leaf: str) -> Iterator[TranscriptEntry]:
        """Backwards."""
        return branch_to(leaf, self._lines.newest_first)

    def branch_lines(self, leaf: str) -> Iterator[BranchLine]:
        """The same, not parsed."""
        return branch_lines(leaf, self._lines.newest_first)

    def whole(self, entry: TranscriptEntry) -> Mapping[str, Any]:
        """The fields of an entry with all of their texts."""
        return entry.fields if self._texts is None else self._texts.put_back(entry.fields)

    def tally(self) -> TranscriptTally:
        return tally_of(self._lines, self.path, self.folder)

    def store_index(self, totals: TranscriptTotals) -> None:
        if isinstance(self._lines, FileLines) and self._lines.is_made and not self._is_failing:
            store_index(self.path, self.folder, self._lines.size, totals)

    def say_if_cut(self) -> None:
        if isinstance(self._lines, FileLines) and self._lines.is_torn:
            message = "its last line was cut off, by a crash or a full disk; the session goes on behind it"
            self.say(TRANSCRIPT_CUT.at(self.path, message))

    def take_lock(self) -> bool:
        """Whether no other process has it. A disk on which nothing can be locked does not stop a session."""
        try:
            make_private(self.folder)
            handle = held_lock(os.path.join(self.folder, LOCK))
        except OSError:
            return True
        except PiscesError:
            return False
        self._lock = weakref.finalize(self, os.close, handle)
        return True

    def close(self) -> None:
        """What waits in memory is tried a last time, and the lock is free."""
        if self._is_failing and isinstance(self._lines, FileLines):
            self._note(self._lines.try_again())
        if self._lock is not None:
            self._lock()
        self._lock = None
