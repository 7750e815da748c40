"""The path that a model names: relative to the current folder, `~/` for the home folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pisces.files import MISSING, TOO_LARGE, Unreadable
from pisces.formats.edit_distance import distance
from pisces.shapes.tool import ToolFailed
from pisces.tools.file_text import as_characters

if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.tools.workbench import Workbench

_MOST_NAMES = 500  # of a folder that are compared with a name that is not there
_LONGEST = 60  # of names that are compared: the cost is the product of their lengths
_MOST_HINTS = 3


def with_home(bench: Workbench, argument: str = "path") -> Callable[[Any], Any]:
    """The `prepare` of a tool: gates see the path that is meant, and the tool itself never expands one."""

    def prepare(given: Any) -> Any:
        path = given.get(argument) if isinstance(given, dict) else None
        if not isinstance(path, str) or not (path == "~" or path.startswith("~/")):
            return given
        return {**given, argument: os.path.join(bench.places.home, path[2:]) if path[2:] else bench.places.home}

    return prepare


def path_of(bench: Workbench, given: str) -> str:
    """Not normalised: `link/..` is what the system makes of it, which is what gates judge."""
    return os.path.join(bench.folder(), given)


def failed(given: str, error: Unreadable | OSError | ValueError, path: str = "") -> ToolFailed:
    """For the model: what is wrong with the path, and names that are near to it."""
    if isinstance(error, Unreadable):
        hint = _near(path) if error.kind == MISSING else ": use `shell`" if error.kind == TOO_LARGE else ""
        return ToolFailed(as_characters(f"`{given}` {error.message}{hint}"))
    reason = getattr(error, "strerror", None) or str(error)
    hint = _near(path) if isinstance(error, FileNotFoundError) else ""
    return ToolFailed(as_characters(f"`{given}`: {reason}{hint}"))


def _near(path: str) -> str:
    """Names in the folder that differ in case or by a few letters."""
    folder, wanted = os.path.split(path)
    try:
        names = os.listdir(folder)[:_MOST_NAMES] if wanted and len(wanted) <= _LONGEST else []
    except (OSError, ValueError):
        return "" if os.path.isdir(os.path.dirname(folder) or "/") else ", nor does its folder"
    most = max(len(wanted) // 3, 1)
    alike = [each for each in names if abs(len(each) - len(wanted)) <= most]
    steps = sorted((distance(each.lower(), wanted.lower(), most), each) for each in alike)
    near = [f"`{each}`" for count, each in steps if count <= most][:_MOST_HINTS]
    return f". Did you mean {' or '.join(near)}?" if near else ""
