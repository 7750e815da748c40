"""The content of a folder as one hash, and a hash for each file. The same files give the same hash on every machine.

The hash covers paths, bytes, link targets and the run bit of files. It does not cover times, owners, other modes and
empty folders. Hashes of version 1 do not cover the run bit: those of an earlier pisces, and all that are made on
Windows, which has no such bit. Whoever records a hash records its version, and compares with `is_recorded`.
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
WITHOUT_RUN_BITS, WITH_RUN_BITS = 1, 2
VERSION_HERE = WITHOUT_RUN_BITS if os.name == "nt" else WITH_RUN_BITS


class TreeFile(Value):
    """`path` is relative with forward slashes. `sha256` is of the bytes, or of the target of a link."""

    path: str
    sha256: str
    kind: str  # file, program, link or special; a program is a file with the run bit
    size: int

    @property
    def pin(self) -> str:
        return f"{self.kind}:{self.sha256}"


class Tree(Value):
    """`version` says whether `hash` covers run bits."""

    hash: str
    files: tuple[TreeFile, ...]
    version: int = VERSION_HERE

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    def as_json(self) -> dict[str, str]:
        return {file.path: file.pin for file in self.files}

    def is_recorded(self, recorded: str, version: int) -> bool:
        """Whether a recorded hash is of these files. One of version 1 is compared without the run bits."""
        if version == WITHOUT_RUN_BITS:
            return recorded == hash_of(without_run_bits(self.as_json()))
        return recorded == self.hash

    def without(self, names: tuple[str, ...]) -> Tree:
        """The tree without the names at its top."""
        files = tuple(file for file in self.files if file.path.partition("/")[0] not in names)
        return Tree(hash_of({file.path: file.pin for file in files}), files)


def tree_of(folder: str, left_out: tuple[str, ...] = ()) -> Tree:
    """Hashes every file below a folder, without the names in `left_out` at its top."""
    files = tuple(sorted(_files(folder, left_out), key=lambda file: file.path))
    return Tree(hash_of({file.path: file.pin for file in files}), files)


def hash_of(pins: dict[str, str]) -> str:
    """The hash of a tree whose files have these pins."""
    whole = hashlib.sha256()
    for path in sorted(pins):
        whole.update(f"{path}\0{pins[path]}\n".encode("utf-8", "surrogateescape"))
    return PREFIX + whole.hexdigest()


def without_run_bits(pins: dict[str, str]) -> dict[str, str]:
    """The pins as version 1 has them, in which a program is a file."""
    return {path: pin.replace("program:", "file:") for path, pin in pins.items()}


def changed_files(old: Tree | dict[str, str], new: Tree | dict[str, str]) -> Iterator[tuple[str, str]]:
    """Paths that are `added`, `changed` or `removed` between two trees, or between their pins."""
    before, after = (each.as_json() if isinstance(each, Tree) else each for each in (old, new))
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            yield ("added" if path not in before else "removed" if path not in after else "changed"), path


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
    kind = "program" if status.st_mode & stat.S_IXUSR and VERSION_HERE == WITH_RUN_BITS else "file"
    return TreeFile(relative, content, kind, status.st_size)
