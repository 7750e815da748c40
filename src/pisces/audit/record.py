"""What the audit log has records of: one class a kind. Fields that are empty are not written.

Fields hold what happened, to the letter. `AuditLog` masks secrets and shortens texts before it writes them.
"""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LOADED, REFUSED, JUDGED, RAN, HOOK = "loaded", "refused", "judged", "ran", "hook"
STARTED, ENDED, OFF, MODE, CHANGED, ERROR = "started", "ended", "off", "mode", "changed", "error"
WHATS = (LOADED, REFUSED, JUDGED, RAN, HOOK, STARTED, ENDED, OFF, MODE, CHANGED, ERROR)


class AuditRecord(Value):
    """`WHAT` is the kind of record. All of its fields are written, under their names."""

    WHAT = ""

    def details(self) -> dict[str, Any]:
        values = zip(self.__fields__, self.as_tuple(), strict=True)
        return {name: value for name, value in values if value or value == 0}


class LoadedRecord(AuditRecord):
    """Something that was found is in use now: a module, a hook, a server, a skill, a context file."""

    WHAT = LOADED

    kind: str
    name: str
    path: str = ""
    level: str = ""
    package: str = ""
    sha256: str = ""


class RefusedRecord(AuditRecord):
    """Something that was found or asked for is not used. `code` is that of the diagnostic which says why."""

    WHAT = REFUSED

    kind: str
    name: str
    path: str = ""
    level: str = ""
    package: str = ""
    code: str = ""
    why: str = ""


class JudgedRecord(AuditRecord):
    """What the gates said about one request. See `judged_record.py`. `changes` has who changed the request, in order.

    `agent` and `agent_id` are set where a subagent made it.
    """

    WHAT = JUDGED

    kind: str
    name: str
    text: str
    decision: str
    who: str = ""
    why: str = ""
    path: str = ""
    level: str = ""
    package: str = ""
    event: str = ""
    cwd: str = ""
    sha256: str = ""
    verdicts: tuple[Mapping[str, str], ...] = ()
    changes: tuple[str, ...] = ()
    agent: str = ""
    agent_id: str = ""


class RanRecord(AuditRecord):
    """A program, a tool, a command line or a command ran to its end. `exit` is its code, `signal` what ended it."""

    WHAT = RAN

    kind: str
    name: str
    text: str = ""
    exit: int | None = None
    signal: str = ""
    seconds: float | None = None
    why: str = ""
    agent: str = ""
    agent_id: str = ""


class HookRecord(AuditRecord):
    """A hook ran. `path` and `line` are where it is configured; `decision` is what its answer means."""

    WHAT = HOOK

    event: str
    path: str
    line: int | None = None
    text: str = ""
    exit: int | None = None
    seconds: float | None = None
    decision: str = ""
    why: str = ""
    name: str = ""


class StartedRecord(AuditRecord):
    """A session or a server began."""

    WHAT = STARTED

    kind: str
    name: str = ""
    text: str = ""
    path: str = ""


class EndedRecord(AuditRecord):
    WHAT = ENDED

    kind: str
    name: str = ""
    why: str = ""
    exit: int | None = None
    seconds: float | None = None


class OffRecord(AuditRecord):
    """Something was switched off, or not started because it is off. `who` is the switch."""

    WHAT = OFF

    kind: str
    name: str
    who: str
    text: str = ""
    why: str = ""


class ModeRecord(AuditRecord):
    """The approval mode changed. `who` changed it."""

    WHAT = MODE

    name: str
    before: str = ""
    who: str = ""


class ChangedRecord(AuditRecord):
    """What may run was changed by the user: a package was installed, a folder trusted. `act` is a past participle."""

    WHAT = CHANGED

    act: str
    kind: str
    name: str
    version: str = ""
    path: str = ""
    sha256: str = ""
    text: str = ""
    who: str = ""


class ErrorRecord(AuditRecord):
    """Something failed that nobody expected to fail."""

    WHAT = ERROR

    kind: str
    name: str = ""
    why: str = ""
    path: str = ""
    code: str = ""
