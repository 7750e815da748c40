"""Several files changed as one: all changes are made, or none is.

A journal says how each change is taken back before the first is made, and lies in a folder of our own below the root.
Whoever comes next takes back what was cut short, or finishes what only had to be tidied. Folders that lead to the
journal appear and vanish together with it, in one rename.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from contextlib import suppress

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.files import entries
from pisces.formats.json_file import object_at
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

CHANGED_MEANWHILE = Rule("convert-changed-meanwhile", ERROR, "A file changed between the plan and its writing")
OVER_A_LINK = Rule("convert-over-a-link", ERROR, "A file would be written over a link or through one")

JOURNAL, WORK = ".pisces-journal.json", ".pisces-work"
UNDO, TIDY = "undo", "tidy"
_PIECE = 1 << 20
_ASIDE = re.compile(r"\.(.+)\.\d+\.(?:new|old)")
_HALF_WRITTEN = re.compile(rf"{re.escape(JOURNAL)}\.\d+\.new")


class FileChange(Value):
    """`path` is relative to the root, with slashes. Without `data` and `source` the file is removed.

    `source` is a file to copy, whose digest must still be `digest`. `before` is the digest of what is there now, empty
    for nothing. `exact_mode` is set as it is; without one, a new file gets what the system gives.
    """

    path: str
    data: bytes | None = None
    source: str = ""
    is_executable: bool = False
    digest: str = ""
    before: str = ""
    exact_mode: int = 0

    @property
    def removes(self) -> bool:
        return self.data is None and not self.source


class ChangeRoot(Value):
    """`folder` is the root of all changes, `own` the folder below it, by its name, in which the journal lies."""

    folder: str
    own: str

    def path(self, relative: str) -> str:
        return os.path.join(self.folder, *relative.split("/"))

    @property
    def own_folder(self) -> str:
        return self.path(self.own)

    @property
    def journal(self) -> str:
        return os.path.join(self.own_folder, JOURNAL)

    def old(self, number: int) -> str:
        return os.path.join(self.own_folder, WORK, f"{number}.old")

    def new(self, number: int) -> str:
        return os.path.join(self.own_folder, WORK, f"{number}.new")


def make_changes(root: ChangeRoot, changes: Sequence[FileChange], emptied: Iterable[str] = ()) -> None:
    """Makes all changes or none. `emptied` are folders that are removed afterwards if nothing is left in them.

    The caller holds a lock and has called `mend` before. An `OSError` leaves everything as it was.
    """
    refuse_links(root, f"{root.own}/{JOURNAL}")
    made = missing_folders(root, (f"{root.own}/{JOURNAL}", *(each.path for each in changes if not each.removes)))
    undo: dict[str, Any] = {"act": UNDO, "made": made, "steps": []}
    _begin(root, undo)
    try:
        os.mkdir(os.path.join(root.own_folder, WORK))
        for number, each in enumerate(changes):
            _stage(root, number, each)
        undo["steps"] = [{"path": each.path, "had": bool(each.before)} for each in changes]
        write_atomically(root.journal, _text(undo))
        for folder in made:
            if not os.path.isdir(root.path(folder)):
                os.mkdir(root.path(folder))
        known: set[str] = set()
        for number, each in enumerate(changes):
            refuse_links(root, each.path, known)
            _make(root, number, each)
        folders = [*emptied]
        write_atomically(root.journal, _text({"act": TIDY, "folders": folders}))
    except BaseException:
        _undo(root, undo)
        raise
    try:
        _tidy(root, folders)
    except OSError:
        with suppress(OSError):  # the changes are made: what cannot be tidied now is left to whoever comes next
            mend(root)


def mend(root: ChangeRoot) -> bool:
    """Ends what an earlier process began. Whether its changes were taken back."""
    refuse_links(root, f"{root.own}/{JOURNAL}")
    _sweep(root)
    found = object_at(root.journal)
    if found.get("act") == TIDY:
        _tidy(root, found.get("folders"))
    elif found.get("act") == UNDO:
        _undo(root, found)
        return True
    return False


def digest_at(path: str) -> str:
    """Of a regular file, whatever its size; empty where nothing is. A link is an error."""
    if not os.path.lexists(path):
        return ""
    if os.path.islink(path) or not os.path.isfile(path):
        raise PiscesError(OVER_A_LINK.at(path, "it is a link or no regular file, and is not written over"))
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def refuse_links(root: ChangeRoot, path: str, known: set[str] | None = None) -> None:
    """Every folder between the root and a file is a real one, or not there yet. `known` are folders that are fine."""
    known = set() if known is None else known
    folder = path.rpartition("/")[0]
    while folder and folder not in known:
        here = root.path(folder)
        if os.path.lexists(here) and (os.path.islink(here) or not os.path.isdir(here)):
            raise PiscesError(OVER_A_LINK.at(here, "it is a link or no folder, and nothing is written through it"))
        known.add(folder)
        folder = folder.rpartition("/")[0]


def missing_folders(root: ChangeRoot, paths: Iterable[str]) -> list[str]:
    """The folders that these files need and that are not there, from the top down; "" is the root itself."""
    found = {""} if not os.path.lexists(root.folder) else set()
    for path in paths:
        parts = path.split("/")[:-1]
        for length in range(1, len(parts) + 1):
            folder = "/".join(parts[:length])
            if folder not in found and not os.path.lexists(root.path(folder)):
                found.add(folder)
    return sorted(found)


def _begin(root: ChangeRoot, journal: dict[str, Any]) -> None:
    """The journal, with the folders above it that are not there yet, in one step."""
    top = root.own_folder
    if os.path.isdir(top):
        write_atomically(root.journal, _text(journal))
        return
    while not os.path.isdir(os.path.dirname(top)):
        top = os.path.dirname(top)
    aside = _aside(top, "new")
    inside = os.path.join(aside, os.path.relpath(root.own_folder, top)) if top != root.own_folder else aside
    try:
        os.makedirs(inside)
        write_atomically(os.path.join(inside, JOURNAL), _text(journal))
        os.rename(aside, top)
    except OSError:
        _remove(aside)
        raise


def _stage(root: ChangeRoot, number: int, change: FileChange) -> None:
    if change.removes:
        return
    mode = 0o777 if change.is_executable else 0o666
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    path = root.new(number)
    try:
        with os.fdopen(os.open(path, flags, mode), "wb") as file:
            if change.data is None:
                _copy(change, file)
            else:
                file.write(change.data)
    except OSError as error:
        error.filename = error.filename or root.path(change.path)  # a write that fails names no file
        raise
    if change.exact_mode:
        os.chmod(path, change.exact_mode)


def _copy(change: FileChange, file: Any) -> None:
    digest = hashlib.sha256()
    with open(change.source, "rb") as source:
        while piece := source.read(_PIECE):
            digest.update(piece)
            file.write(piece)
    if digest.hexdigest() != change.digest:
        raise PiscesError(CHANGED_MEANWHILE.at(change.source, "it changed while it was copied", hint="run it again"))


def _make(root: ChangeRoot, number: int, change: FileChange) -> None:
    target = root.path(change.path)
    if digest_at(target) != change.before:
        raise PiscesError(CHANGED_MEANWHILE.at(target, "it changed since it was looked at", hint="run it again"))
    if change.removes:
        os.replace(target, root.old(number))
        return
    if change.before:
        _keep(target, root.old(number))
    os.replace(root.new(number), target)


def _keep(target: str, old: str) -> None:
    """A second name for the old file, so that the path is never without one; a copy where the disk has no such."""
    try:
        os.link(target, old)
    except OSError:
        shutil.copy2(target, f"{old}.part")
        os.replace(f"{old}.part", old)


def _undo(root: ChangeRoot, journal: dict[str, Any]) -> None:
    """Restores every file. What the journal names is checked again: it lies where others can write.

    Steps are named when all new files are staged, so one that is no longer there was moved to its place.
    """
    steps, made = journal.get("steps"), journal.get("made")
    for number, step in enumerate(steps if isinstance(steps, list) else ()):
        path = step.get("path") if isinstance(step, dict) else None
        if not isinstance(path, str) or not is_inner(path):
            continue
        refuse_links(root, path)
        if os.path.lexists(root.old(number)):
            os.replace(root.old(number), root.path(path))
        elif not step.get("had") and not os.path.lexists(root.new(number)):
            with suppress(FileNotFoundError):
                os.unlink(root.path(path))
    folders = [each for each in made if isinstance(each, str)] if isinstance(made, list) else []
    write_atomically(root.journal, _text({"act": TIDY, "folders": folders}))
    _tidy(root, folders)


def _tidy(root: ChangeRoot, folders: Any) -> None:
    """Removes what only the change needed, and folders that are empty now. The journal is last."""
    _remove(os.path.join(root.own_folder, WORK))
    named = {each for each in folders if isinstance(each, str)} if isinstance(folders, list) else set()
    leading = [root.folder] if "" in named else []
    for folder in sorted((each for each in named if each and is_inner(each)), reverse=True):
        if root.own == folder or root.own.startswith(f"{folder}/"):
            leading.append(root.path(folder))
        elif os.path.isdir(root.path(folder)) and not os.listdir(root.path(folder)):
            os.rmdir(root.path(folder))
    _end_journal(root, leading)


def _end_journal(root: ChangeRoot, leading: list[str]) -> None:
    """The journal goes, and with it in one step the folders that hold nothing else."""
    top, inside = "", root.journal
    for folder in sorted(leading, key=len, reverse=True):
        if os.path.dirname(inside) != folder or [each.name for each in entries(folder)] != [os.path.basename(inside)]:
            break
        top = inside = folder
    if not top:
        os.unlink(root.journal)
        return
    aside = _aside(top, "old")
    os.rename(top, aside)
    _remove(aside)


def _sweep(root: ChangeRoot) -> None:
    """What a killed process left beside its place, before it began or after it ended."""
    for folder in (root.own_folder, root.folder):
        for entry in entries(os.path.dirname(folder)):
            found = _ASIDE.fullmatch(entry.name)
            if found and found[1] == os.path.basename(folder) and not entry.is_symlink():
                _remove(entry.path)
    for entry in entries(root.own_folder):
        if _HALF_WRITTEN.fullmatch(entry.name):
            os.unlink(entry.path)


def is_inner(path: str) -> bool:
    """Whether a path with slashes stays below the folder that it is relative to."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") for part in parts) and not re.search(r"[\x00\\]|^[A-Za-z]:", path)


def _remove(folder: str) -> None:
    """A folder that we made. Unlike `remove_tree` it changes no rights: those of the folder above are the user's."""
    if os.path.lexists(folder):
        shutil.rmtree(folder)


def _aside(path: str, suffix: str) -> str:
    return os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.getpid()}.{suffix}")


def _text(journal: dict[str, Any]) -> bytes:
    return json.dumps(journal, indent=1).encode("ascii") + b"\n"
