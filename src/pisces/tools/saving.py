"""Stores a text that the model wrote: in one step, with the file's own permissions, only over what the model saw."""

from __future__ import annotations

import difflib
import hashlib
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pisces.files import Unreadable, read_bytes
from pisces.shapes.tool import ToolFailed
from pisces.tools.file_text import as_characters
from pisces.tools.workbench import text_result

if TYPE_CHECKING:
    from pisces.tools.proposed import Proposed
    from pisces.tools.workbench import Workbench

_MOST_DIFF_LINES = 20_000  # of a text; a diff of longer ones takes minutes
_CONTEXT = 3
_AMENDED = "the user changed your text before it was stored: `read` it again"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def saved(bench: Workbench, proposed: Proposed, named: str) -> dict[str, Any]:
    """The result for the model and the screen. Raises `ToolFailed`, and then the file is as it was."""
    _check_seen(bench, proposed, named)
    if proposed.data == proposed.found:
        raise ToolFailed(f"`{named}` has this text already: nothing was changed")
    try:
        _store(proposed)
    except OSError as error:
        raise ToolFailed(f"`{named}` cannot be written: {error.strerror or error}. It is as it was") from None
    is_amended = bench.seen.take_amended(proposed.path)
    bench.seen.saw(proposed.path, "" if is_amended else hashlib.sha256(proposed.data).hexdigest())
    diff = unified_diff(proposed, named)
    added, removed = _counted(diff)
    is_new = proposed.found is None
    what = "created" if is_new else "changed"
    notes = (*proposed.notes, *((_AMENDED,) if is_amended else ()))
    text = "\n".join((f"{what} `{named}` (+{added} -{removed})", *(f"note: {each}" for each in notes)))
    return text_result(text, path=proposed.path, diff=diff, added=added, removed=removed, is_new=is_new)


def unified_diff(proposed: Proposed, named: str) -> str:
    """Without half characters; empty for texts that are too long to be compared."""
    before, after = (proposed.before or "").split("\n"), proposed.after.split("\n")
    if len(before) + len(after) > _MOST_DIFF_LINES:
        return ""
    source = "/dev/null" if proposed.found is None else named
    lines = difflib.unified_diff(_ended(before), _ended(after), source, named, n=_CONTEXT, lineterm="")
    return as_characters("\n".join(lines))


def _ended(lines: list[str]) -> list[str]:
    """The text behind the last line end is a line if there is some."""
    return lines if lines[-1] else lines[:-1]


def _check_seen(bench: Workbench, proposed: Proposed, named: str) -> None:
    if not proposed.found:  # a new file, or an empty one
        return
    seen = bench.seen.hash_of(proposed.path)
    if not seen:
        raise ToolFailed(f"`{named}` exists and you have not read it: `read` it first")
    if seen != hashlib.sha256(proposed.found).hexdigest():
        raise ToolFailed(f"`{named}` has changed since you read it: `read` it again, then repeat the call")


def _store(proposed: Proposed) -> None:
    path, folder = proposed.path, os.path.dirname(proposed.path)
    os.makedirs(folder, exist_ok=True)
    if proposed.found is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "permission denied")
    is_new = proposed.found is None
    aside = os.path.join(folder, f".{os.path.basename(path)[:100]}.{os.urandom(6).hex()}.new")
    handle = os.open(aside, _NEW, 0o666 if is_new else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(proposed.data)
            file.flush()
            os.fsync(file.fileno())
        if not is_new:
            _take_over(path, aside)
        if _now(path) != proposed.found:  # somebody wrote while we did
            raise FileExistsError(17, "somebody else has just changed it: `read` it again")
        os.replace(aside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside)
        raise


def _take_over(path: str, aside: str) -> None:
    """Mode and owner of the old file."""
    status = os.stat(path)
    if sys.platform != "win32":
        with suppress(OSError):  # only root may give files away
            os.chown(aside, status.st_uid, status.st_gid)
    os.chmod(aside, status.st_mode & 0o7777)


def _now(path: str) -> bytes | None:
    try:
        return read_bytes(path)
    except Unreadable:
        return None


def _counted(diff: str) -> tuple[int, int]:
    lines = diff.split("\n")[2:]
    return sum(each.startswith("+") for each in lines), sum(each.startswith("-") for each in lines)
