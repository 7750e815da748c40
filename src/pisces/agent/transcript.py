"""A session on disk: one JSON object a line, appended and never rewritten, so that nothing is lost by a crash.

Only the messages that the model gets are in memory. Everything else is read from the file when somebody asks.
"""

from __future__ import annotations

import os
import time

from pisces.agent.compaction_entry import conversation
from pisces.agent.message_json import json_of_message, message_of_json
from pisces.agent.transcript_context import as_read, context_entries, entries_in, whole_conversation
from pisces.agent.transcript_entry import (
    COMPACTION as COMPACTION,
    CUSTOM as CUSTOM,
    INTERRUPTED,
    LABEL as LABEL,
    LEAF,
    MESSAGE as MESSAGE,
    NAMED,
    SESSION,
    SUBAGENT,
    VERSION,
    TranscriptEntry as TranscriptEntry,
    entry_of,
    is_id,
)
from pisces.agent.transcript_partial import add_partial, drop_partial, partial_after
from pisces.agent.transcript_places import found_session, id_in, is_of_here, new_path, workspace_folder
from pisces.agent.transcript_rules import NO_ENTRY, SESSION_ELSEWHERE, SESSION_IN_USE
from pisces.agent.transcript_store import TranscriptStore
from pisces.agent.transcript_totals import TranscriptTally
from pisces.diagnostics import PiscesError
from pisces.disk import disk_fault
from pisces.shapes.message import BY_MODEL, ChatMessage, TextPart
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from pisces.agent.transcript_context import BranchLine
    from pisces.agent.transcript_totals import TranscriptTotals
    from pisces.diagnostics import Diagnostic
    from pisces.models.wire import Usage
    from pisces.places import Places

_AGENTS = "agents"
_LONGEST_NAME = 200
_UNKNOWN_WINDOW = 1_000_000  # tokens
_READ_SHARE = 1.5  # of the window, as far as tokens can be estimated: what is longer fits in no case
_INDEX_EVERY = 500  # entries, so that little is counted again after a crash


