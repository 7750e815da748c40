"""Patterns over paths: `*` and `?` stay inside one name, `**` stands for any number of folders. Bounded in time."""

from __future__ import annotations

from pisces.formats.wildcard import wildcard_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    Part = TypeVar("Part")
    Name = TypeVar("Name")


def path_glob_matches(pattern: str, path: str) -> bool:
    """Whether the whole path fits."""
    parts = [None if part == "**" else part for part in pattern.split("/")]
    return fits_in_order(parts, path.split("/"), wildcard_matches)


def fits_in_order(parts: Sequence[Part | None], names: Sequence[Name], fits: Callable[[Part, Name], bool]) -> bool:
    """Whether parts of a pattern fit the names of a path, one by one; None stands for any number of names.

    Only the last None is tried again, so the cost is at most names times parts.
    """
    part = name = 0
    retry = tried = -1
    while name < len(names):
        wanted = parts[part] if part < len(parts) else None
        if part < len(parts) and wanted is None:
            retry, tried = part, name
            part += 1
        elif wanted is not None and fits(wanted, names[name]):
            part, name = part + 1, name + 1
        elif retry < 0:
            return False
        else:
            tried += 1
            part, name = retry + 1, tried
    return all(rest is None for rest in parts[part:])
