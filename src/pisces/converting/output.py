"""What a conversion changes on the disk, said before it is done: new, changed, the same, and left over from before.

Only an empty folder is written to, or one that an earlier conversion wrote.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager, suppress

from pisces.converting.file_changes import ChangeRoot, FileChange, digest_at, make_changes, mend, refuse_links
from pisces.converting.origin import ORIGIN, written_before
from pisces.converting.output_names import SOURCE_UNREADABLE
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import disk_fault
from pisces.file_lock import folder_lock
from pisces.files import entries
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pisces.converting.writer import OutputFile

OUTPUT_NOT_OURS = Rule("convert-output-not-ours", ERROR, "A folder for converted files holds files of somebody else")
OUTPUT_IN_GIT = Rule("convert-output-in-git", ERROR, "Converted files would be written into git's own folder")
OUTPUT_IN_SOURCE = Rule("convert-output-in-source", ERROR, "Converted files would be written over their own source")

NEW, CHANGED, SAME, STALE = "new", "changed", "same", "stale"
OWN = ORIGIN.partition("/")[0]


class PlannedFile(Value):
    """`data` is what will be there; None for a copy of `source`, and for a stale one. `digest` is of what will be.

    `before` is the digest of what is there now. `edited`: it is not what the last conversion wrote.
    """

    path: str
    state: str
    data: bytes | None = None
    is_executable: bool = False
    source: str = ""
    digest: str = ""
    before: str = ""
    edited: bool = False


def planned(
    files: Iterable[OutputFile], source: str, out: str, before: Mapping[str, str] | None = None
) -> list[PlannedFile]:
    """`before` has the files that an earlier conversion wrote, with their digests; those of its record without it.

    Nothing is written.
    """
    before = written_before(out) if before is None else before
    root = ChangeRoot(out, OWN)
    folders: set[str] = set()
    for file in (files := list(files)):
        refuse_links(root, file.path, folders)
    made = [_planned(each, source, root, before) for each in files]
    names = {each.path for each in made}
    stale = (path for path in sorted(before) if path not in names)
    found = [each for path in stale if (each := _stale(path, root, before[path]))]
    return [*made, *found]


def written(plan: Iterable[PlannedFile]) -> list[PlannedFile]:
    """Those that differ from what is there. What somebody edited is not removed because its source is gone."""
    return [each for each in plan if each.state != SAME and not (each.state == STALE and each.edited)]


def refuse_output(plan: Iterable[PlannedFile], source: str, out: str) -> None:
    """`PiscesError` where the output is the source, in git's own folder, or a folder that somebody else filled."""
    if any(".git" in path.casefold().split(os.sep) for path in (out, os.path.realpath(out))):
        hint = "name a folder beside `.git`"
        raise PiscesError(OUTPUT_IN_GIT.at(out, "the output lies in git's own folder", hint=hint))
    real, own = (os.path.realpath(path) + os.sep for path in (out, source))
    if own.startswith(real):
        hint = "name a folder that is not there yet"
        raise PiscesError(OUTPUT_IN_SOURCE.at(out, "the package lies in the folder of the output", hint=hint))
    if not written(plan):
        return
    known = written_before(out)
    if not known and any(each.name != OWN for each in entries(out)):
        hint = "name a folder that is empty or not there yet"
        raise PiscesError(OUTPUT_NOT_OURS.at(out, "the folder holds files that no conversion wrote", hint=hint))
    other = next((each for each in plan if each.state == CHANGED and each.path not in (*known, ORIGIN)), None)
    if other:
        path = ChangeRoot(out, OWN).path(other.path)
        hint = "move it away, or keep it in the source"
        raise PiscesError(OUTPUT_NOT_OURS.at(path, "no conversion wrote this file", hint=hint))


def apply(plan: Iterable[PlannedFile], out: str) -> None:
    """All of the plan or nothing of it. `PiscesError` where the disk refuses."""
    changes = [
        FileChange(each.path, each.data, each.source, each.is_executable, each.digest, each.before)
        for each in written(plan)
    ]
    if changes:
        root = ChangeRoot(out, OWN)
        removed = [each.path for each in changes if each.removes]
        with _locked(root):
            mend(root)
            make_changes(root, changes, [*folders_above(removed), OWN])  # ours goes too where nothing is left in it


def mended(out: str) -> bool:
    """Takes back what an earlier run could not finish. Whether there was such a thing."""
    root = ChangeRoot(out, OWN)
    if not os.path.isdir(os.path.dirname(out)):
        return False
    with _locked(root):
        return mend(root)


def folders_above(paths: Iterable[str]) -> list[str]:
    """Every folder between the root and these files."""
    found = {"/".join(path.split("/")[:depth]) for path in paths for depth in range(1, path.count("/") + 1)}
    return sorted(found)


@contextmanager
def _locked(root: ChangeRoot) -> Iterator[None]:
    above = os.path.dirname(root.folder)
    try:
        with _folder(above), folder_lock(above):
            yield
    except OSError as error:
        raise PiscesError(disk_fault(error, error.filename or root.folder)) from None


@contextmanager
def _folder(path: str) -> Iterator[None]:
    """Makes a folder; one that was not needed after all is removed again."""
    missing = path
    while not os.path.isdir(os.path.dirname(missing)):
        missing = os.path.dirname(missing)
    was_there = os.path.isdir(path)
    os.makedirs(path, exist_ok=True)
    try:
        yield
    finally:
        while not was_there and path.startswith(missing):
            with suppress(OSError):  # not empty
                os.rmdir(path)
            path = os.path.dirname(path)


def _planned(file: OutputFile, source: str, root: ChangeRoot, before: Mapping[str, str]) -> PlannedFile:
    copied = real_file(source, file.source) if file.data is None else ""
    digest = hashlib.sha256(file.data).hexdigest() if file.data is not None else _digest_of_source(copied)
    path = root.path(file.path)
    there = digest_at(path)
    edited = bool(there) and file.path in before and there != before[file.path]
    state = NEW
    if there:
        is_same_mode = os.name == "nt" or bool(os.stat(path).st_mode & 0o100) == file.is_executable
        state = SAME if there == digest and is_same_mode else CHANGED
    return PlannedFile(file.path, state, file.data, file.is_executable, copied, digest, there, edited)


def _stale(path: str, root: ChangeRoot, digest: str) -> PlannedFile | None:
    """A file that the last conversion wrote and this one does not; nothing where it is gone already."""
    refuse_links(root, path)
    there = digest_at(root.path(path))
    return PlannedFile(path, STALE, before=there, edited=there != digest) if there else None


def real_file(folder: str, path: str) -> str:
    """A file of a package that is copied. `sifted` has seen that a link to it does not lead out."""
    whole = os.path.join(folder, *path.split("/"))
    return os.path.realpath(whole) if os.path.islink(whole) else whole


def _digest_of_source(path: str) -> str:
    try:
        return digest_at(path)
    except OSError as error:
        message = f"the file cannot be read: {(error.strerror or str(error)).lower()}"
        raise PiscesError(SOURCE_UNREADABLE.at(path, message)) from None
