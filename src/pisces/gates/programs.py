"""May this program run? Only as the very file that was agreed to: by its package's consent, or by name and hash.

A program of an installed package was agreed to with the package, as long as no file of the package has changed. Any
other program is asked about once, and again when its content changes. Files that the system says are untouched (same
device, inode, size and times) are not read again, so the usual call costs no hashing.
"""

from __future__ import annotations

import os
from contextlib import suppress

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.gates.approvals import ApprovedProgram, approvals_in, remember_program
from pisces.gates.folder_identity import folder_identity
from pisces.gates.judge import USER, Gate
from pisces.shapes.request import ONCE, SESSION, ProgramRequest, Request
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.shapes.installed import Installed

AUTHOR = "author"  # wants every call confirmed
_CHANGED = "it changed since you allowed it"
_FIRST = "it never ran here before"


class ProgramGates:
    """`gates` go into the list of gates: one finds the hash, one compares it, one asks where the author wants that."""

    def __init__(self, places: Places) -> None:
        self._places = places
        calls = (("approvals", self._hashed), ("approvals", self._approved), (AUTHOR, _wanted))
        self.gates = tuple(Gate(who, call, None) for who, call in calls)

    def answered(self, request: ProgramRequest, question: Verdict, answer: str, who: str = USER) -> Verdict:
        """The verdict that an answer to `question` stands for. A file that is allowed is remembered by its hash."""
        if question.who == AUTHOR:
            if answer == ONCE:
                return Verdict(ALLOW, who)
            return Verdict(DENY, who, "it was not confirmed", "a terminal asks; --yes answers")
        if answer not in (ONCE, SESSION):
            hint = f"a terminal asks; --accept sha256:{request.sha256} agrees to exactly this file"
            return Verdict(DENY, who, "it was not allowed", hint)
        remember_program(self._places, request.program, ApprovedProgram(request.sha256, request.identity))
        return Verdict(ALLOW, who)

    def _hashed(self, request: Request) -> ProgramRequest | Verdict | None:
        if not isinstance(request, ProgramRequest) or request.is_named:
            return None
        before = approvals_in(self._places).programs.get(request.program)
        known = before is not None and before.identity == request.identity
        sha256 = before.sha256 if before and known else _hash(request)
        if not sha256:
            return Verdict(DENY, why="it changed while it was being checked", hint=_AGAIN)
        return request.replace(sha256=sha256)

    def _approved(self, request: Request) -> Verdict | None:
        if not isinstance(request, ProgramRequest):
            return None
        if request.is_named:
            return Verdict(ALLOW, USER, "you named its package for this run")
        before = approvals_in(self._places).programs.get(request.program)
        package = _installed(request.program, self._places)
        if package is not None:
            return self._as_installed(request, package, before)
        if before is None or before.sha256 != request.sha256:
            return Verdict(ASK, why=_CHANGED if before else _FIRST)
        if before.identity != request.identity:
            with suppress(PiscesError):  # only makes the next call quicker
                remember_program(self._places, request.program, before.replace(identity=request.identity))
        return Verdict(ALLOW, USER, "you allowed exactly this file")

    def _as_installed(self, request: ProgramRequest, package: Installed, before: ApprovedProgram | None) -> Verdict:
        now = ApprovedProgram(request.sha256, request.identity, package.tree, folder_identity(package.folder))
        if not now.files or before != now:
            if not export_of("pisces.packages", "install", "is_intact")(package):
                hint = f"`pisces extensions info {package.name}` compares, installing it again mends it"
                return Verdict(DENY, why="files of its package changed since you agreed to them", hint=hint)
            with suppress(PiscesError):  # only makes the next call quicker
                remember_program(self._places, request.program, now)
        return Verdict(ALLOW, USER, "you agreed to its package")


def _wanted(request: Request) -> Verdict | None:
    if isinstance(request, ProgramRequest) and request.confirm:
        return Verdict(ASK, why="it wants every call confirmed")
    return None


def _hash(request: ProgramRequest) -> str:
    sha256: str = export_of("pisces.gates", "content", "content_hash")(request.program, request.identity)
    return sha256


def _installed(program: str, places: Places) -> Installed | None:
    """The package of our own store that a program is part of; a linked folder was agreed to by nobody's hash."""
    store = os.path.realpath(os.path.join(places.agent_dir, "packages")) + os.sep
    if not program.startswith(store):
        return None
    own_store, read_index = (export_of("pisces.packages.store", "store", name) for name in ("own_store", "read_index"))
    packages: dict[str, Installed] = read_index(own_store(places))
    for package in packages.values():
        if not package.linked and program.startswith(os.path.realpath(package.folder) + os.sep):
            return package
    return None


_AGAIN = "run it again, and find out what changes it"
