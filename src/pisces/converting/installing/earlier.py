"""Files that an earlier installation of the same package left without a manifest of ours: known by name and content."""

from __future__ import annotations

import os

from pisces.files import Unreadable, read_bytes
from pisces.formats.json_file import object_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.converting.installing.layout import InstallPlace

_LONG = 20  # a line of this length says whose text it is
_SHORT = 4
_ENOUGH = 0.5


def resembles(path: str, new: bytes) -> bool:
    """Whether a file has at least half of the lines of the one that would be written there."""
    try:
        old = {line.strip() for line in read_bytes(path).decode("utf-8", "replace").splitlines()}
    except Unreadable:
        return False
    lines = {line.strip() for line in new.decode("utf-8", "replace").splitlines()}
    telling = {line for line in lines if len(line) >= _LONG} or {line for line in lines if len(line) >= _SHORT}
    return bool(telling) and len(telling & old) >= _ENOUGH * len(telling)


def earlier_names(path: str) -> Iterator[str]:
    """Other places where converters have put what goes to `path`: commands without the package's name before them."""
    first, *rest = path.split("/")
    for start in range(1, len(rest)):
        yield "/".join((first, *rest[start:]))


def listed_by_others(place: InstallPlace) -> list[str]:
    """What the manifest of another installer names: groups of names, without digests."""
    groups = object_at(place.root.path(place.manifest)).get("groups")
    found: list[str] = []
    for folder in place.layout.folders:
        names = groups.get(folder) if isinstance(groups, dict) else None
        for name in names if isinstance(names, list) else ():
            if isinstance(name, str) and _is_plain(name):
                found += [f"{folder}/{name}{suffix}" for suffix in ("", ".md", ".toml")]
    return found


def regular_files(place: InstallPlace, paths: Iterable[str]) -> Iterator[str]:
    """These files, and those in these folders; links are left alone."""
    for path in paths:
        whole = place.root.path(path)
        if os.path.islink(whole):
            continue
        if os.path.isfile(whole):
            yield path
        elif os.path.isdir(whole):
            names = sorted(os.listdir(whole))
            yield from regular_files(place, (f"{path}/{name}" for name in names))


def _is_plain(name: str) -> bool:
    return bool(name) and not any(part in ("", ".", "..") for part in name.split("/")) and "\\" not in name
