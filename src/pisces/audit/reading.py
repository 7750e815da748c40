"""Reads the audit log: the records of all its files, oldest first. Lines that are no records are counted."""

from __future__ import annotations

import os
import stat

from pisces.audit.log_file import CAREFULLY, identity_of, older_first, status_of
from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.files import MISSING, Unreadable, read_bytes
from pisces.formats.json import REFUSALS, scan
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

AUDIT_LINE = Rule("audit-line", WARNING, "Lines of the audit log are not records")
AUDIT_UNREADABLE = Rule("audit-unreadable", WARNING, "A file of the audit log cannot be read")

_FIRST = '{"at": '  # how every record begins; inside a text its quotes would have backslashes
_HEAD = ("at", "session", "workspace", "what")
_PIECE = 1 << 20


class Logged(Value):
    """A record as it is in the log. `details` has all other fields of its kind (see `record.py`)."""

    at: str
    session: str
    workspace: str
    what: str
    details: Mapping[str, Any] = EMPTY

    def text(self, name: str) -> str:
        """A detail as text; empty where there is none."""
        value = self.details.get(name)
        return value if isinstance(value, str) else "" if value is None else str(value)

    def as_json(self) -> dict[str, Any]:
        return {**{name: getattr(self, name) for name in _HEAD}, **self.details}


def records(path: str, last: int = 0) -> Iterator[Logged | Diagnostic]:
    """Oldest first; `last` is how many of the newest, 0 means all. Problems of a file come before its records."""
    files: list[list[Logged | Diagnostic]] = []
    wanted = last
    for name, data in _newest_first(path):
        if isinstance(data, Diagnostic):
            files.append([data])
            continue
        found, problems = records_in(data, name)
        files.append([*problems, *(found[-wanted:] if last else found)])
        wanted -= len(found)
        if last and wanted <= 0:
            break
    for each in reversed(files):
        yield from each


def records_in(data: bytes, path: str) -> tuple[list[Logged], list[Diagnostic]]:
    """The records in the content of a file. A last line without an end is one that a crash or a full disk cut off."""
    found: list[Logged] = []
    bad: list[int] = []
    lines = data.decode("ascii", "replace").split("\n")
    for number, line in enumerate(lines[:-1], 1):
        record, is_whole = _record_in(line)
        if record is not None:
            found.append(record)
        if not is_whole:
            bad.append(number)
    last, is_whole = _record_in(lines[-1])
    if last is not None and is_whole:
        found.append(last)
    return found, [_not_records(bad, path)] if bad else []


def _not_records(lines: list[int], path: str) -> Diagnostic:
    count = f"{len(lines)} lines are no records, this is the first" if len(lines) > 1 else "this line is no record"
    return AUDIT_LINE.at(path, count, place=(lines[0], 0))


def _record_in(line: str) -> tuple[Logged | None, bool]:
    """The record, and whether the line is that and nothing else. A record may stand behind one that was cut off."""
    record = _parsed(line)
    if record is not None or not line.strip():
        return record, True
    start = line.rfind(_FIRST)
    return (_parsed(line[start:]) if start > 0 else None), False


def _parsed(line: str) -> Logged | None:
    if not line.startswith("{"):
        return None
    try:
        value, end = scan(line, 0)
    except REFUSALS:
        return None
    if end != len(line.rstrip()) or not isinstance(value, dict):
        return None
    head = [value.pop(name, "") for name in _HEAD]
    if not all(isinstance(each, str) for each in head) or not head[0] or not head[3]:
        return None
    at, session, workspace, what = head
    return Logged(at, session, workspace, what, value)


def _newest_first(path: str) -> Iterator[tuple[str, bytes | Diagnostic]]:
    """Each file once. Newest first: one that is renamed while we read is seen under both names, and never missed."""
    seen: set[tuple[int, int]] = set()
    for name in reversed(older_first(path)):
        status = status_of(name)
        if status is None or identity_of(status) in seen:
            continue
        seen.add(identity_of(status))
        if os.path.islink(name):
            yield name, AUDIT_UNREADABLE.at(name, "is a symbolic link, and is not followed")
            continue
        try:
            yield name, read_bytes(name)
        except Unreadable as error:
            if error.kind != MISSING:
                yield name, AUDIT_UNREADABLE.at(name, error.message)


class LogTail:
    """The log as it grows, also while its files are renamed."""

    def __init__(self, path: str) -> None:
        """From the beginning of the oldest file: the first `news` is all that is there."""
        self._path = path
        self._rest = b""
        self._handle = next((handle for name in older_first(path) if (handle := self._opened(name)) >= 0), -1)

    def news(self) -> list[Logged]:
        """What was written since the last call."""
        data = self._rest + self._read()
        for name in self._newer():
            self.close()
            self._handle = self._opened(name)
            data += self._read()
        whole, end, self._rest = data.rpartition(b"\n")
        return records_in(whole + end, self._path)[0]

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
        self._handle = -1

    def _newer(self) -> list[str]:
        """The files that are newer than the one which is open, oldest first."""
        names = [
            name for name in older_first(self._path) if (status := status_of(name)) and stat.S_ISREG(status.st_mode)
        ]
        if self._handle < 0:
            return names[-1:]
        own = identity_of(os.fstat(self._handle))
        at = [index for index, name in enumerate(names) if (now := status_of(name)) and identity_of(now) == own]
        return names[at[-1] + 1 :] if at else names[-1:]

    def _read(self) -> bytes:
        parts = []
        while self._handle >= 0 and (part := os.read(self._handle, _PIECE)):
            parts.append(part)
        return b"".join(parts)

    def _opened(self, name: str) -> int:
        """A handle of a regular file; -1 for everything else."""
        status = status_of(name)
        if status is None or not stat.S_ISREG(status.st_mode):
            return -1
        try:
            return os.open(name, os.O_RDONLY | CAREFULLY)
        except OSError:
            return -1
