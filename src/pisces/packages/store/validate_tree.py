"""Validates the tree of a package, the same for archives, git trees and folders.

The listing is validated before anything is written, and again on the disk, where links can be resolved. One fault
refuses the whole tree.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from itertools import islice

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.containment import stays_inside
from pisces.files import entries as listed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_ENTRIES = 20_000
MOST_BYTES = 512 * 1024 * 1024
LONGEST_PATH = 1024  # bytes
LONGEST_NAME = 255  # bytes, as file systems have it
DEEPEST = 40
SHOWN = 20  # faults; a hostile listing may have any number

FILE, FOLDER, LINK = "file", "folder", "link"

NAME_ESCAPES = Rule("tree-name-escapes", ERROR, "A package has a file name that leads out of the package")
NAME_UNUSABLE = Rule("tree-name-unusable", ERROR, "A package has a file name that not every system can keep")
NAME_CLASH = Rule("tree-name-clash", ERROR, "Two names of a package are the same file on some systems")
LINK_ESCAPES = Rule("tree-link-escapes", ERROR, "A link in a package leads out of the package")
NOT_PLAIN = Rule("tree-not-plain", ERROR, "A package holds something that is neither file, folder nor link")
SPECIAL_BITS = Rule("tree-special-bits", ERROR, "A file of a package runs with the rights of its owner")
TOO_LARGE = Rule("tree-too-large", ERROR, "A package is larger than any extension")

_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])( *\..*)?", re.IGNORECASE)
_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]')
_ELEVATED = stat.S_ISUID | stat.S_ISGID


class TreeEntry(Value):
    """`name` is relative with forward slashes. `kind` is file, folder or link, or says what else it is."""

    name: str
    kind: str = FILE
    size: int = 0
    mode: int = 0
    target: str = ""


def validate_tree(folder: str) -> list[Diagnostic]:
    """Why this folder is refused as a package; empty if it is valid."""
    entries = list(islice(entries_below(folder), MOST_ENTRIES + 1))
    return [*validate_entries(entries, folder), *_links_out(entries, folder)][:SHOWN]


def validate_entries(entries: Iterable[TreeEntry], where: str) -> list[Diagnostic]:
    """Validates the listing of `where`. Stops reading at the limits."""
    faults: list[Diagnostic] = []
    seen: dict[str, tuple[str, str]] = {}
    count = total = 0
    for entry in entries:
        count, total = count + 1, total + max(entry.size, 0)
        if count > MOST_ENTRIES:
            return [TOO_LARGE.at(where, f"more than {MOST_ENTRIES:,} entries")]
        if total > MOST_BYTES:
            return [TOO_LARGE.at(where, f"more than {MOST_BYTES >> 20} MiB")]
        if len(faults) < SHOWN:
            faults.extend(_faults(entry, seen, where))
    return faults


def entries_below(folder: str, *, skipped: tuple[str, ...] = ()) -> Iterator[TreeEntry]:
    """Everything below a folder, without following links, and without the `skipped` names at every level."""
    pending = [("", folder)]
    while pending:
        prefix, here = pending.pop()
        for found in listed(here):
            if found.name in skipped:
                continue
            entry = _entry(prefix + found.name, found)
            yield entry
            if entry.kind == FOLDER:
                pending.append((f"{entry.name}/", found.path))


def is_inside(target: str, name: str) -> bool:
    """Whether a link from `name` to `target` stays in the package, by its text alone."""
    if not target or target.startswith("/") or "\\" in target or _DRIVE.match(target) or _CONTROL.search(target):
        return False
    depth = name.count("/")
    for part in target.split("/"):
        depth += -1 if part == ".." else 0 if part in ("", ".") else 1
        if depth < 0:
            return False
    return True


def _entry(name: str, found: os.DirEntry[str]) -> TreeEntry:
    status = found.stat(follow_symlinks=False)
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        return TreeEntry(name, LINK, 0, mode, os.readlink(found.path).replace(os.sep, "/"))
    if hasattr(found, "is_junction") and found.is_junction():
        return TreeEntry(name, "junction")
    if stat.S_ISDIR(status.st_mode):
        return TreeEntry(name, FOLDER, 0, mode)
    kinds = {stat.S_IFREG: FILE, stat.S_IFIFO: "named pipe", stat.S_IFSOCK: "socket"}
    return TreeEntry(name, kinds.get(stat.S_IFMT(status.st_mode), "device"), status.st_size, mode)


def _faults(entry: TreeEntry, seen: dict[str, tuple[str, str]], where: str) -> Iterator[Diagnostic]:
    name = entry.name
    if message := _escape(name):
        yield NAME_ESCAPES.at(where, f"{shown(name)} {message}")
        return
    if message := _unusable(name):
        yield NAME_UNUSABLE.at(where, f"{shown(name)} {message}")
        return
    if entry.kind not in (FILE, FOLDER, LINK):
        yield NOT_PLAIN.at(where, f"{shown(name)} is a {entry.kind}")
    if entry.kind == LINK and not is_inside(entry.target, name):
        yield LINK_ESCAPES.at(where, f"{shown(name)} leads to {shown(entry.target)}, outside of the package")
    if entry.mode & (stat.S_ISUID if entry.kind == FOLDER else _ELEVATED) and entry.kind != LINK:
        yield SPECIAL_BITS.at(where, f"{shown(name)} has the mode {stat.S_IMODE(entry.mode):04o}")
    yield from _clashes(entry, seen, where)


def _escape(name: str) -> str:
    if not name or name.startswith("/"):
        return "is an absolute name" if name else "is an empty name"
    if "\\" in name:
        return "has a backslash, which Windows takes for a folder"
    if _DRIVE.match(name):
        return "begins with a drive letter"
    if ".." in name.split("/"):
        return "leads upwards"
    return "has an empty part" if any(part in ("", ".") for part in name.split("/")) else ""


def _unusable(name: str) -> str:
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "is not valid UTF-8"
    parts = name.split("/")
    if _CONTROL.search(name):
        return "has a control character"
    if size > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in parts):
        return "is too long"
    if len(parts) > DEEPEST:
        return f"is more than {DEEPEST} folders deep"
    if any(_DEVICE.fullmatch(part) for part in parts):
        return "is the name of a device on Windows"
    if any(part.endswith((".", " ")) for part in parts):
        return "ends with a dot or a blank, which Windows drops"
    return "cannot be written on Windows" if os.name == "nt" and _NOT_ON_WINDOWS.search(name) else ""


def _clashes(entry: TreeEntry, seen: dict[str, tuple[str, str]], where: str) -> Iterator[Diagnostic]:
    """`seen` maps each folded path to its spelling and kind. Parents count as folders."""
    parts = entry.name.split("/")
    for length in range(1, len(parts) + 1):
        name = "/".join(parts[:length])
        kind = entry.kind if length == len(parts) else FOLDER
        before, what = seen.setdefault(folded(name), (name, kind))
        if before != name:
            yield NAME_CLASH.at(where, f"{shown(before)} and {shown(name)} are one name on some systems")
            return
        if what != kind:
            yield NAME_CLASH.at(where, f"{shown(name)} is both a {what} and a {kind}")
            return
    if entry.kind != FOLDER and seen.get(_TWICE + entry.name):
        yield NAME_CLASH.at(where, f"{shown(entry.name)} is there twice")
    seen[_TWICE + entry.name] = (entry.name, entry.kind)


_TWICE = "\0"  # no name has one


def folded(name: str) -> str:
    """Equal for names that are one name on some file system."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def shown(name: str) -> str:
    """A name that may be hostile, safe for a message."""
    clean = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in name)
    return f"`{clean if len(clean) <= 120 else clean[:117] + '...'}`"


def _links_out(entries: list[TreeEntry], folder: str) -> Iterator[Diagnostic]:
    """Links that stay inside by their text, but lead out through other links or in a circle."""
    for entry in entries:
        if entry.kind != LINK or not is_inside(entry.target, entry.name):
            continue
        path = os.path.join(folder, *entry.name.split("/"))
        if not stays_inside(path, folder):
            yield LINK_ESCAPES.at(folder, f"{shown(entry.name)} leads out of the package by way of another link")
        elif os.path.islink(os.path.realpath(path)):
            yield LINK_ESCAPES.at(folder, f"{shown(entry.name)} leads in a circle")
