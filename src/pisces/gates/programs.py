"""May this program run? Only as the very file that was agreed to: by its package's consent, or by name and hash.

A program of an installed package was agreed to with the package, as long as not one file of the package has changed.
Any other program is asked about once, and again when its content changes. Reading files that the system says are
untouched (same device, inode, size and times) is spared, so the usual call costs no hashing.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.gates.approvals import ApprovedProgram, approvals_in, remember_program
from pisces.gates.folder_identity import folder_identity
from pisces.shapes.request import ONCE, SESSION, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.shapes.installed import Installed
    from pisces.shapes.request import Ask, Gate, Request

_CHANGED = "it changed since you allowed it"
_FIRST = "it never ran here before"


def program_gate(trust: Ask, confirm: Ask, places: Places) -> Gate:
    """`trust` is asked whether this file may ever run, `confirm` whether it may run now."""

    def decide(request: Request) -> Verdict:
        verdict = Verdict(True) if request.trusted else _trusted(request, trust, places)
        if verdict.allowed and request.confirm and confirm(request, "it wants every call confirmed") != ONCE:
            return Verdict(False, "it was not confirmed", "a terminal asks; --yes answers")
        return verdict

    return decide


def _trusted(request: Request, trust: Ask, places: Places) -> Verdict:
    before = approvals_in(places).programs.get(request.program)
    known = before is not None and before.identity == request.identity
    sha256 = before.sha256 if before and known else _hash(request)
    if not sha256:
        return Verdict(False, "it changed while it was being checked", "run it again, and find out what changes it")
    package = _installed(request.program, places)
    if package is not None:
        now = ApprovedProgram(sha256, request.identity, package.tree, folder_identity(package.folder))
        return _as_installed(request, package, now, places)
    if before is not None and before.sha256 == sha256:
        if not known:
            remember_program(places, request.program, before.replace(identity=request.identity))
        return Verdict(True)
    if trust(request.replace(sha256=sha256), _CHANGED if before else _FIRST) not in (ONCE, SESSION):
        hint = f"a terminal asks; --accept sha256:{sha256} agrees to exactly this file"
        return Verdict(False, "it was not allowed", hint)
    remember_program(places, request.program, ApprovedProgram(sha256, request.identity))
    return Verdict(True)


def _as_installed(request: Request, package: Installed, now: ApprovedProgram, places: Places) -> Verdict:
    before = approvals_in(places).programs.get(request.program)
    if now.files and before == now:
        return Verdict(True)
    if export_of("pisces.packages.store", "tree", "tree_of")(package.folder).hash != package.tree:
        hint = f"`pisces extensions info {package.name}` compares, installing it again mends it"
        return Verdict(False, "files of its package changed since you agreed to them", hint)
    remember_program(places, request.program, now)
    return Verdict(True)


def _hash(request: Request) -> str:
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
