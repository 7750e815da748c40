"""May what this project brings run? Only what the user agreed to, as it was then: each thing with all of its files.

A workspace is one folder; folders above and below it decide nothing. What the user chose, at home, by installing it or
by naming it, needs no such word.
"""

from __future__ import annotations

import json
import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, WARNING, Diagnostic, PiscesError, Rule
from pisces.discovery.found import PROJECT
from pisces.discovery.pins import PROGRAM, changed_pins
from pisces.discovery.safe_mode import safe_mode_notes, safe_state
from pisces.file_lock import file_lock
from pisces.gates.installed import installed_with, tree_as_agreed
from pisces.gates.judge import USER, Gate, judge_now
from pisces.gates.trusted import NEW, VERSION, Trust, trust_file, trust_in
from pisces.gates.workspace import Covered, absolute_pins, covered_module, covered_request, covered_switch
from pisces.modules.entry import NOT_TRUSTED, OFF, PACKAGE, RUNS, ModuleEntries, ModuleEntry
from pisces.shapes.request import HookRequest, ModuleRequest, Request, ServerRequest
from pisces.shapes.verdict import ALLOW, ASK, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.gates.judge import Record
    from pisces.places import Places

WORKSPACE_NOT_TRUSTED = Rule(
    "workspace-not-trusted", WARNING, "Modules of this project do not run, because nobody trusts it yet"
)
WORKSPACE_CHANGED = Rule("workspace-changed", WARNING, "What a project brings changed since you trusted it")
PACKAGE_CHANGED = Rule(
    "module-package-changed", WARNING, "Modules of an installed package do not run, because its files changed"
)
TRUST_NOT_GIVEN = Rule("trust-not-given", ERROR, "A project was not trusted, because nobody said yes")
TRUST_CHANGED = Rule("trust-changed", ERROR, "What a project would run changed while trust was asked for")
TRUST_FOLDER = Rule("trust-folder", ERROR, "What should be trusted is not a folder")
TRUST_FILE = Rule("trust-file", ERROR, "What is trusted cannot be written down")

_LOCK = ".trust.lock"
_MODE = 0o600
_FEW = 5  # changed files that one line names


def difference(trust: Trust, covered: Covered, folder: str) -> list[tuple[str, str]]:
    """What happened to each file of a thing since it was agreed to; nothing for one that is new."""
    before = trust.agreed(folder).get(covered.id)
    return [] if before is None else list(changed_pins(before, covered.stored))


def trust_gate(trust: Trust, places: Places) -> Gate:
    """Allows what the user chose, and what a project brings if it is exactly what the user agreed to."""

    def judged(request: Request) -> Verdict | None:
        if not isinstance(request, ModuleRequest | HookRequest | ServerRequest):
            return None
        if request.level != PROJECT:
            return Verdict(ALLOW, USER, "you chose it")
        if trust.covers_all(places.cwd):
            return Verdict(ALLOW, USER, "you trust this folder for this run")
        covered = request.covered if isinstance(request, ModuleRequest) else covered_request(request, places)
        if not isinstance(covered, Covered) or not trust.knows(places.cwd):
            return None
        if trust.covers(covered, places.cwd):
            return Verdict(ALLOW, USER, "you trust exactly this")
        return Verdict(ASK, why=_why(trust, covered, places))

    return Gate("trust", judged, None)


def admitted(entries: ModuleEntries, trust: Trust, places: Places, record: Record | None = None) -> ModuleEntries:
    """What may be loaded. What is not agreed to cannot switch off what the user has, either. In safe mode: nothing."""
    if safe_state(places) is not None:
        off = tuple(each.replace(state=OFF) if each.state == RUNS else each for each in entries.entries)
        return ModuleEntries(off, (*entries.diagnostics, *safe_mode_notes(places)))
    gates = (trust_gate(trust, places),)
    judged = tuple(_judged(entry, gates, trust, places, record) for entry in entries.entries)
    held = [(entry, why) for entry, why in judged if entry.state == NOT_TRUSTED and entry.origin != PACKAGE]
    broken = {why: entry for entry, why in judged if entry.state == NOT_TRUSTED and entry.origin == PACKAGE}
    forced_on = [new for (new, _), old in zip(judged, entries.entries, strict=True) if new.state == RUNS != old.state]
    found = [_not_trusted(held, trust, places)] if held else []
    found += [_still_on(entry, places) for entry in forced_on]
    found += [_package_changed(name, entry) for name, entry in broken.items()]
    return ModuleEntries(tuple(entry for entry, _ in judged), (*entries.diagnostics, *found))


