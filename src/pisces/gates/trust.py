"""May what this project brings run? Only where the user said so: for this folder or one above it, or for this run.

Decisions are folders in `trusted.json`, by their real path. A file that is broken counts as empty: nothing is trusted.
What the user chose, at home, by installing it or by naming it, needs no such word.
"""

from __future__ import annotations

import json
import os

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, WARNING, PiscesError, Rule
from pisces.discovery.found import PROJECT
from pisces.file_lock import file_lock
from pisces.files import Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.modules.entry import NOT_TRUSTED, RUNS, ModuleEntries
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.diagnostics import Diagnostic
    from pisces.modules.entry import ModuleEntry
    from pisces.places import Places

WORKSPACE_NOT_TRUSTED = Rule(
    "workspace-not-trusted",
    WARNING,
    "Modules of this project do not run, because nobody trusts it yet",
    "A module runs with your rights. Those that a project brings (in `.pisces/extensions`, or in its settings) run "
    "only after you said that you trust the folder; opening somebody's repository must not run their code. For the "
    "same reason its settings cannot switch off what you have at home.",
    "git clone somebody/project, with `.pisces/extensions/setup.py` in it",
    "pisces trust, once you have read it; or --trust-workspace for a single run",
)
TRUST_FOLDER = Rule(
    "trust-folder",
    ERROR,
    "What should be trusted is not a folder",
    "Trust is given to folders: what lies in them may run, and so may what lies in folders below.",
    "pisces trust ./setup.py",
    "pisces trust .",
)
TRUST_FILE = Rule(
    "trust-file",
    ERROR,
    "What is trusted cannot be written down",
    "Decisions are kept in `trusted.json` in the user's pisces folder. Nothing was decided.",
    "a read-only ~/.pisces/agent, or a folder of that name",
    "`--trust-workspace` for a single run; or make ~/.pisces/agent writable",
)

_FILE = "trusted.json"
_TURN = ".trust-turn"
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


def admitted(entries: ModuleEntries, trust: Trust, places: Places) -> ModuleEntries:
    """Where nobody trusts the folder, what the project brings does not run, nor can it switch off what the user has."""
    if trust.covers(places.cwd):
        return entries
    judged = tuple(_judged(entry) for entry in entries.entries)
    held = [entry for entry in judged if entry.state == NOT_TRUSTED]
    kept_on = [new for new, old in zip(judged, entries.entries, strict=True) if new.state == RUNS != old.state]
    told = [_not_trusted(held, places)] if held else []
    told += [_still_on(entry, places) for entry in kept_on]
    return ModuleEntries(judged, (*entries.diagnostics, *told))


def _judged(entry: ModuleEntry) -> ModuleEntry:
    if entry.needs_trust:
        return entry.replace(state=NOT_TRUSTED) if entry.state == RUNS else entry
    return entry.replace(state=RUNS) if entry.off_by == PROJECT else entry


def trust_in(places: Places) -> Trust:
    """What was decided for good."""
    try:
        kept = parse(read_text(_path(places)))
    except (Unreadable, Malformed):
        return Trust()
    listed = kept.get("folders") if isinstance(kept, dict) else None
    folders = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    return Trust(tuple(sorted(each for each in folders if os.path.isabs(each))))


def remember_trust(places: Places, change: Callable[[Trust], Trust]) -> Trust:
    """What is trusted after the change; nobody else's decision is lost, not even one that is made right now."""
    try:
        with file_lock(os.path.join(places.agent_dir, _TURN), _wait_silently):
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
    """Others need but a moment."""


def _real(folder: str) -> str:
    return os.path.normcase(os.path.realpath(folder))


def _path(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)
