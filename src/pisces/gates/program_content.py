"""What consent to a program covers: its bytes, its entry in the manifest as it is used, and all files of its package.

Only git's own folder at the top of a package is left out: no fetch puts files of others there, and every git command
changes it.
"""

from __future__ import annotations

import os

from pisces.discovery.manifest_entry import entry_text, says_entry
from pisces.discovery.pins import changed_pins, digest_of, pins_below
from pisces.gates.content import content_hash, text_hash
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from pisces.packages.store.tree import TreeFile
    from pisces.shapes.request import ProgramRequest

_GIT = ".git"
_MOST_NAMED = 1000  # changed files; cards have pages, and a harmless dozen must not hide another


class ProgramContent(Value):
    """`sha256` is empty where the program is not the file that was checked. `pins` has the files of the package."""

    sha256: str
    pins: Mapping[str, str]


def program_content(request: ProgramRequest) -> ProgramContent:
    """Raises `TooManyFiles`, and OSError where the program cannot be read."""
    own = content_hash(request.program, request.identity)
    if not own or not request.folder:
        return ProgramContent(own, {})
    pins = pins_below(request.folder, lambda name: name == _GIT)
    where = (_inside(request.program, request), _inside(request.path, request), request.name)
    parts = (own, *where, entry_text(request.entry), digest_of(pins))
    return ProgramContent(text_hash("\0".join(parts)), pins)


def is_in_manifest(request: ProgramRequest, files: Sequence[TreeFile]) -> bool:
    """Whether the entry is that of the manifest that was hashed with the package."""
    name = _inside(request.path, request)
    hashed = next((each.sha256 for each in files if each.path == name), "")
    return says_entry(request.path, hashed, ("commands", request.name), request.entry)


def entry_changes(old: Mapping[str, Any], new: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """What differs in the entry of a manifest, key by key. Values of variables are not shown: some are secrets."""
    for key in sorted({*old, *new}):
        name, before, after = f"{above}{key}", old.get(key), new.get(key)
        if before == after and (key in old) == (key in new):
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            yield from entry_changes(before, after, f"{name}.")
        elif key not in new:
            yield f"`{name}` is gone, it was {_shown(name, before)}"
        elif key not in old:
            yield f"`{name}` is new: {_shown(name, after)}"
        else:
            yield f"`{name}` was {_shown(name, before)} and is {_shown(name, after)}"


def file_changes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    every = [f"{what} {name}" for what, name in changed_pins(old, new)]
    yield from every[:_MOST_NAMED]
    if len(every) > _MOST_NAMED:
        yield f"and {len(every) - _MOST_NAMED} more files"


def _inside(path: str, request: ProgramRequest) -> str:
    """Relative to the package, so that the same package has the same hash on every machine."""
    return os.path.relpath(os.path.realpath(path), os.path.realpath(request.folder)).replace(os.sep, "/")


def _shown(name: str, value: object) -> str:
    if name.startswith("env"):
        return ", ".join(value) if isinstance(value, dict) else "set"
    return entry_text(value)