class Transcript:
    """A session and the branch that is under way. `path` is empty for one that is only in memory."""

    def __init__(self, path: str, session_id: str, source: str = "") -> None:
        """`source` is the folder of the session that this is a fork of."""
        self.path, self.id = path, session_id
        self._store = TranscriptStore(path, source)
        self.folder = self._store.folder
        self._leaf = ""
        self._first: Mapping[str, Any] = EMPTY
        self._messages: list[ChatMessage] | None = []
        self._tally: TranscriptTally | None = None
        self._most = int(_UNKNOWN_WINDOW * _READ_SHARE)
        self.is_cut = False  # whether `messages` are only the end of a conversation that fits into no window
        self._end: tuple[str, list[TranscriptEntry]] | None = None  # what was read of it, and up to which entry
        self._uncounted = 0  # entries that the index does not know

    def report_to(self, report: Callable[[Diagnostic], None]) -> None:
        """Who hears what is wrong with the file, from now on; at once what was wrong before."""
        self._store.report_to(report)

    def say(self, problem: Diagnostic) -> None:
        """Reports what is wrong with the file."""
        self._store.say(problem)

    def append(self, kind: str, fields: Mapping[str, Any]) -> TranscriptEntry:
        """Written at once. What the disk refuses is said once, and is written with a later entry."""
        entry = self._made(kind, fields)
        self._write(entry)
        if kind == MESSAGE and self._messages is not None:
            self._messages.extend(_message_in(fields))
        return entry

    def append_message(self, message: ChatMessage, facts: Mapping[str, Any]) -> TranscriptEntry:
        """`facts` are about the message: usage, cost, model."""
        entry = self._made(MESSAGE, {**facts, "message": json_of_message(message)})
        self._write(entry)
        if self._messages is not None:
            self._messages.append(message)
        return entry

    def add_partial(self, text: str, *, is_first: bool) -> None:
        """A piece of the answer that grows behind the last entry. It counts only where that answer is never stored."""
        if self.path:
            add_partial(self.folder, self._leaf, text, is_first=is_first)

    def drop_partial(self) -> None:
        if self.path:
            drop_partial(self.folder)

    def _partial(self) -> TranscriptEntry | None:
        """The answer that grew when the process that wrote it was killed."""
        text = partial_after(self.folder, self._leaf)
        message = ChatMessage(BY_MODEL, (TextPart(text),))
        fields = {"stop": INTERRUPTED, "message": json_of_message(message)}
        return self._made(MESSAGE, fields) if text.strip() else None

    def _made(self, kind: str, fields: Mapping[str, Any]) -> TranscriptEntry:
        return TranscriptEntry(kind, os.urandom(8).hex(), self._leaf, round(time.time(), 3), fields)

    def _write(self, entry: TranscriptEntry) -> None:
        self._store.write(entry, lambda: self._all_in_memory(entry.parent))
        self._leaf = _leaf_after(entry)
        if entry.kind in (LEAF, COMPACTION):
            self._messages = self._end = None
        if self._tally is not None:
            self._tally.add(entry)
            self._uncounted += 1
        if self._uncounted >= _INDEX_EVERY:
            self._store_index()

    def _all_in_memory(self, last: str) -> Iterator[TranscriptEntry]:
        """The conversation as the model knows it, ending with an entry of this id."""
        ids = [*(os.urandom(8).hex() for _ in self._messages or ()), last]
        fields = (self._first, *({"message": json_of_message(each)} for each in self._messages or ()))
        for at, each in enumerate(fields):
            parent, kind = (ids[at - 1], MESSAGE) if at else ("", SESSION)
            yield self._made(kind, each).replace(id=ids[at], parent=parent)

    def read_for(self, window: int) -> None:
        """How many tokens the model reads, 0 if nobody knows: what is far beyond that is not read from the file."""
        most = int((window or _UNKNOWN_WINDOW) * _READ_SHARE)
        if self.is_cut and most > self._most:
            self._messages = self._end = None
        self._most = most

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """What a model gets: all messages since the last compaction, after its summary; fewer if they `is_cut`."""
        if self._messages is None:
            self._messages = list(whole_conversation(conversation(self.context, as_read)))
        return tuple(self._messages)

    @property
    def is_begun(self) -> bool:
        """Whether anything was said in it."""
        return bool(self._messages) or any(
            each.kind == MESSAGE.encode() for each in self._store.branch_lines(self._leaf)
        )

    @property
    def is_interrupted(self) -> bool:
        """Whether it ends with an answer that was cut."""
        last = next((each for each in self.newest() if each.kind == MESSAGE), None)
        return last is not None and last.fields.get("stop") == INTERRUPTED

    @property
    def context(self) -> list[TranscriptEntry]:
        """Messages and compactions of the branch, as far back as a compaction needs them. The field `message` of each
        message is a `ChatMessage`.
        """
        if self._end is None or self._end[0] != self._leaf:
            lines = self._store.branch_lines(self._leaf)
            found = context_entries(entries_in(lines), self.whole, self._most, lines)
            self.is_cut = bool(found) and not found[-1].id
            self._end = (self._leaf, found) if self.is_cut else None
            return found
        return self._end[1]

    @property
    def entries(self) -> tuple[TranscriptEntry, ...]:
        """All of the file, of every branch, oldest first. Read each time."""
        return tuple(self.each_entry())

    def each_entry(self) -> Iterator[TranscriptEntry]:
        """The same one by one, for files that are larger than memory."""
        return self._store.oldest_first()

    @property
    def branch(self) -> tuple[TranscriptEntry, ...]:
        """From the first entry to the one that is under way."""
        return tuple(self.newest())[::-1]

    def newest(self) -> Iterator[TranscriptEntry]:
        """The branch backwards: the last screen comes first, however long the file is."""
        return self._store.branch_to(self._leaf)

    def newest_messages(self) -> Iterator[ChatMessage]:
        """What was said on the branch, backwards, also before a compaction. Reads no further than it is asked."""
        for entry in self.newest():
            if entry.kind == MESSAGE:
                yield from _message_in(self.whole(entry))

    def whole(self, entry: TranscriptEntry) -> Mapping[str, Any]:
        """The fields of an entry with all of their texts."""
        return self._store.whole(entry)

    @property
    def leaf(self) -> str:
        """The id of the entry that the next one follows."""
        return self._leaf

    @property
    def head(self) -> Mapping[str, Any]:
        """The fields of the first line."""
        return self._first

    @property
    def totals(self) -> TranscriptTotals:
        if self._tally is None:
            self._tally = self._store.tally()
        return self._tally.totals

    @property
    def name(self) -> str:
        return self.totals.name

    @property
    def usage(self) -> Usage:
        return self.totals.usage

    @property
    def cost(self) -> float | None:
        return self.totals.cost

    def set_name(self, name: str) -> None:
        """One short line."""
        self.append(NAMED, {"name": " ".join(name.split())[:_LONGEST_NAME]})

    def walk(self, entry_id: str) -> None:
        """The next entry follows this one: another branch begins, and nothing is lost of the one that was left."""
        self._need(entry_id)
        self.append(LEAF, {"to": entry_id})

    def _need(self, entry_id: str) -> None:
        if not self._has(entry_id):
            raise PiscesError(NO_ENTRY.at(self.path, f"this session has no entry `{entry_id}`"))

    def _has(self, entry_id: str) -> bool:
        return next(self._store.branch_to(entry_id), None) is not None

    def fork(self, entry_id: str = "") -> Transcript:
        """A session of its own that begins with this branch, up to an entry or to its end."""
        last = entry_id or self._leaf
        if entry_id:
            self._need(entry_id)
        path = new_path(os.path.dirname(self.path)) if self.path else ""
        made = Transcript(path, id_in(path) or os.urandom(8).hex(), self.folder)
        made.begin({**self.head, "from": {"session": self.id, "entry": last}})
        for each in reversed(list(self._store.branch_lines(last))):
            if each.kind != SESSION.encode():
                made._hold(each)
        made._messages = made._tally = None
        return made

    def _hold(self, line: BranchLine) -> None:
        """Of another session. Only where it follows something else than before it is parsed."""
        entry = entry_of(line.line) if line.parent.decode() != self._leaf else None
        if entry is not None:
            self._store.hold(entry.replace(parent=self._leaf))
        else:
            self._store.hold_line(line.line)
        self._leaf = line.id.decode()

    def begin(self, fields: Mapping[str, Any]) -> None:
        """The first line. It is written with the second one: a session in which nothing was said leaves no file."""
        entry = self._made(SESSION, {**fields, "version": VERSION, "session": self.id})
        self._store.hold(entry)
        self._first, self._leaf, self._tally = entry.fields, entry.id, TranscriptTally()
        self._tally.add(entry)

    def subagent(self, agent: str, facts: Mapping[str, Any]) -> Transcript:
        """The transcript of a subagent: a file of its own beside this one, named by an entry here."""
        path = new_path(os.path.join(self.folder, _AGENTS)) if self.path else ""
        made = Transcript(path, id_in(path) or os.urandom(8).hex())
        made.begin({**self.head, "agent": agent, "of": self.id})
        self.append(SUBAGENT, {**facts, "agent": agent, "session": made.id, "file": os.path.basename(path)})
        return made

    def go_to_end(self) -> None:
        """The branch that was under way when the last line was written. Raises `OSError`."""
        self._store.look()
        leaves = ((each, _leaf_after(each)) for each in self._store.newest_first())
        self._leaf = next((leaf for each, leaf in leaves if each.kind != LEAF or self._has(leaf)), "")
        first = next(self.each_entry(), None)
        self._first = first.fields if first is not None and first.kind == SESSION else EMPTY
        self._messages = self._tally = None

    def resume(self) -> bool:
        """Goes on where the file ends. False if another process has it open: then it must not be written to."""
        if not self._store.take_lock():
            return False
        self.go_to_end()  # again: another process may have written while it held the lock
        self._store.say_if_cut()
        partial = self._partial()
        if partial is not None:
            self._write(partial)
            self.drop_partial()
        return True

    def read(self) -> None:
        """To look at: nothing is locked or written. Raises `OSError`."""
        self.go_to_end()
        partial = self._partial()
        if partial is not None:
            self._store.hold(partial)
            self._leaf = partial.id

    def close(self) -> None:
        """Another process may go on with the session."""
        self._store.close()
        if self._uncounted:
            self._store_index()

    def _store_index(self) -> None:
        self._uncounted = 0
        self._store.store_index(self.totals)


