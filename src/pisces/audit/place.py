"""Where the log is: `~/.pisces/audit/log.jsonl`, or where `PISCES_AUDIT` says; `off` means nowhere.

It is beside the agent folder, not in it: a log alone must not look like something that the user has set up. If
`PI_CODING_AGENT_DIR` moves that folder, the log is in it, so that nothing is written to the usual place.
Only the environment of the process decides. No settings file of a project is read for it, and no `.env` file.
"""

from __future__ import annotations

import os

from pisces.audit.log import AuditLog, AuditOptions
from pisces.audit.shortened import secrets_in
from pisces.places import AGENT_DIR_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.diagnostics import Diagnostic
    from pisces.places import Places

AUDIT_VARIABLE = "PISCES_AUDIT"
_OFF = ("off", "0", "no", "false", "none")


def audit_path(places: Places) -> str:
    """The file of the log; empty where the user switched it off."""
    wanted = places.env.get(AUDIT_VARIABLE, "").strip()
    if wanted.lower() in _OFF:
        return ""
    if wanted:
        return places.absolute(wanted)
    folder = places.agent_dir if places.env.get(AGENT_DIR_VARIABLE) else os.path.join(places.home, ".pisces")
    return os.path.join(folder, "audit", "log.jsonl")


def audit_log(places: Places, report: Callable[[Diagnostic], None] | None = None, session: str = "") -> AuditLog:
    """The log of these places. It is opened when the first record is written."""
    options = AuditOptions(places.cwd, session, secrets_in(places.env))
    return AuditLog(audit_path(places), options, report)
