"""A folder of this machine: copied without its `.git`, and no link is followed."""

from __future__ import annotations

import os
import shutil
import stat

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery.containment import stays_inside
from pisces.disk import is_of_disk
from pisces.packages.fetching.fetched import SUBDIR_MISSING, Fetched, FetchJob, Newest, refused
from pisces.packages.store.validate_tree import FILE, FOLDER, LINK, TreeEntry, entries_below, validate_entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.packages.fetching.source import PackageSource
    from pisces.places import Places

SKIPPED = (".git",)

SOURCE_UNREADABLE = Rule("source-unreadable", ERROR, "A folder or file cannot be read")


def fetch(source: PackageSource, job: FetchJob) -> Fetched:
    copy_folder(folder_in(source.location, source), job.folder)
    return Fetched(job.folder, source)


def newest(source: PackageSource, _old: Fetched, _places: Places) -> Newest:
    """A folder has no version: its content is compared after copying, without the network."""
    if not os.path.isdir(source.location):
        raise PiscesError(SOURCE_UNREADABLE.at(source.location, "the folder is gone"))
    return Newest(True, detail="a local folder: its content decides", sure=False)


def folder_in(folder: str, source: PackageSource) -> str:
    """The folder `subdir` of a tree. Raises if a link leads it out of the tree."""
    inside = os.path.join(folder, *source.subdir.split("/")) if source.subdir else folder
    if not os.path.isdir(inside) or not stays_inside(inside, folder):
        message = f"there is no folder `{source.subdir}` in it" if source.subdir else "there is no such folder"
        raise PiscesError(SUBDIR_MISSING.at(source.location, message))
    return os.path.realpath(inside) if source.subdir else inside


def copy_folder(origin: str, folder: str) -> None:
    """Validates a folder, then copies it file by file. The caller validates the copy: files may change in between.

    `OSError` is about the copy; what cannot be read is `PiscesError`.
    """
    listed: list[TreeEntry] = []
    try:
        if faults := validate_entries(_recorded(entries_below(origin, skipped=SKIPPED), listed), origin):
            raise refused(faults)
        os.makedirs(folder)
        for entry in sorted(listed, key=lambda entry: entry.kind == LINK):
            parts = entry.name.split("/")
            _copy(entry, os.path.join(origin, *parts), os.path.join(folder, *parts))
    except OSError as error:
        if is_of_disk(error, folder):
            raise
        message = f"cannot be copied: {error.strerror or error}"
        raise PiscesError(SOURCE_UNREADABLE.at(str(error.filename or origin), message)) from None


def _recorded(entries: Iterator[TreeEntry], listed: list[TreeEntry]) -> Iterator[TreeEntry]:
    for entry in entries:
        listed.append(entry)
        yield entry


def _copy(entry: TreeEntry, path: str, target: str) -> None:
    if entry.kind == FOLDER:
        os.scandir(path).close()  # raises for an unreadable folder, which was listed as empty
        os.makedirs(target, exist_ok=True)
    elif entry.kind == LINK:
        os.symlink(os.readlink(path), target)
    elif entry.kind == FILE:
        _copy_file(path, target, 0o755 if entry.mode & stat.S_IXUSR else 0o644)


def _copy_file(path: str, target: str, mode: int) -> None:
    # The file may have become a link or a pipe since it was listed: do not follow it, do not block.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as origin, open(target, "xb") as copy:
        shutil.copyfileobj(origin, copy, 1 << 20)
    os.chmod(target, mode)
