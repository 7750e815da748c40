"""What the user has decided for good: programs by content, command lines that never run. One small file, mode 0600.

A file that is broken counts as empty: everything is asked again. What only writing needs is loaded when something is
written: most calls of a command write nothing.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.formats.json_file import object_at
from pisces.places import Places
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


_FILE = "approvals.json"
_MODE = 0o600


class ApprovedProgram(Value):
    """A program as it was when it was allowed.

    Of one that is part of an installed package: `tree` is the package's hash, `files` what shows that none of its files
    was touched since that hash was found to be right.
    """

    sha256: str
    identity: tuple[int, ...]
    tree: str = ""
    files: tuple[int, ...] = ()


class Approvals(Value):
    programs: Mapping[str, ApprovedProgram]
    never: frozenset[str]


def approvals_in(places: Places) -> Approvals:
    stored = object_at(_path(places))
    programs, never = stored.get("programs"), stored.get("never")
    read = {path: _program(value) for path, value in programs.items()} if isinstance(programs, dict) else {}
    lines = frozenset(line for line in never if isinstance(line, str)) if isinstance(never, list) else frozenset()
    return Approvals({path: allowed for path, allowed in read.items() if allowed}, lines)


def remember_program(places: Places, path: str, allowed: ApprovedProgram) -> None:
    _change(places, lambda stored: stored.replace(programs={**stored.programs, path: allowed}))


def remember_never(places: Places, line: str) -> None:
    _change(places, lambda stored: stored.replace(never=stored.never | {line}))


def forget_never(places: Places, line: str) -> bool:
    """Whether the line was one that never runs; from now on it is asked about again."""
    if line not in approvals_in(places).never:
        return False
    _change(places, lambda stored: stored.replace(never=stored.never - {line}))
    return True


def _change(places: Places, change: Callable[[Approvals], Approvals]) -> None:
    """One at a time: two that write at once must not undo each other's `never`."""
    with export_of("pisces", "file_lock", "file_lock")(_path(places) + ".lock", lambda _text: None):
        _write(places, change(approvals_in(places)))


def _program(value: Any) -> ApprovedProgram | None:
    if not isinstance(value, dict) or not isinstance(value.get("sha256"), str):
        return None
    tree = str(value.get("tree") or "")
    return ApprovedProgram(value["sha256"], _numbers(value.get("identity")), tree, _numbers(value.get("files")))


def _numbers(value: Any) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, list) and all(isinstance(each, int) for each in value) else ()


def _write(places: Places, approvals: Approvals) -> None:
    programs = {path: _json(allowed) for path, allowed in sorted(approvals.programs.items())}
    never = sorted(approvals.never)
    text = export_of("json", "encoder", "JSONEncoder")(indent=1).encode({"programs": programs, "never": never})
    export_of("pisces", "atomic", "write_atomically")(_path(places), text.encode(), _MODE)


def _json(allowed: ApprovedProgram) -> dict[str, Any]:
    entry = {"sha256": allowed.sha256, "identity": list(allowed.identity), "tree": allowed.tree}
    return {**entry, "files": list(allowed.files)} if allowed.files else entry


def _path(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)
