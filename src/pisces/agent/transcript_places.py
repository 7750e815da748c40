"""Where sessions are: `sessions/WORKSPACE/TIME_ID.jsonl` in the agent folder, and which one somebody means."""

from __future__ import annotations

import hashlib
import os
import stat
import time

from pisces.agent.transcript_lines import FileLines
from pisces.agent.transcript_rules import NO_SESSION, SESSION_AMBIGUOUS, SESSION_IN_USE
from pisces.agent.transcript_totals import tally_of
from pisces.atomic import remove_tree
from pisces.diagnostics import PiscesError
from pisces.file_lock import is_held
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.agent.transcript_totals import TranscriptTotals
    from pisces.places import Places

SUFFIX = ".jsonl"
LAST = "last"
LOCK = "lock"  # in the folder beside a session's file
_LONGEST_NAME = 60
_FEW = 5


class StoredSession(Value):
    """A session's file. `changed` is when it was last written to, by the clock of the disk."""

    path: str
    changed: float

    @property
    def id(self) -> str:
        return id_in(self.path)

    @property
    def totals(self) -> TranscriptTotals:
        """Raises `OSError`."""
        return tally_of(FileLines(self.path).look(), self.path, self.path.removesuffix(SUFFIX)).totals


def sessions_folder(places: Places) -> str:
    return os.path.join(places.agent_dir, "sessions")


def workspace_folder(places: Places) -> str:
    """Named for the workspace, so that people find it; the hash tells apart what would have the same name."""
    plain = "".join(each if each.isascii() and (each.isalnum() or each in "-_.") else "-" for each in places.cwd)
    digest = hashlib.sha256(places.cwd.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    name = f"{plain[-_LONGEST_NAME:].strip('-.') or 'root'}-{digest}"
    return os.path.join(sessions_folder(places), name)


def new_path(folder: str) -> str:
    """The time is for people; nothing depends on it."""
    return os.path.join(folder, f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}_{os.urandom(8).hex()}{SUFFIX}")


def id_in(path: str) -> str:
    """Empty for a path that is empty."""
    return os.path.basename(path).removesuffix(SUFFIX).rpartition("_")[2]


def is_of_here(path: str, places: Places) -> bool:
    return os.path.dirname(os.path.abspath(path)) == workspace_folder(places)


def sessions_here(places: Places) -> list[StoredSession]:
    """Of this workspace, the newest first."""
    return _newest_first(_files_in(workspace_folder(places)))


def all_sessions(places: Places) -> list[StoredSession]:
    """Of every workspace, the newest first."""
    top = sessions_folder(places)
    return _newest_first(each for name in _names_in(top) for each in _files_in(os.path.join(top, name)))


def _newest_first(found: Iterable[StoredSession]) -> list[StoredSession]:
    return sorted(found, key=lambda each: (each.changed, each.path), reverse=True)


def _files_in(folder: str) -> Iterator[StoredSession]:
    for name in _names_in(folder):
        path = os.path.join(folder, name)
        try:
            status = os.lstat(path)
        except OSError:
            continue
        if name.endswith(SUFFIX) and stat.S_ISREG(status.st_mode):
            yield StoredSession(path, status.st_mtime)


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def found_session(reference: str, places: Places) -> str:
    """The path of the session that is meant. Raises `PiscesError` if there is none, or more than one."""
    here = sessions_here(places)
    if reference in ("", LAST):
        if not here:
            raise PiscesError(NO_SESSION.at(places.cwd, "there is no session in this workspace yet"))
        return here[0].path
    if reference.endswith(SUFFIX) and os.path.isfile(places.absolute(reference)):
        return places.absolute(reference)
    found = _meant(reference, here) or _with_id(reference, all_sessions(places))
    if not found:
        hint = "`pisces sessions list --all` has every session"
        raise PiscesError(NO_SESSION.at("", f"there is no session `{reference}`", hint=hint))
    if len(found) > 1:
        ids = ", ".join(each.id for each in found[:_FEW])
        message = f"`{reference}` may be one of {len(found)} sessions"
        raise PiscesError(SESSION_AMBIGUOUS.at("", message, hint=f"write more of an id: {ids}"))
    return found[0].path


def _meant(reference: str, sessions: list[StoredSession]) -> list[StoredSession]:
    return _with_id(reference, sessions) or [each for each in sessions if _name_of(each) == reference]


def _with_id(reference: str, sessions: list[StoredSession]) -> list[StoredSession]:
    exact = [each for each in sessions if each.id == reference]
    return exact or [each for each in sessions if each.id.startswith(reference)]


def delete_session(path: str) -> None:
    """The file and what is stored beside it. Raises `PiscesError` if another process has the session open."""
    folder = path.removesuffix(SUFFIX)
    if is_held(os.path.join(folder, LOCK)):
        raise PiscesError(SESSION_IN_USE.at(path, "another process has this session open", hint="end it first"))
    os.unlink(path)
    remove_tree(folder)


def _name_of(session: StoredSession) -> str:
    try:
        return session.totals.name
    except OSError:
        return ""
