"""The content of a folder as one hash, and a hash for each file. The same files give the same hash on every machine.

The hash covers paths, bytes and link targets. It does not cover times, owners, modes and empty folders: Windows has no
executable bit, and a lock file made there must be valid here.
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


class TreeFile(Value):
    """`path` is relative with forward slashes. `sha256` is of the bytes, or of the target of a link."""

    path: str
    sha256: str
    kind: str  # file, program, link or special; a program is hashed as a file
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
    """Hashes every file below a folder, without the names in `left_out` at its top."""
    files = tuple(sorted(_files(folder, left_out), key=lambda file: file.path))
    return Tree(_hash(files), files)


def changed_files(old: Tree | dict[str, str], new: Tree) -> Iterator[tuple[str, str]]:
    """Paths that are `added`, `changed` or `removed` between two trees."""
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
        target = os.readlink(path).replace(os.sep, "/").encode("utf-8", "surrogateescape")
        return TreeFile(relative, hashlib.sha256(target).hexdigest(), "link", 0)
    if not stat.S_ISREG(mode):  # such as a pipe in a linked folder, which is never read
        return TreeFile(relative, "", "special", 0)
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        content = hashlib.file_digest(file, "sha256").hexdigest()
    kind = "program" if status.st_mode & stat.S_IXUSR and os.name != "nt" else "file"
    return TreeFile(relative, content, kind, status.st_size)
