"""Unpacks archives. The whole listing is validated before the first file is written, and links are created last.

The first bytes decide the type of an archive, not its name. Of owners, times and modes only the executable bit counts.
"""

from __future__ import annotations

import os
import stat
import tarfile
import zipfile
import zlib

from pisces.diagnostics import PiscesError
from pisces.discovery.package_format import PackageFormat, formats_of
from pisces.disk import is_of_disk
from pisces.packages.fetching.decompress import ARCHIVE_BROKEN, BROKEN, expand, refuse_bomb, sort_of
from pisces.packages.fetching.fetched import refused
from pisces.packages.fetching.zip_listing import listed_count
from pisces.packages.store.validate_tree import (
    FILE,
    FOLDER,
    LINK,
    MOST_ENTRIES,
    TOO_LARGE,
    TreeEntry,
    is_inside,
    shown,
    validate_entries,
)
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO


_CHUNK = 1 << 20
_LONGEST_TARGET = 4096
_MOST_AT_ONCE = 4 << 20  # limit for a tar header: a larger one would fill the memory
_ZIP_KINDS = {0: FILE, stat.S_IFREG: FILE, stat.S_IFDIR: FOLDER, stat.S_IFLNK: LINK}


class _Member(Value):
    """An entry, and how to open its content."""

    entry: TreeEntry
    open: Callable[[], IO[bytes]]


class _Bounded:
    """A file for `tarfile` with a limit for one read."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.seek = file.seek
        self.tell = file.tell

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > _MOST_AT_ONCE:
            raise tarfile.ReadError("a header is larger than any header")
        return self.file.read(size)


def unpack(path: str, folder: str, label: str) -> None:
    """Unpacks an archive into a new folder. `label` names it in messages. A refused archive writes nothing."""
    size = os.path.getsize(path)
    sort = sort_of(path, label)
    try:
        if sort == "zip":
            _unpack_zip(path, folder, label)
            return
        plain = path if sort == "tar" else expand(path, sort, label)
        _unpack_tar(plain, folder, label)
    except BROKEN as error:
        if isinstance(error, OSError) and is_of_disk(error, os.path.dirname(folder)):
            raise
        what = str(error) or type(error).__name__
        message = f"the archive of {size:,} bytes is damaged or cut off: {shown(what)}"
        raise PiscesError(ARCHIVE_BROKEN.at(label, message)) from None


def hoisted(folder: str, *, always: bool = False) -> str:
    """The only folder at the top of an archive if the package is in it, else the top."""
    names = os.listdir(folder)
    inner = os.path.join(folder, names[0]) if len(names) == 1 else ""
    if not inner or os.path.islink(inner) or not os.path.isdir(inner):
        return folder
    if always:
        return inner
    here, there = formats_of(folder), formats_of(inner)
    # The only folder of a skills folder with one skill is a skill, which is a package too.
    better = (there and not here) or (_has_package(there) and not _has_package(here))
    return inner if better else folder


def _has_package(formats: list[PackageFormat]) -> bool:
    return not all(each.is_skills_folder for each in formats)


def _unpack_zip(path: str, folder: str, label: str) -> None:
    if listed_count(path, MOST_ENTRIES) > MOST_ENTRIES:
        raise refused([TOO_LARGE.at(label, f"more than {MOST_ENTRIES:,} entries")])
    with zipfile.ZipFile(path) as archive:
        members = [_zip_member(archive, member) for member in archive.infolist()]
        total = sum(member.entry.size for member in members)
        refuse_bomb(total, os.path.getsize(path), label)
        _write(members, folder, label)


def _zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Member:
    name = member.orig_filename
    mode = member.external_attr >> 16
    kind = FOLDER if name.endswith("/") else _ZIP_KINDS.get(stat.S_IFMT(mode), "device or pipe")
    if member.flag_bits & 1:
        kind = "file with a password"
    elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        kind = "file in an unusual compression"  # some methods have no memory limit
    target = ""
    if kind == LINK:
        with archive.open(member) as file:
            target = file.read(_LONGEST_TARGET + 1).decode("utf-8", "replace")
    entry = TreeEntry(_plain_name(name), kind, member.file_size, stat.S_IMODE(mode), target)
    return _Member(entry, lambda: archive.open(member))


def _unpack_tar(path: str, folder: str, label: str) -> None:
    with (
        open(path, "rb") as file,
        tarfile.open(fileobj=_Bounded(file), mode="r:", errorlevel=2, encoding="utf-8") as archive,  # type: ignore[call-overload]  # has all methods of a file that tarfile calls
    ):
        members: list[_Member] = []
        for member in archive:
            members.append(_tar_member(archive, member))
            if len(members) > MOST_ENTRIES:
                raise refused([TOO_LARGE.at(label, f"more than {MOST_ENTRIES:,} entries")])
        file.seek(archive.offset)  # after the listing
        if file.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
            raise tarfile.ReadError("the end is missing")  # tarfile reads any broken header as the end
        _write(members, folder, label)


def _tar_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> _Member:
    kinds = {tarfile.SYMTYPE: LINK, tarfile.LNKTYPE: "hard link", tarfile.FIFOTYPE: "named pipe"}
    kind = kinds.get(member.type, "device")
    if member.isdir():
        kind = FOLDER
    elif member.issparse():
        kind = "file with holes"
    elif member.isreg():
        kind = FILE if member.size >= 0 else "file of negative size"
    entry = TreeEntry(_plain_name(member.name), kind, member.size, member.mode, member.linkname if kind == LINK else "")
    return _Member(entry, lambda: _content(archive, member))


def _plain_name(name: str) -> str:
    """Without the `./` that `tar -C folder .` puts before names, and without a slash at the end."""
    plain = name
    while plain.startswith("./"):
        plain = plain[2:]
    return (plain.removesuffix("/") if plain != "/" else plain) or ("." if name else "")


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = archive.extractfile(member)
    if content is None:
        raise tarfile.ReadError("a file without content")
    return content


def _write(members: list[_Member], folder: str, label: str) -> None:
    """Writes files first and links last, so that nothing is written through a link."""
    members = [member for member in members if member.entry.name != "."]
    if faults := validate_entries((member.entry for member in members), label):
        raise refused(faults)
    os.makedirs(folder)
    for member in _wanted(members):
        path = os.path.join(folder, *member.entry.name.split("/"))
        os.makedirs(path if member.entry.kind == FOLDER else os.path.dirname(path), exist_ok=True)
        if member.entry.kind == FILE:
            _write_file(member, path)
    for member in _wanted(members):
        if member.entry.kind == LINK and is_inside(member.entry.target, member.entry.name):
            os.symlink(member.entry.target, os.path.join(folder, *member.entry.name.split("/")))


def _wanted(members: Iterable[_Member]) -> Iterator[_Member]:
    """Without `.git`, and without the files that macOS adds."""
    for member in members:
        parts = member.entry.name.lower().split("/")
        if ".git" not in parts and parts[0] != "__macosx":
            yield member


def _write_file(member: _Member, path: str) -> None:
    left = member.entry.size
    with member.open() as content, open(path, "xb") as file:
        while chunk := content.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise zlib.error("a file is longer than the listing says")
            file.write(chunk)
    if left:
        raise zlib.error("a file is shorter than the listing says")
    os.chmod(path, 0o755 if member.entry.mode & stat.S_IXUSR else 0o644)
