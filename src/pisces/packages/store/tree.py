"""A folder's content as one hash and one hash for each file: the same files give the same hash on every machine.

Covered are the path, the bytes, and where a link leads. Times, owners, modes and empty folders are not: Windows has
no run bit, and a lock made there must fit here.
"""

from __future__ import annotations

import hashlib
import os
import stat

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "sha256:"
_CHUNK = 1 << 20


class TreeFile(Value):
    """`path` is relative with forward slashes; `sha256` is of the bytes, or of a link's target."""

    path: str
    sha256: str
    kind: str  # file, program, link or special; a program is a file to the hash
    size: int

    @property
    def pin(self) -> str:
        return f"{'file' if self.kind == 'program' else self.kind}:{self.sha256}"


class Tree(Value):
    hash: str
    files: tuple[TreeFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    def as_json(self) -> dict[str, str]:
        return {file.path: file.pin for file in self.files}


def tree_of(folder: str, left_out: tuple[str, ...] = ()) -> Tree:
    """Reads every file below a folder; `left_out` are names at its top that do not count."""
    files = tuple(sorted(_files(folder, left_out), key=lambda file: file.path))
    return Tree(_hash(files), files)


def changed_files(old: Tree | dict[str, str], new: Tree) -> Iterator[tuple[str, str]]:
    """What is `added`, `changed` or `removed` between two trees, by path."""
    before = old.as_json() if isinstance(old, Tree) else old
    after = new.as_json()
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            yield ("added" if path not in before else "removed" if path not in after else "changed"), path


def _hash(files: tuple[TreeFile, ...]) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.path}\0{file.pin}\n".encode("utf-8", "surrogateescape"))
    return PREFIX + whole.hexdigest()


def _files(folder: str, left_out: tuple[str, ...]) -> Iterator[TreeFile]:
    for here, folders, names in os.walk(folder):
        if here == folder and left_out:
            folders[:] = [name for name in folders if name not in left_out]
            names = [name for name in names if name not in left_out]
        links = [name for name in folders if os.path.islink(os.path.join(here, name))]
        for name in (*names, *links):
            path = os.path.join(here, name)
            relative = os.path.relpath(path, folder).replace(os.sep, "/")
            yield _entry(path, relative)


def _entry(path: str, relative: str) -> TreeFile:
    mode = os.lstat(path).st_mode
    if stat.S_ISLNK(mode):
        return _link(path, relative)
    if not stat.S_ISREG(mode):  # a pipe in a linked folder: named, never opened
        return TreeFile(relative, "", "special", 0)
    return _file(path, relative)


def _link(path: str, relative: str) -> TreeFile:
    target = os.readlink(path).replace(os.sep, "/").encode("utf-8", "surrogateescape")
    return TreeFile(relative, hashlib.sha256(target).hexdigest(), "link", 0)


def _file(path: str, relative: str) -> TreeFile:
    content = hashlib.sha256()
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        while chunk := file.read(_CHUNK):
            content.update(chunk)
    kind = "program" if status.st_mode & stat.S_IXUSR and os.name != "nt" else "file"
    return TreeFile(relative, content.hexdigest(), kind, status.st_size)
