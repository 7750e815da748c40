"""What the user has decided for good: programs by content, command lines that never run. One small file, mode 0600.

A file that is broken counts as empty: everything is asked again. What only writing needs is loaded when something is
written: most calls of a command write nothing.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.formats.json_file import object_at
from pisces.places import Places
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


MOST_COMPARED = 20_000
_FILE = "approvals.json"
_MODE, _FOLDER_MODE = 0o600, 0o700


class ApprovedProgram(Value):
    """A program as it was when it was allowed: `sha256` is the hash of all that was agreed to, `entry` its command in
    the manifest. `identity` and `files` show that neither the program nor any file of its package was touched since.

    Of one that is part of an installed package, `tree` is the package's hash.
    """

    sha256: str
    identity: tuple[int, ...]
    tree: str = ""
    files: tuple[int, ...] = ()
    entry: Mapping[str, Any] = EMPTY


class Approvals(Value):
    programs: Mapping[str, ApprovedProgram]
    never: frozenset[str]


def approvals_in(places: Places) -> Approvals:
    stored = object_at(_path(places))
    programs, never = stored.get("programs"), stored.get("never")
    read = {path: _program(value) for path, value in programs.items()} if isinstance(programs, dict) else {}
    lines = frozenset(line for line in never if isinstance(line, str)) if isinstance(never, list) else frozenset()
    return Approvals({path: allowed for path, allowed in read.items() if allowed}, lines)


def remember_program(places: Places, command: str, allowed: ApprovedProgram) -> None:
    """`command` is the key of `programs`."""
    _change(places, lambda stored: stored.replace(programs={**stored.programs, command: allowed}))


def remember_files(places: Places, command: str, pins: Mapping[str, str]) -> None:
    """What the files of a package were when its command was allowed, to show later what changed.

    In a file of its own: a package may have thousands, and every call reads the approvals. Of one with more files than
    anybody compares, nothing is stored.
    """
    pins = pins if len(pins) <= MOST_COMPARED else {}
    text = export_of("json", "encoder", "JSONEncoder")().encode({"command": command, "files": dict(pins)})
    path = _files_path(places, command)
    os.makedirs(os.path.dirname(path), _FOLDER_MODE, exist_ok=True)
    export_of("pisces", "atomic", "write_atomically")(path, text.encode("utf-8", "surrogateescape"), _MODE)


def remembered_files(places: Places, command: str) -> dict[str, str]:
    files = object_at(_files_path(places, command)).get("files")
    return {name: str(pin) for name, pin in files.items()} if isinstance(files, dict) else {}


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
    lock = export_of("pisces", "file_lock", "file_lock")(_path(places) + ".lock", lambda _text: None)
    with export_of("pisces", "disk", "disk_faults")(places.agent_dir), lock:
        _write(places, change(approvals_in(places)))


def _program(value: Any) -> ApprovedProgram | None:
    if not isinstance(value, dict) or not isinstance(value.get("sha256"), str):
        return None
    tree, entry = str(value.get("tree") or ""), value.get("entry")
    identity, files = _numbers(value.get("identity")), _numbers(value.get("files"))
    return ApprovedProgram(value["sha256"], identity, tree, files, entry) if isinstance(entry, dict) else None


def _numbers(value: Any) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, list) and all(isinstance(each, int) for each in value) else ()


def _write(places: Places, approvals: Approvals) -> None:
    programs = {path: _json(allowed) for path, allowed in sorted(approvals.programs.items())}
    never = sorted(approvals.never)
    text = export_of("json", "encoder", "JSONEncoder")(indent=1).encode({"programs": programs, "never": never})
    export_of("pisces", "atomic", "write_atomically")(_path(places), text.encode(), _MODE)


def _json(allowed: ApprovedProgram) -> dict[str, Any]:
    values = {"sha256": allowed.sha256, "identity": list(allowed.identity), "tree": allowed.tree}
    return {**values, "files": list(allowed.files), "entry": allowed.entry}


def _path(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)


def _files_path(places: Places, command: str) -> str:
    name: str = export_of("pisces.gates", "content", "text_hash")(command)
    return os.path.join(places.agent_dir, "approved", f"{name}.json")
