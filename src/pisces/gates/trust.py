"""May what this project brings run? Only where the user said so: for this folder or one above it, or for this run.

Decisions are folders in `trusted.json`, by their real path. A file that is broken counts as empty: nothing is trusted.
What the user chose, at home, by installing it or by naming it, needs no such word.
"""

from __future__ import annotations

import json
import os

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, WARNING, Diagnostic, PiscesError, Rule
from pisces.discovery.found import PROJECT
from pisces.file_lock import file_lock
from pisces.formats.json_file import object_at
from pisces.gates.judge import USER, Gate, judge_now
from pisces.modules.entry import NOT_TRUSTED, RUNS, ModuleEntries, ModuleEntry
from pisces.shapes.request import HookRequest, ModuleRequest, Request, ServerRequest
from pisces.shapes.verdict import ALLOW, Verdict
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.gates.judge import Record
    from pisces.places import Places

WORKSPACE_NOT_TRUSTED = Rule(
    "workspace-not-trusted", WARNING, "Modules of this project do not run, because nobody trusts it yet"
)
TRUST_FOLDER = Rule("trust-folder", ERROR, "What should be trusted is not a folder")
TRUST_FILE = Rule("trust-file", ERROR, "What is trusted cannot be written down")

_FILE = "trusted.json"
_LOCK = ".trust.lock"
_MODE = 0o600


class Trust(Value):
    """Folders by their real path; those below count too."""

    folders: tuple[str, ...] = ()

    def covers(self, folder: str) -> bool:
        real = _real(folder)
        return any(real == each or real.startswith(each.rstrip(os.sep) + os.sep) for each in self.folders)

    def including(self, folder: str) -> Trust:
        return Trust(tuple(sorted({*self.folders, _real(folder)})))

    def without(self, folder: str) -> Trust:
        return Trust(tuple(each for each in self.folders if each != _real(folder)))


def trust_gate(trust: Trust, places: Places) -> Gate:
    """Allows what the user chose, and what a project brings if its folder is trusted."""
    is_trusted = trust.covers(places.cwd)

    def judged(request: Request) -> Verdict | None:
        if not isinstance(request, ModuleRequest | HookRequest | ServerRequest):
            return None
        if request.level != PROJECT:
            return Verdict(ALLOW, USER, "you chose it")
        return Verdict(ALLOW, USER, "you trust this folder") if is_trusted else None

    return Gate("trust", judged, None)


def admitted(entries: ModuleEntries, trust: Trust, places: Places, record: Record | None = None) -> ModuleEntries:
    """What may be loaded. In a folder that is not trusted, a project cannot switch off what the user has, either."""
    gates, is_trusted = (trust_gate(trust, places),), trust.covers(places.cwd)
    judged = tuple(_judged(entry, gates, is_trusted, record) for entry in entries.entries)
    held = [entry for entry in judged if entry.state == NOT_TRUSTED]
    forced_on = [new for new, old in zip(judged, entries.entries, strict=True) if new.state == RUNS != old.state]
    found = [_not_trusted(held, places)] if held else []
    found += [_still_on(entry, places) for entry in forced_on]
    return ModuleEntries(judged, (*entries.diagnostics, *found))


def _judged(entry: ModuleEntry, gates: Sequence[Gate], is_trusted: bool, record: Record | None) -> ModuleEntry:
    if entry.off_by == PROJECT and not is_trusted and not entry.needs_trust:
        entry = entry.replace(state=RUNS)
    if entry.state != RUNS:
        return entry
    request = ModuleRequest(entry.path, entry.name, entry.level, entry.package)
    verdict = judge_now(request, gates, None, record).verdict
    return entry if verdict.is_allowed else entry.replace(state=NOT_TRUSTED)


def trust_in(places: Places) -> Trust:
    """What was decided for good."""
    listed = object_at(_path(places)).get("folders")
    folders = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    return Trust(tuple(sorted(each for each in folders if os.path.isabs(each))))


def remember_trust(places: Places, change: Callable[[Trust], Trust]) -> Trust:
    """What is trusted after the change; nobody else's decision is lost, not even one that is made right now."""
    try:
        with file_lock(os.path.join(places.agent_dir, _LOCK), _wait_silently):
            before = trust_in(places)
            after = change(before)
            if after != before:
                write_atomically(_path(places), json.dumps({"folders": list(after.folders)}, indent=1).encode(), _MODE)
    except OSError as error:
        problem = f"it cannot be written: {error.strerror or error}"
        raise PiscesError(TRUST_FILE.at(_path(places), problem, hint="nothing was decided")) from None
    return after


def folder_to_trust(places: Places, path: str) -> str:
    """A folder as the user wrote it, or `PiscesError`."""
    folder = places.absolute(path)
    if not os.path.isdir(folder):
        raise PiscesError(TRUST_FOLDER.at(folder, "there is no such folder", hint="name the project's folder"))
    return folder


def _not_trusted(held: list[ModuleEntry], places: Places) -> Diagnostic:
    names = ", ".join(f"`{entry.name}`" for entry in held)
    message = f"this project is not trusted, so what it brings will not run: {names}"
    hint = "`pisces trust` trusts this folder for good, `--trust-workspace` for this run; read the files first"
    return WORKSPACE_NOT_TRUSTED.at(places.cwd, message, hint=hint)


def _still_on(entry: ModuleEntry, places: Places) -> Diagnostic:
    message = f"this project is not trusted, so `{entry.name}` runs though its settings switch it off"
    path = os.path.join(places.cwd, ".pisces", "settings.json")
    return WORKSPACE_NOT_TRUSTED.at(path, message, hint="`pisces trust` lets it", about=entry.name)


def _wait_silently(_why: str) -> None:
    """No progress message: the lock is held for milliseconds."""


def _real(folder: str) -> str:
    return os.path.normcase(os.path.realpath(folder))


def _path(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)
