"""What an editor reports about the user's work: the open files, where the cursor is, what is selected.

The wire is strict in both directions: one wrong field makes Gemini CLI drop the connection, so nothing is ever null.
"""

from __future__ import annotations

from pisces.formats.fit import FLAG, NUMBER, TEXT, Listed, Record, misfits
from pisces.formats.malformed import Malformed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_FILES = 10
MOST_SELECTED = 16 * 1024  # UTF-16 units, as JavaScript counts them


class Cursor(Value):
    """Both count from 1."""

    line: int
    character: int


class OpenFile(Value):
    """`path` is absolute; `timestamp` says when the file was last focused, in milliseconds since 1970."""

    path: str
    timestamp: float
    is_active: bool = False
    cursor: Cursor | None = None
    selected_text: str = ""


class IdeContext(Value):
    """`is_trusted` is None where the editor has no opinion about the folder."""

    open_files: tuple[OpenFile, ...] = ()
    is_trusted: bool | None = None


def _endless(value: float) -> str:
    return "is not a number that JSON can write" if value in (float("inf"), float("-inf")) else ""  # as 1e400 is read


_FINITE = NUMBER.that(_endless)
_CURSOR = Record({"line": _FINITE, "character": _FINITE})
_FILE = Record({"path": TEXT, "timestamp": _FINITE}, {"isActive": FLAG, "cursor": _CURSOR, "selectedText": TEXT})
_STATE = Record({}, {"openFiles": Listed(_FILE), "isTrusted": FLAG})
_CONTEXT = Record({}, {"workspaceState": _STATE})


def as_json(context: IdeContext) -> dict[str, Any]:
    """The params of `ide/contextUpdate`. A field without a value is left out."""
    state: dict[str, Any] = {"openFiles": [_file_json(each) for each in context.open_files]}
    if context.is_trusted is not None:
        state["isTrusted"] = context.is_trusted
    return {"workspaceState": state}


def context_from_json(value: object) -> IdeContext:
    """Reads such params; `Malformed` names the first field that does not fit. Unknown fields are left alone."""
    for misfit in misfits(value, _CONTEXT):
        place = ".".join(map(str, misfit.path)) or "the context"
        raise Malformed(f"`{place}` {misfit.message}")
    assert isinstance(value, dict)
    state = value.get("workspaceState", {})
    return IdeContext(tuple(map(_file_in, state.get("openFiles", ()))), state.get("isTrusted"))


def _file_json(file: OpenFile) -> dict[str, Any]:
    fields: dict[str, Any] = {"path": file.path, "timestamp": file.timestamp}
    if file.is_active:
        fields["isActive"] = True
    if file.cursor:
        fields["cursor"] = {"line": file.cursor.line, "character": file.cursor.character}
    if file.selected_text:
        fields["selectedText"] = file.selected_text
    return fields


def _file_in(value: dict[str, Any]) -> OpenFile:
    cursor = value.get("cursor")
    place = Cursor(int(cursor["line"]), int(cursor["character"])) if cursor else None
    is_active, selected = value.get("isActive", False), value.get("selectedText", "")
    return OpenFile(value["path"], value["timestamp"], is_active, place, selected)
