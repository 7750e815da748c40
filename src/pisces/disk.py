"""What the disk refuses, as a diagnostic: which path, why, and what to do about it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from errno import EACCES, EDQUOT, EEXIST, EFBIG, ENOSPC, EPERM, EROFS

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.places import AGENT_DIR_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DISK_REFUSED = Rule("disk-refused", ERROR, "The disk does not take what pisces has to write")

_FULL = (ENOSPC, EDQUOT, EFBIG)
_OURS = os.path.join(".pisces", "agent")


@contextmanager
def disk_faults(folder: str) -> Iterator[None]:
    """Turns errors about this folder, and about what is above it, into `PiscesError`."""
    try:
        yield
    except OSError as error:
        path = _path(error)
        if not path or not (_is_inside(path, folder) or _is_inside(folder, path)):
            raise
        raise PiscesError(disk_fault(error)) from None


def is_of_disk(error: OSError, folder: str) -> bool:
    """Whether an error while something is copied into a folder is about the folder, not about what is copied."""
    return error.errno in (*_FULL, EROFS) or _is_inside(_path(error), folder)


def _is_inside(path: str, folder: str) -> bool:
    return f"{path}{os.sep}".startswith(f"{folder}{os.sep}")


def disk_fault(error: OSError, path: str = "", rule: Rule = DISK_REFUSED) -> Diagnostic:
    """`path` is for errors that name none, or the one that is read from: a write that fails does not know its file."""
    path = path or _path(error)
    message = f"cannot be written: {(error.strerror or str(error)).lower()}"
    return rule.at(path, message, hint=_hint(error, path))


def _path(error: OSError) -> str:
    named = error.filename
    return os.fsdecode(named) if isinstance(named, str | bytes) else ""


def _hint(error: OSError, path: str) -> str:
    ours = path.endswith(f"{os.sep}.pisces") or f"{os.sep}{_OURS}" in path
    elsewhere = f", or name another folder in {AGENT_DIR_VARIABLE}" if ours else ""
    if error.errno in _FULL:
        return f"make room on that disk{elsewhere}"
    if error.errno == EROFS:
        return f"that disk can only be read{elsewhere}"
    blocking = path if os.path.isfile(path) and error.errno == EEXIST else _nearest(path)
    if blocking and not os.path.isdir(blocking):
        return f"`{blocking}` is a file, and a folder has to be there{elsewhere}"
    if error.errno in (EACCES, EPERM):
        return f"let this account write to `{blocking}`{elsewhere}"
    return f"look at `{blocking}`{elsewhere}" if blocking else ""


def _nearest(path: str) -> str:
    """The nearest thing above a path that exists."""
    above = os.path.dirname(path)
    while above and not os.path.lexists(above) and above != os.path.dirname(above):
        above = os.path.dirname(above)
    return above
