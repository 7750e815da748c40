"""The first and the last records of a host in the audit log: all that one writes which is opened and not used."""

from __future__ import annotations

from pisces.audit.log import AuditLog
from pisces.audit.place import audit_log
from pisces.audit.record import EndedRecord, LoadedRecord, OffRecord, StartedRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pisces.diagnostics import Diagnostic
    from pisces.host.options import HostOptions
    from pisces.modules.entry import ModuleEntry
    from pisces.places import Places

_SESSION = "session"
_MODULE = "module"  # as `shapes/request.py` has it, which is loaded with the first use of the host


class LogEnds:
    """Without a log, nothing is written and nothing fails."""

    def __init__(
        self, places: Places, options: HostOptions, session: str, report: Callable[[Diagnostic], None]
    ) -> None:
        self.log = audit_log(places, report, session) if options.is_audited else AuditLog("")
        self._mode = options.mode

    def begin(self, loaded: Iterable[ModuleEntry], off_by: str = "") -> None:
        """`off_by` is who switched everything off that was found; empty if nobody did."""
        self.log.write(StartedRecord(_SESSION, self._mode))
        if off_by:
            self.log.write(OffRecord(_SESSION, "everything that was found", off_by))
        for entry in loaded:
            self.log.write(LoadedRecord(_MODULE, entry.name, entry.path, entry.level, entry.package))

    def end(self, why: str = "") -> None:
        self.log.write(EndedRecord(_SESSION, "", why))
        self.log.close()