def _leaf_after(entry: TranscriptEntry) -> str:
    """Empty for an entry that points to nothing."""
    to = entry.fields.get("to") if entry.kind == LEAF else entry.id
    return to if isinstance(to, str) and is_id(to) else ""


def _message_in(fields: Mapping[str, Any]) -> list[ChatMessage]:
    try:
        return [message_of_json(fields.get("message", EMPTY))]
    except ValueError:
        return []


def new_transcript(places: Places) -> Transcript:
    """A session that begins now, in this workspace. Its file is made when something is said."""
    return _begun(new_path(workspace_folder(places)), places)


def memory_transcript(places: Places) -> Transcript:
    """The same without a file."""
    return _begun("", places)


def _begun(path: str, places: Places) -> Transcript:
    made = Transcript(path, id_in(path) or os.urandom(8).hex())
    made.begin({"cwd": places.cwd})
    return made


def read_transcript(path: str) -> Transcript:
    """To look at, see `Transcript.read`. Raises `OSError`."""
    os.stat(path)
    made = Transcript(path, id_in(path))
    made.read()
    return made


def open_transcript(reference: str, places: Places) -> Transcript:
    """To go on with a session: `last`, its name, the beginning of its id, or a path. Raises `PiscesError` if there is
    none. One that another process has open is forked, and a session of another workspace is resumed here; both is said.
    """
    path = found_session(reference, places)
    try:
        made = read_transcript(path)
        if not made.resume():
            return _forked(made)
    except OSError as error:
        raise PiscesError(disk_fault(error, path)) from None
    if not is_of_here(path, places):
        message = f"this session was in `{made.head.get('cwd')}`; what it says about files is about those"
        made.say(SESSION_ELSEWHERE.at(path, message))
    return made


def _forked(made: Transcript) -> Transcript:
    forked = made.fork()
    message = (
        f"another process has session `{made.id}` open; this goes on as `{forked.id}`, with all that was said so far"
    )
    forked.say(SESSION_IN_USE.at(made.path, message))
    return forked
