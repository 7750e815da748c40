"""The files below a folder, each pinned by the hash of its bytes: what consent, signatures and trust are bound to.

A link is pinned by its text. What lies behind a link that leads out of the folder is pinned as well, because nothing
else covers it. Times, owners and modes are not pinned: a signature that was made on one system must hold on another.
Trust is given on one system, so what it compares (`pin_of`, `folder_pin`) has the run bit as well.
"""

from __future__ import annotations

import hashlib
import os
import stat

from pisces.discovery.containment import link_leads_out
from pisces.files import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MOST_FILES = 300_000
ADDED, CHANGED, REMOVED = "added", "changed", "removed"

_CHUNK = 1 << 20
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NONBLOCK", "O_BINARY"))


FOLDER = "folder:"
PROGRAM = "program:"  # before the hash of a file that its owner may start


class NotPinned(ImportError):
    """A file is not one that somebody agreed to, or has changed since."""


class TooManyFiles(Exception):
    """A folder has more files than can be covered: a link may lead to the top of the disk."""


def pins_below(
    folder: str, is_left_out: Callable[[str], bool] | None = None, content: Callable[[str], str] | None = None
) -> dict[str, str]:
    """A pin for each file below a folder, by its relative path with forward slashes.

    `is_left_out` gets such a path, of a file or a folder; `content` makes the pin of a file. Raises `TooManyFiles`.
    """
    found: dict[str, str] = {}
    for name, pin in _walk(os.path.realpath(folder), is_left_out, content or _content):
        found[name] = pin
        if len(found) > MOST_FILES:
            raise TooManyFiles(f"{folder} has more than {MOST_FILES:,} files")
    return found


def pin_of(path: str) -> str:
    """The pin of one file. A link is pinned with the bytes that it leads to."""
    link = f"link:{os.readlink(path)} " if os.path.islink(path) else ""
    return link + content_and_run_bit(path)


def content_and_run_bit(path: str) -> str:
    try:
        is_program = os.name == "posix" and bool(os.stat(path).st_mode & stat.S_IXUSR)
    except (OSError, ValueError):
        is_program = False
    return (PROGRAM if is_program else "") + _content(path)


def digest_of(pins: Mapping[str, str]) -> str:
    """One hash for all pins, as 64 hexadecimal digits. No name and no pin has a NUL, so no two sets have one text."""
    whole = hashlib.sha256()
    for name in sorted(pins):
        whole.update(f"{name}\0{pins[name]}\0".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def folder_pin(folder: str) -> str:
    """One pin for all that is below a folder, except git's own."""
    return FOLDER + digest_of(pins_below(folder, lambda name: name == ".git", content_and_run_bit))


def check_pin(pins: Mapping[str, str], path: str, data: bytes) -> None:
    """Raises `NotPinned` if these bytes are not those that are pinned for a path."""
    pin = pins.get(os.path.normpath(path)) or pins.get(os.path.realpath(path), "")
    pinned = pin.rpartition("sha256:")[2]
    if pinned != hashlib.sha256(data).hexdigest():
        what = "is not what you trusted" if pinned else "was not there, or not imported, when you trusted the module"
        raise NotPinned(f"`{path}` {what}: `pisces trust` shows the difference and asks")


def broken_pin(pins: Mapping[str, str]) -> str:
    """The first path whose file or folder is not as pinned; empty if all are."""
    for path, pin in pins.items():
        if (folder_pin(path) if pin.startswith(FOLDER) else pin_of(path)) != pin:
            return path
    return ""


def changed_pins(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What happened to each path that is not the same in both, sorted by path."""
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield (ADDED if name not in old else REMOVED if name not in new else CHANGED), name


def _walk(
    root: str, is_left_out: Callable[[str], bool] | None, content: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    pending, seen = [("", root)], {root}
    while pending:
        prefix, here = pending.pop()
        for entry in entries(here):  # sorted: which of two links to a folder counts must not depend on the disk
            name = prefix + entry.name
            if is_left_out is not None and is_left_out(name):
                continue
            if entry.is_symlink():
                outside = os.path.realpath(entry.path) if link_leads_out(entry.path, root) else ""
                yield name, _link(entry.path, outside, content)
                pending += [(f"{name}/", outside)] if os.path.isdir(outside) and outside not in seen else []
                seen.add(outside)
            elif entry.is_dir(follow_symlinks=False):
                pending.append((f"{name}/", entry.path))
            else:
                yield name, content(entry.path)


def _link(path: str, outside: str, content: Callable[[str], str]) -> str:
    """The pin of a link. A folder outside that it leads to is walked as well, once."""
    text = f"link:{os.readlink(path)}"
    return f"{text} {content(outside)}" if outside and not os.path.isdir(outside) else text


def _content(path: str) -> str:
    """The hash of a regular file. Nothing else is opened; what cannot be read cannot be run either."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return "special"
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return "unreadable"
    try:
        whole = hashlib.sha256()
        while chunk := os.read(handle, _CHUNK):
            whole.update(chunk)
    except OSError:
        return "unreadable"
    finally:
        os.close(handle)
    return f"sha256:{whole.hexdigest()}"
