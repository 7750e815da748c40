"""Folders that the user may not read, or that are too large: what is not found in them is reported, not passed over.

Context files are listed without being read, so those too are tried here.
"""

from __future__ import annotations

import os
import stat

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.files import MOST_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.harness import Run

FOLDER_UNREADABLE = Rule("folder-unreadable", ERROR, "A folder cannot be read, so nothing in it is found")

FOLDERS_LEFT = Rule("folders-left", WARNING, "There are more folders below this one than are read")

CONTEXT_UNREADABLE = Rule("context-unreadable", ERROR, "A context file cannot be read")

_DEEPEST = 3  # folders below the one that is looked at
_MOST = 1000
_FILE_ENDS = (".json", ".toml", ".md", ".yml", ".yaml")  # of paths at which there are hardly ever folders


def denied(path: str, run: Run, *, below: bool) -> list[Diagnostic]:
    """The folder at a path, or above it, that cannot be read; with `below`, also those in it. Once in a run."""
    return looked_at(path, run, below=below)[1]


def looked_at(path: str, run: Run, *, below: bool) -> tuple[bool, list[Diagnostic]]:
    """Whether there is anything at a path, be it a link that leads nowhere; and what `denied` says of it."""
    return run.once(("denied", path, below), lambda: look_at(path, below=below))


def look_at(path: str, *, below: bool) -> tuple[bool, list[Diagnostic]]:
    """`looked_at` for a path that nobody else in the run looks at."""
    is_there = False
    try:
        if not below and not path.endswith(_FILE_ENDS) and not is_denied(path):  # one question for a usual folder
            return True, []
        mode = os.lstat(path).st_mode
        is_there = True
        if stat.S_ISLNK(mode):
            mode = os.stat(path).st_mode
    except PermissionError:
        return is_there, [unreadable(_closed_above(path))]
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return is_there, []
    if not stat.S_ISDIR(mode):
        return True, []
    return True, [unreadable(each) for each in _folders(path, below=below)]


def context_denied(path: str) -> Iterator[Diagnostic]:
    """What is wrong with a context file that was found."""
    if not os.access(path, os.R_OK) and os.path.lexists(path):
        why = "permission denied" if os.path.exists(path) else "the link leads nowhere"
        yield CONTEXT_UNREADABLE.at(path, f"the file cannot be read: {why}", about=os.path.basename(path))


def left_over(cuts: list[str]) -> Iterator[Diagnostic]:
    """What is said of folders that were not read to their end; the list is empty then."""
    while cuts:
        folder = cuts.pop()
        message = f"{MOST_FOLDERS:,} folders below it are read, and there are more"
        hint = "what lies in the others is not found: name a smaller folder, or move what does not belong here"
        yield FOLDERS_LEFT.at(folder, message, hint=hint)


def is_denied(folder: str) -> bool:
    return not os.access(folder, os.R_OK | os.X_OK)


def unreadable(folder: str) -> Diagnostic:
    hint = "nothing in it is found: give yourself the right to read it"
    return FOLDER_UNREADABLE.at(
        folder, "the folder cannot be read: permission denied", hint=hint, about=os.path.basename(folder)
    )


def _folders(path: str, *, below: bool) -> Iterator[str]:
    pending = [(path, 0)]
    for folder, level in pending:
        if is_denied(folder):
            yield folder
        elif below and level < _DEEPEST and len(pending) < _MOST:
            pending.extend((inner, level + 1) for inner in _inside(folder))


def _inside(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return sorted(entry.path for entry in found if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _closed_above(path: str) -> str:
    """The highest folder above a path that cannot be entered."""
    folder = os.path.dirname(path)
    while os.path.dirname(folder) != folder and not os.access(os.path.dirname(folder), os.X_OK):
        folder = os.path.dirname(folder)
    return folder
