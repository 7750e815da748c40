"""What a whole session comes to: messages, tokens, cost, its name, how it began. All branches count: each was paid.

Counted once: an index beside the file says what was counted up to which byte, and only what was appended since is
read. An index that does not fit the file is not used.
"""

from __future__ import annotations

import json
import os
import zlib
from contextlib import suppress

from pisces.agent.message_json import message_of_json
from pisces.agent.transcript_entry import MESSAGE, MODEL, NAMED, SESSION, entry_of
from pisces.agent.transcript_lines import open_to_read
from pisces.audit.log_file import CAREFULLY, FILE_MODE
from pisces.formats.json import REFUSALS
from pisces.models.wire import Usage
from pisces.shapes.message import BY_USER, ResultPart
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.agent.transcript_entry import TranscriptEntry
    from pisces.agent.transcript_lines import TranscriptLines

INDEX = "index.json"
_VERSION = 1
_PLAIN = b'{"type": "message", '  # how our own lines of a message begin
_COUNTED = (b'"usage": ', b'"cost": ', b'"model": ')  # in a text their quotes would have backslashes
_MESSAGE = b', "message": {'
_WORDS = 200  # characters of the first message
_TAIL = 256  # bytes before the end of what was counted; they tell whether the file is still the same
_WORTH_STORING = 200  # lines


class TranscriptTotals(Value):
    """`cost` is in dollars, None where a price was not known. `first` are the user's first words, `model` the last.

    `began` is a time, by whatever the clock said.
    """

    session: str = ""
    cwd: str = ""
    name: str = ""
    first: str = ""
    model: str = ""
    messages: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0
    began: float = 0.0


class TranscriptTally:
    """Counts lines, each once."""

    def __init__(self, totals: TranscriptTotals = TranscriptTotals()) -> None:  # noqa: B008  # a value
        self._totals, self._last_id = totals, ""
        self._messages, self._cost = totals.messages, totals.cost
        self._usage = [*totals.usage.as_tuple()]

    @property
    def totals(self) -> TranscriptTotals:
        return self._totals.replace(messages=self._messages, cost=self._cost, usage=Usage(*self._usage))

    def add_line(self, line: bytes) -> None:
        """Of our own messages only the head is parsed, and that only if there is something to add up in it."""
        if line.startswith(_PLAIN) and self._totals.first:
            head, mark, message = line.partition(_MESSAGE)
            if mark and not _counts(message):
                line = head + b"}"
                if not _counts(head):
                    self._messages += 1
                    return
        entry = entry_of(line)
        if entry is not None:
            self.add(entry)

    def add(self, entry: TranscriptEntry) -> None:
        if entry.id == self._last_id:  # a line that was written again after a fault
            return
        self._last_id = entry.id
        if entry.kind == MESSAGE:
            self._messages += 1
        known = self._known(entry)
        if known:
            self._totals = self._totals.replace(**known)
        usage = entry.fields.get("usage")
        if isinstance(usage, dict) and usage:
            self._pay(usage, entry.fields.get("cost"))

    def _known(self, entry: TranscriptEntry) -> dict[str, Any]:
        """What an entry says about the whole session, as far as it is new."""
        fields, totals = entry.fields, self._totals
        if entry.kind == SESSION:
            return {"session": _text(fields.get("session")), "cwd": _text(fields.get("cwd")), "began": entry.at}
        if entry.kind == NAMED:
            return {"name": _text(fields.get("name"))}
        if entry.kind not in (MESSAGE, MODEL):
            return {}
        model = _text(fields.get("model"))
        known = {"model": model} if model and model != totals.model else {}
        is_first = entry.kind == MESSAGE and not totals.first
        return {**known, "first": _first_words(fields)} if is_first else known

    def _pay(self, usage: dict[str, Any], cost: object) -> None:
        """Whatever the entry is."""
        for at, number in enumerate(_numbers_in(usage)):
            self._usage[at] += number
        if self._cost is not None:
            self._cost = self._cost + cost if isinstance(cost, int | float) else None


def _counts(part: bytes) -> bool:
    return any(each in part for each in _COUNTED)


def _numbers_in(usage: dict[str, Any]) -> list[int]:
    """In the order of the fields of `Usage`."""
    numbers = (usage.get(name) for name in Usage.__fields__)
    return [number if type(number) is int else 0 for number in numbers]


def _first_words(fields: Mapping[str, Any]) -> str:
    try:
        message = message_of_json(fields.get("message", {}))
    except ValueError:
        return ""
    is_typed = message.role == BY_USER and not any(isinstance(part, ResultPart) for part in message.parts)
    return " ".join(message.text[: _WORDS * 2].split())[:_WORDS] if is_typed else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def tally_of(lines: TranscriptLines, path: str, folder: str) -> TranscriptTally:
    """Of all lines. `path` is empty for lines that are only in memory."""
    tally, start = _indexed(path, folder) if path else (TranscriptTally(), 0)
    counted, end, is_whole = 0, start, True
    for batch, offset in lines.batches(start):
        for line in batch:
            tally.add_line(line)
        is_whole = is_whole and (offset > end or not batch)
        counted, end = counted + len(batch), offset
    if path and is_whole and counted > _WORTH_STORING:
        store_index(path, folder, end, tally.totals)
    return tally


def store_index(path: str, folder: str, end: int, totals: TranscriptTotals) -> None:
    """Only to be quick next time: whatever prevents it does not matter."""
    fields = dict(zip(totals.__fields__, totals.as_tuple(), strict=True))
    with suppress(OSError, ValueError):
        index = {"version": _VERSION, "end": end, "tail": _tail(path, end), **fields, "usage": totals.usage.as_json()}
        aside = os.path.join(folder, f"{INDEX}.{os.getpid()}.new")
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | CAREFULLY, FILE_MODE)
        with open(handle, "wb") as file:
            file.write(json.dumps(index).encode())
        os.replace(aside, os.path.join(folder, INDEX))


def _indexed(path: str, folder: str) -> tuple[TranscriptTally, int]:
    try:
        with open_to_read(os.path.join(folder, INDEX)) as file:
            value = json.loads(file.read(1 << 16))
        is_same = isinstance(value, dict) and value.pop("version") == _VERSION
        end, tail = value.pop("end"), value.pop("tail")
        is_same = is_same and type(end) is int and end > 0 and tail == _tail(path, end)
        totals = TranscriptTotals(**{**value, "usage": Usage(*_numbers_in(value["usage"]))})
    except (*REFUSALS, OSError, KeyError, TypeError, AttributeError):
        return TranscriptTally(), 0
    return (TranscriptTally(totals), end) if is_same and _fits(totals) else (TranscriptTally(), 0)


def _fits(totals: TranscriptTotals) -> bool:
    defaults = TranscriptTotals().as_tuple()
    pairs = zip(totals.as_tuple(), defaults, strict=True)
    return all(value is None or isinstance(value, type(default) | int) for value, default in pairs)


def _tail(path: str, end: int) -> int:
    """Raises `OSError` or `ValueError` if the file has no such place."""
    with open_to_read(path) as file:
        file.seek(max(0, end - _TAIL))
        data = file.read(min(end, _TAIL))
    if len(data) < min(end, _TAIL):
        raise ValueError("the file is shorter")
    return zlib.crc32(data)
