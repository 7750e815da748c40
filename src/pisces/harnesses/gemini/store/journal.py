"""A change of the store, written down before its first step and taken away after its last.

Every step can be taken twice, so a change that was cut short is finished by whoever comes next. It is given up only
where what was to come in is not whole any more; then what was there before comes back.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager

from pisces.atomic import flush_folder, remove_tree, rename_atomically, write_atomically
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import disk_fault
from pisces.file_lock import file_lock
from pisces.files import entries
from pisces.formats.json import JsonObject
from pisces.formats.json_file import object_at
from pisces.harnesses.gemini.store.enablement import write_enablement
from pisces.harnesses.gemini.store.layout import GeminiStore, state_of
from pisces.harnesses.gemini.store.record import write_record
from pisces.harnesses.gemini.store.swap import swap
from pisces.packages.store.store import stage, sweep
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GEMINI_STORE_UNWRITABLE = Rule("gemini-store-unwritable", ERROR, "Gemini CLI's store cannot be changed")

PLACE, REMOVE = "place", "remove"
_HALF_WRITTEN = re.compile(r"[\w.-]+\.json\.\d+\.new")


class Journal(Value):
    """`folder` is a name in the store, `source` the folder to move in, `state` the hash of what is placed or removed.

    `rules` and `record` are those of `name` afterwards. `replaces` is the folder that an update takes the place of, and
    `former` the package's name before an update that renames.
    """

    act: str
    name: str
    folder: str
    state: str
    source: str = ""
    rules: tuple[str, ...] | None = None
    record: JsonObject | None = None
    former: str = ""
    replaces: str = ""

    @property
    def place(self) -> str:
        """The name in the store at which the old content is replaced by the new."""
        return self.replaces or self.folder

    def as_json(self) -> JsonObject:
        return dict(zip(self.__fields__, self.as_tuple(), strict=True))


@contextmanager
def writing(store: GeminiStore, report: Callable[[str], None]) -> Iterator[None]:
    """Holds the lock of the store. A change that a crash has interrupted is finished first."""
    with _as_diagnostic(store):
        os.makedirs(store.own, 0o700, exist_ok=True)
        with file_lock(os.path.join(store.own, ".lock"), report):
            _repair(store, report)
            _sweep(store, report)
            yield


@contextmanager
def staging(store: GeminiStore, report: Callable[[str], None]) -> Iterator[str]:
    """A temporary folder on the file system of the store."""
    with _as_diagnostic(store):
        os.makedirs(store.stages.folder, 0o700, exist_ok=True)
    with stage(store.stages, report) as staged:
        yield staged


def change(store: GeminiStore, journal: Journal) -> None:
    """Makes a change, under the lock. Once the journal is written the change happens, unless its first step fails."""
    write_atomically(store.journal_path, json.dumps(journal.as_json(), indent=2).encode("ascii") + b"\n")
    try:
        _carry_out(store, journal)
    except OSError:
        if not _has_begun(store, journal):
            _finish(store)  # the first step would fail at every retry
        raise
    _finish(store)
    discard(store.trash(journal.folder))


def discard(path: str) -> None:
    """Removes a folder with its content; of a link, only the link."""
    if os.path.islink(path):
        os.unlink(path)
    else:
        remove_tree(path)


@contextmanager
def _as_diagnostic(store: GeminiStore) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PiscesError(disk_fault(error, error.filename or store.own, GEMINI_STORE_UNWRITABLE)) from None


def _repair(store: GeminiStore, report: Callable[[str], None]) -> None:
    journal = _left_over(store)
    if journal:
        report(f"finishing what was cut short: {journal.name}")
        _carry_out(store, journal)
    if os.path.lexists(store.journal_path):
        _finish(store)


def _left_over(store: GeminiStore) -> Journal | None:
    """Journals are written atomically, so one that cannot be parsed is not ours."""
    found = object_at(store.journal_path)
    if set(found) != set(Journal.__fields__):
        return None
    rules = found["rules"]
    return Journal(**{**found, "rules": None if rules is None else tuple(rules)})


def _finish(store: GeminiStore) -> None:
    os.unlink(store.journal_path)
    flush_folder(store.own)


def _sweep(store: GeminiStore, report: Callable[[str], None]) -> None:
    """Removes what no journal mentions, and the stages of processes that have ended."""
    for entry in entries(os.path.dirname(store.outgoing(""))):
        _bring_back(entry.path, store.extension(entry.name))
    for folder in (store.incoming(""), store.outgoing(""), store.trash("")):
        for entry in entries(folder):
            discard(entry.path)
    if os.path.isdir(store.stages.folder):
        with file_lock(store.stages.lock_path, report):
            sweep(store.stages, {})
    for folder in (store.own, store.records, store.extensions):
        for entry in entries(folder):
            if _HALF_WRITTEN.fullmatch(entry.name):
                os.unlink(entry.path)


def _carry_out(store: GeminiStore, journal: Journal) -> None:
    done = _removed(store, journal) if journal.act == REMOVE else _placed(store, journal)
    if not done:
        return
    changes: dict[str, tuple[str, ...] | None] = {journal.former: None} if journal.former else {}
    write_enablement(store, {**changes, journal.name: journal.rules})
    if journal.former:
        write_record(store, journal.former, None)
        discard(store.previous(journal.former))
    write_record(store, journal.name, journal.record)


def _placed(store: GeminiStore, journal: Journal) -> bool:
    """Whether the new folder is in place. The former one moves to `previous`."""
    target, place = store.extension(journal.folder), store.extension(journal.place)
    source, previous = journal.source, store.previous(journal.name)
    if not _is_state(target, journal.state) and not _swapped(store, journal):
        return False
    _bring_back(store.outgoing(journal.place), source)
    if place != target and not _exists(target):
        rename_atomically(place, target)
    if source != previous and _exists(source):
        discard(previous)
        os.makedirs(os.path.dirname(previous), exist_ok=True)
        rename_atomically(source, previous)
    return True


def _swapped(store: GeminiStore, journal: Journal) -> bool:
    """Whether the new content has replaced the old: not if the old is uninstalled or the new name is taken."""
    place, outgoing = store.extension(journal.place), store.outgoing(journal.place)
    taken = place != store.extension(journal.folder) and _exists(store.extension(journal.folder))
    if _is_state(place, journal.state):
        if taken:
            _bring_back(outgoing, journal.source)
            swap(journal.source, place, outgoing)
        return not taken
    uninstalled = journal.replaces and not _exists(place, outgoing)
    if taken or uninstalled or not _is_state(journal.source, journal.state):
        _bring_back(outgoing, place)
        return False
    os.makedirs(store.extensions, exist_ok=True)
    swap(journal.source, place, outgoing)
    return True


def _removed(store: GeminiStore, journal: Journal) -> bool:
    """Whether the folder is gone. A folder that was installed since then is not removed."""
    target, trash = store.extension(journal.folder), store.trash(journal.folder)
    if not os.path.lexists(trash) and os.path.lexists(target):
        if journal.state and not _is_state(target, journal.state):
            return False
        os.makedirs(os.path.dirname(trash), exist_ok=True)
        rename_atomically(target, trash)
    discard(store.previous(journal.name))
    return not os.path.lexists(target)


def _has_begun(store: GeminiStore, journal: Journal) -> bool:
    if journal.act == REMOVE:
        return _exists(store.trash(journal.folder))
    return _exists(store.outgoing(journal.place)) or not _is_state(journal.source, journal.state)


def _bring_back(outgoing: str, place: str) -> None:
    if os.path.lexists(outgoing) and not os.path.lexists(place):
        rename_atomically(outgoing, place)


def _exists(*paths: str) -> bool:
    return any(os.path.lexists(path) for path in paths)


def _is_state(folder: str, state: str) -> bool:
    try:
        return os.path.isdir(folder) and state_of(folder) == state
    except OSError:  # an unreadable folder is not in the recorded state
        return False
