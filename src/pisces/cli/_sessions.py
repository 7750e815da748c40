"""What the commands about sessions share: which session is meant, and how one is shown in a line."""

from __future__ import annotations

import time

from pisces.agent.transcript import read_transcript
from pisces.agent.transcript_places import all_sessions, found_session, sessions_here
from pisces.diagnostics import PiscesError
from pisces.disk import disk_fault
from pisces.ui.screen import visible
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.agent.transcript import Transcript
    from pisces.agent.transcript_places import StoredSession
    from pisces.agent.transcript_totals import TranscriptTotals
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places

SHORT_ID = 8  # characters; enough to tell sessions apart


class SessionRow(Value):
    session: StoredSession
    totals: TranscriptTotals

    @property
    def when(self) -> str:
        return moment(self.session.changed)

    @property
    def title(self) -> str:
        return visible(self.totals.name or self.totals.first or "(nothing was said)")

    def as_json(self) -> dict[str, Any]:
        totals = self.totals
        return {
            "id": self.session.id,
            "name": totals.name or None,
            "first": totals.first,
            "changed": self.session.changed,
            "began": totals.began,
            "messages": totals.messages,
            "cost": totals.cost,
            "usage": totals.usage.as_json(),
            "model": totals.model or None,
            "workspace": totals.cwd,
            "path": self.session.path,
        }


def moment(at: float) -> str:
    """In the time of this place; empty for a time that no clock shows."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
    except (OverflowError, ValueError, OSError):
        return ""


def add_session(parser: ArgumentParser) -> None:
    text = "the beginning of its id, its name, the path of its file, or `last`"
    parser.add_argument("session", metavar="SESSION", help=text)


def add_all(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="of every workspace, not only of this one")


def sessions_meant(arguments: Namespace, places: Places) -> list[StoredSession]:
    return all_sessions(places) if arguments.all else sessions_here(places)


def transcript_meant(reference: str, places: Places) -> Transcript:
    """To look at. Raises `PiscesError` if there is none, or if it cannot be read."""
    path = found_session(reference, places)
    try:
        return read_transcript(path)
    except OSError as error:
        raise PiscesError(unreadable(error, path)) from None


def unreadable(error: OSError, path: str) -> Any:
    fault = disk_fault(error, path)
    return fault.replace(message=f"cannot be read: {(error.strerror or str(error)).lower()}")
