"""May this program run? Only as what was agreed to: its bytes, its entry in the manifest and its package's files.

A program of an installed package was agreed to with the package, as long as no file of the package has changed. Any
other program is asked about once, and again when anything of that changes. Files that the system says are untouched
(same device, inode, size and times) are not read again, so the usual call costs no hashing.
"""

from __future__ import annotations

from contextlib import suppress
from time import time_ns

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.gates.approvals import (
    MOST_COMPARED,
    ApprovedProgram,
    approvals_in,
    remember_files,
    remember_program,
    remembered_files,
)
from pisces.gates.content import in_a_line
from pisces.gates.folder_identity import folder_identity, settled
from pisces.gates.installed import installed_with, tree_as_agreed
from pisces.gates.judge import USER, Gate
from pisces.shapes.request import ONCE, SESSION, ProgramRequest, Request
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.places import Places
    from pisces.shapes.installed import Installed

AUTHOR = "author"  # wants every call confirmed
_CHANGED = "it changed since you allowed it"
_FIRST = "it never ran here before"
_CONTENT = "pisces.gates", "program_content"


class _Hashed(Value):
    """What was hashed for a question: the folder's identity before, and its files."""

    files: tuple[int, ...] = ()
    pins: Mapping[str, str] = EMPTY


class ProgramGates:
    """`gates` go into the list of gates: one finds the hash, one compares it, one asks where the author wants that."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._hashed_for: dict[str, _Hashed] = {}
        calls = (("approvals", self._hashed), ("approvals", self._approved), (AUTHOR, _wanted))
        self.gates = tuple(Gate(who, call, None) for who, call in calls)

    def answered(self, request: ProgramRequest, question: Verdict, answer: str, who: str = USER) -> Verdict:
        """The verdict that an answer to `question` stands for. What is allowed is remembered by its hash."""
        if question.who == AUTHOR:
            if answer == ONCE:
                return Verdict(ALLOW, who)
            return Verdict(DENY, who, "it was not confirmed", "a terminal asks; --yes before the command answers")
        if answer not in (ONCE, SESSION):
            accept = f"--accept sha256:{request.sha256}"
            hint = f"a terminal asks; {accept} before the command agrees to exactly this program{_with(request)}"
            since = f"; since you allowed it: {in_a_line(request.changes)}" if request.changes else ""
            return Verdict(DENY, who, f"it was not allowed{since}", hint)
        seen = self._hashed_for.get(request.sha256, _Hashed())
        if not self._is_as_shown(request, seen):
            return Verdict(DENY, who, "files of its package changed while you were asked", _AGAIN)
        allowed = ApprovedProgram(request.sha256, request.identity, "", seen.files, request.entry)
        remember_files(self._places, _key(request), seen.pins)
        remember_program(self._places, _key(request), allowed)
        return Verdict(ALLOW, who)

    def _hashed(self, request: Request) -> ProgramRequest | Verdict | None:
        if not isinstance(request, ProgramRequest) or request.is_named:
            return None
        before = approvals_in(self._places).programs.get(_key(request))
        if installed_with(request.program, self._places):
            is_known = before is not None and before.identity == request.identity
            sha256 = before.sha256 if before and is_known else _hash(request)
            return request.replace(sha256=sha256) if sha256 else Verdict(DENY, why=_MOVING, hint=_AGAIN)
        files = _untouched_since(request.folder) if request.folder else ()
        if before is not None and _is_untouched(before, request, files):
            return request.replace(sha256=before.sha256)
        return self._hashed_anew(request, before, files)

    def _hashed_anew(
        self, request: ProgramRequest, before: ApprovedProgram | None, files: tuple[int, ...]
    ) -> ProgramRequest | Verdict:
        try:
            content = export_of(*_CONTENT, "program_content")(request)
        except export_of("pisces.discovery", "pins", "TooManyFiles") as error:
            return Verdict(
                DENY, why=f"nobody can agree to all of it: {error}", hint="`--package` trusts it for one run"
            )
        if not content.sha256:
            return Verdict(DENY, why=_MOVING, hint=_AGAIN)
        self._hashed_for[content.sha256] = _Hashed(files, content.pins)
        changes: tuple[str, ...] = ()
        if before is not None and before.sha256 != content.sha256:
            changes = _changes(before.entry, request.entry, remembered_files(self._places, _key(request)), content.pins)
        return request.replace(sha256=content.sha256, changes=changes)

    def _approved(self, request: Request) -> Verdict | None:
        if not isinstance(request, ProgramRequest):
            return None
        if request.is_named:
            return Verdict(ALLOW, USER, "you named its package for this run")
        before = approvals_in(self._places).programs.get(_key(request))
        package = installed_with(request.program, self._places)
        if package is not None:
            return self._as_installed(request, package, before)
        if before is None or before.sha256 != request.sha256:
            return Verdict(ASK, why=_CHANGED if before else _FIRST)
        seen = self._hashed_for.get(request.sha256)
        if seen is not None:  # touched, and yet the same
            now = before.replace(identity=request.identity, files=seen.files)
            with suppress(PiscesError):  # only makes the next call quicker
                remember_program(self._places, _key(request), now)
        return Verdict(ALLOW, USER, "you allowed exactly this")

    def _as_installed(self, request: ProgramRequest, package: Installed, before: ApprovedProgram | None) -> Verdict:
        files = _untouched_since(package.folder)
        now = ApprovedProgram(request.sha256, request.identity, package.tree, files, request.entry)
        if not now.files or before != now:
            tree = tree_as_agreed(package)
            if tree is None or not export_of(*_CONTENT, "is_in_manifest")(request, tree.files):
                hint = f"`pisces extensions info {package.name}` compares, installing it again mends it"
                return Verdict(DENY, why="files of its package changed since you agreed to them", hint=hint)
            with suppress(PiscesError):  # only makes the next call quicker
                remember_program(self._places, _key(request), now)
        return Verdict(ALLOW, USER, "you agreed to its package")

    def _is_as_shown(self, request: ProgramRequest, seen: _Hashed) -> bool:
        """Whether what was hashed before the question is still what is there."""
        if not request.folder or (seen.files and folder_identity(request.folder) == seen.files):
            return True
        again: str = export_of(*_CONTENT, "program_content")(request).sha256
        return again == request.sha256


def _wanted(request: Request) -> Verdict | None:
    if isinstance(request, ProgramRequest) and request.confirm:
        return Verdict(ASK, why="it wants every call confirmed")
    return None


def _untouched_since(folder: str) -> tuple[int, ...]:
    return settled(folder_identity(folder), time_ns())


def _key(request: ProgramRequest) -> str:
    """One program may serve several commands, each with an entry of its own. No name of a command has a slash."""
    return f"{request.path} /{request.name}"


def _is_untouched(before: ApprovedProgram, request: ProgramRequest, files: tuple[int, ...]) -> bool:
    is_same = before.identity == request.identity and before.entry == request.entry
    return is_same and (not request.folder or (bool(files) and before.files == files))


def _with(request: ProgramRequest) -> str:
    return ", its entry in the manifest and its package's files" if request.folder else ""


def _changes(
    before: Mapping[str, Any], after: Mapping[str, Any], old: Mapping[str, str], new: Mapping[str, str]
) -> tuple[str, ...]:
    entry_changes, file_changes = (export_of(*_CONTENT, name) for name in ("entry_changes", "file_changes"))
    files = file_changes(old, new) if old or len(new) <= MOST_COMPARED else ["files of its package changed"]
    return (*entry_changes(before, after), *files)


def _hash(request: ProgramRequest) -> str:
    sha256: str = export_of("pisces.gates", "content", "content_hash")(request.program, request.identity)
    return sha256


_MOVING = "it changed while it was being checked"
_AGAIN = "run it again, and find out what changes it"
