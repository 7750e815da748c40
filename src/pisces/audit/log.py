"""Appends records to the audit log. Nothing here raises: a log that cannot be written never stops the work.

Each record is one line and one write to a file that is opened for appending, so several processes can write at once and
a crash loses nothing that was written. What could not be written is reported once, and the next record that can be
written says how many are missing before it.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from errno import ENOSPC
from time import gmtime, sleep, strftime, time_ns

from pisces.audit.log_file import NotALog, OpenLog, identity_of, is_set_aside, open_log, status_of
from pisces.audit.record import AuditRecord, ErrorRecord, JudgedRecord
from pisces.audit.shortened import MOST_TEXT, Secrets, all_texts, shortened
from pisces.by_name import export_of
from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.formats.json_text import ascii_json
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from pisces.audit.reading import Logged
    from pisces.shapes.verdict import Judged

AUDIT_NOT_WRITTEN = Rule("audit-not-written", WARNING, "The audit log cannot be written")

MOST_BYTES = 5 * 1024 * 1024
MOST_LINE = 16 * 1024
_OVER = 1.5  # a file may be so much larger where it cannot be renamed at once
_WAIT = 0.02
_MOST_WAITS = 100
_LEAST_TEXT = 50
_MOST_PATH = 1_000


class AuditOptions(Value):
    """`workspace` and `session` are in every record; `secrets` are values that are masked wherever they occur.

    Without a session, a new one is made up. A file of `most_bytes` is set aside and a new one begun.
    """

    workspace: str = ""
    session: str = ""
    secrets: tuple[str, ...] = ()
    most_bytes: int = MOST_BYTES


class AuditLog:
    """The log at `path`; an empty path means that there is none. `report` gets one diagnostic if writing fails."""

    def __init__(
        self,
        path: str,
        options: AuditOptions | None = None,
        report: Callable[[Diagnostic], None] | None = None,
    ) -> None:
        options = options or AuditOptions()
        self.path = path
        self.session = options.session or os.urandom(6).hex()
        self.problem: Diagnostic | None = None
        self._most_bytes = options.most_bytes
        self._secrets = Secrets(options.secrets)
        self._workspace = self._secrets.masked(options.workspace[:_MOST_PATH])
        self._report = report
        self._lock = allocate_lock()
        self._open: OpenLog | None = None
        self._is_closed = False
        self._lost = 0
        self._second = (0, "")

    def write(self, record: AuditRecord) -> None:
        if not self.path:
            return
        try:
            line = self._line(record)
            with self._lock:
                self._append(line)
        except NotALog as error:
            self._fail(AUDIT_NOT_WRITTEN.at(self.path, f"nothing is written: {error}", hint=_HINT))
        except OSError as error:
            self._fail(export_of("pisces", "disk", "disk_fault")(error, self.path, AUDIT_NOT_WRITTEN))
        except Exception as error:  # noqa: BLE001  # details may hold values of others, whose `str` can raise anything
            self._fail(AUDIT_NOT_WRITTEN.at(self.path, f"a record cannot be written out: {type(error).__name__}"))

    def judged(self, judged: Judged) -> None:
        """The `record` of `gates/judge.py`."""
        if not self.path:
            return
        try:
            record = export_of("pisces.audit", "judged_record", "record_of")(judged)
        except Exception:  # noqa: BLE001  # an input may hold values of others, which can raise anything
            verdict = judged.verdict
            record = JudgedRecord(judged.request.KIND, "", _UNWRITTEN, verdict.decision, verdict.who, verdict.why)
        self.write(record)

    def records(self, last: int = 0) -> Iterator[Logged | Diagnostic]:
        """What is in the log, oldest first; `last` is how many of the newest, 0 means all."""
        found: Iterator[Logged | Diagnostic] = export_of("pisces.audit", "reading", "records")(self.path, last)
        return found

    def hide(self, *secrets: str) -> None:
        """From now on these values are masked too."""
        self._secrets.add(secrets)

    def close(self) -> None:
        """Nothing waits to be written. What is written later opens the file once more, for one record."""
        with self._lock:
            self._is_closed = True
            self._close_file()

    def _line(self, record: AuditRecord) -> bytes:
        head = {"at": self._now(), "session": self.session, "workspace": self._workspace, "what": record.WHAT}
        details = record.details()
        texts = all_texts(details)
        if texts and not self._secrets.may_be_in(texts):
            line = ascii_json({**head, **details})
            if len(line) < MOST_LINE:
                return line.encode("ascii") + b"\n"
        return self._fitted(head, details).encode("ascii") + b"\n"

    def _fitted(self, head: Mapping[str, str], details: Mapping[str, Any]) -> str:
        """Masked, and shortened until it fits into a line."""
        most = MOST_TEXT
        while most > _LEAST_TEXT:
            line = ascii_json({**head, **shortened(details, self._secrets, most)})
            if len(line) < MOST_LINE:
                return line
            most //= 3
        return ascii_json({**head, "why": "the record is too long for a line"})

    def _now(self) -> str:
        """UTC with milliseconds."""
        milliseconds = time_ns() // 1_000_000
        second = milliseconds // 1000
        if self._second[0] != second:
            self._second = second, strftime("%Y-%m-%dT%H:%M:%S", gmtime(second))
        return f"{self._second[1]}.{milliseconds % 1000:03}Z"

    def _append(self, line: bytes) -> None:
        log = self._current(len(line))
        missing = self._missing() if self._lost else b""
        data = (b"\n" if log.is_torn else b"") + missing + line
        try:
            written = os.write(log.handle, data)
            if written != len(data):
                self._open = log.replace(is_torn=True)
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            self._lost = 0
            if log.is_torn:
                self._open = log.replace(is_torn=False)
        finally:
            if self._is_closed:
                self._close_file()

    def _missing(self) -> bytes:
        why = f"{self._lost} record{'s' if self._lost > 1 else ''} before this one could not be written"
        return self._line(ErrorRecord("audit", why=why))

    def _current(self, length: int) -> OpenLog:
        """The file that has the log's name now: another process may have set ours aside, or a user removed it."""
        status = status_of(self.path)
        log = self._open
        if log is None or status is None or identity_of(status) != log.identity:
            log = self._reopened()
            size = log.size
        else:
            size = status.st_size
        if size and size + length > self._most_bytes:
            log = self._next(log, size)
        return log

    def _next(self, log: OpenLog, size: int) -> OpenLog:
        if os.name == "nt":
            self._close_file()  # Windows renames no open file
        if is_set_aside(self.path, log.identity) or self._open is None:
            return self._reopened()
        if size <= self._most_bytes * _OVER:
            return log
        if self._is_set_aside_soon(log):
            return self._reopened()
        raise NotALog("it is full, and another process holds the lock for renaming it")

    def _is_set_aside_soon(self, log: OpenLog) -> bool:
        """Who renames may be slow on a busy machine: waits for it, but not once more after it was in vain."""
        for _ in range(0 if self._lost else _MOST_WAITS):
            sleep(_WAIT)
            if is_set_aside(self.path, log.identity):
                return True
        return False

    def _reopened(self) -> OpenLog:
        self._close_file()
        self._open = open_log(self.path)
        return self._open

    def _close_file(self) -> None:
        log, self._open = self._open, None
        if log is not None:
            os.close(log.handle)

    def _fail(self, problem: Diagnostic) -> None:
        self._lost += 1
        if self.problem is None:
            self.problem = problem
            if self._report is not None:
                self._report(problem)


_UNWRITTEN = "what would run cannot be written out"
_HINT = "name another file in PISCES_AUDIT, or `PISCES_AUDIT=off`"