def _judged(
    entry: ModuleEntry, gates: Sequence[Gate], trust: Trust, places: Places, record: Record | None
) -> tuple[ModuleEntry, str]:
    """The entry with its state, and why it is held."""
    if entry.off_by == PROJECT and not entry.needs_trust and not trust.covers(covered_switch(entry), places.cwd):
        entry = entry.replace(state=RUNS)
    if entry.state != RUNS:
        return entry, ""
    if entry.origin == PACKAGE:
        return _of_package(entry, places)
    is_compared = entry.needs_trust and trust.knows(places.cwd) and not trust.covers_all(places.cwd)
    covered = covered_module(entry, places) if is_compared else None
    request = ModuleRequest(entry.path, entry.name, entry.level, entry.package, covered)
    verdict = judge_now(request, gates, None, record).verdict
    if not verdict.is_allowed:
        return entry.replace(state=NOT_TRUSTED), _why(trust, covered, places) if covered else ""
    return entry if covered is None else entry.replace(pins=absolute_pins(covered.pins, places)), ""


def _of_package(entry: ModuleEntry, places: Places) -> tuple[ModuleEntry, str]:
    """A module of an installed package was agreed to with the package, and is loaded as it was then."""
    package = installed_with(entry.path, places)
    if package is None:
        return entry, ""
    tree = tree_as_agreed(package)
    if tree is None:
        return entry.replace(state=NOT_TRUSTED), package.name
    marks = {"file": "", "program": PROGRAM}
    pins = {file.path: f"{marks[file.kind]}sha256:{file.sha256}" for file in tree.files if file.kind in marks}
    return entry.replace(pins=absolute_pins(pins, places.replace(cwd=package.folder))), ""


def remember_trust(places: Places, change: Callable[[Trust], Trust]) -> Trust:
    """What is trusted after the change; nobody else's decision is lost, not even one that is made right now."""
    try:
        with file_lock(os.path.join(places.agent_dir, _LOCK), _wait_silently):
            before = trust_in(places)
            after = change(before)
            if after != before:
                text = json.dumps({"version": VERSION, "folders": after.folders}, indent=1)
                write_atomically = export_of("pisces", "atomic", "write_atomically")  # slow to import
                write_atomically(trust_file(places), text.encode("utf-8", "surrogateescape"), _MODE)
    except OSError as error:
        problem = f"it cannot be written: {error.strerror or error}"
        raise PiscesError(TRUST_FILE.at(trust_file(places), problem, hint="nothing was decided")) from None
    return after


def folder_to_trust(places: Places, path: str) -> str:
    """A folder as the user wrote it, or `PiscesError`."""
    folder = places.absolute(path)
    if not os.path.isdir(folder):
        raise PiscesError(TRUST_FOLDER.at(folder, "there is no such folder", hint="name the project's folder"))
    return folder


def _why(trust: Trust, covered: Covered, places: Places) -> str:
    if trust.state_of(covered, places.cwd) == NEW:
        return "it is new"
    files = [f"{what} {name}" for what, name in difference(trust, covered, places.cwd)]
    more = f" and {len(files) - _FEW} more" if len(files) > _FEW else ""
    return f"{', '.join(files[:_FEW])}{more}"


def _not_trusted(held: list[tuple[ModuleEntry, str]], trust: Trust, places: Places) -> Diagnostic:
    if trust.knows(places.cwd):
        names = "; ".join(f"`{entry.name}` ({why})" for entry, why in held)
        message = f"this project changed since you trusted it, so this does not run: {names}"
        return WORKSPACE_CHANGED.at(places.cwd, message, hint="`pisces trust` shows the difference and asks again")
    names = ", ".join(f"`{entry.name}`" for entry, _ in held)
    message = f"this project is not trusted, so what it brings will not run: {names}"
    hint = "`pisces trust` trusts this folder for good, `--trust-workspace` for this run; read the files first"
    return WORKSPACE_NOT_TRUSTED.at(places.cwd, message, hint=hint)


def _package_changed(name: str, entry: ModuleEntry) -> Diagnostic:
    message = f"files of `{name}` changed since you agreed to the package, so its modules do not run"
    hint = f"`pisces extensions info {name}` compares, installing it again mends it"
    return PACKAGE_CHANGED.at(entry.path, message, hint=hint, about=entry.name)


def _still_on(entry: ModuleEntry, places: Places) -> Diagnostic:
    message = f"this project is not trusted, so `{entry.name}` runs though its settings switch it off"
    path = os.path.join(places.cwd, ".pisces", "settings.json")
    return WORKSPACE_NOT_TRUSTED.at(path, message, hint="`pisces trust` lets it", about=entry.name)


def _wait_silently(_why: str) -> None:
    """No progress message: the lock is held for milliseconds."""
