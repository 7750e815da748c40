"""What a call of `write` or `edit` would make of a file. Nothing is written: dialogs and editors show it before."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pisces.files import MISSING, Unreadable, read_bytes
from pisces.shapes.tool import ToolFailed
from pisces.tools.file_text import FileText, file_text
from pisces.tools.named_path import failed
from pisces.tools.replacing import Edit, replaced
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

WRITE, EDIT = "write", "edit"


class Proposed(Value):
    """`path` is the file behind every link. `before` is None for a new file; `data` are the bytes to be stored, and
    `found` those that the file has now. `notes` say where an edit did not match exactly.
    """

    path: str
    before: str | None
    after: str
    data: bytes = b""
    found: bytes | None = None
    notes: tuple[str, ...] = ()
    count: int = 0


def proposed_text(tool: str, given: Mapping[str, Any], folder: str) -> Proposed | None:
    """None for a call that changes no file of text. Raises `ToolFailed` where it could not be run."""
    if tool == WRITE and isinstance(given.get("path"), str) and isinstance(given.get("content"), str):
        return proposed_write(given, folder)
    return proposed_edit(given, folder) if tool == EDIT and isinstance(given.get("path"), str) else None


def proposed_write(given: Mapping[str, Any], folder: str) -> Proposed:
    """The content as it is: a byte order mark and CRLF of the old file stay, unless the content has its own ends."""
    path = os.path.realpath(_joined(folder, given["path"]))
    found = _found(path, given["path"])
    old = file_text(found) if found is not None else None
    form = old or FileText("")
    content: str = given["content"]
    if "\r" in content:
        form = form.replace(newline="\n")
    before = old.text if old else None if found is None else ""
    return Proposed(path, before, content, _data(form, content), found)


def proposed_edit(given: Mapping[str, Any], folder: str) -> Proposed:
    named = given["path"]
    path = os.path.realpath(_joined(folder, named))
    found = _found(path, named)
    if found is None:
        raise failed(named, Unreadable(MISSING, "does not exist: use `write` to create it"), path)
    old = file_text(found)
    if old is None:
        raise ToolFailed(f"`{named}` is not text: it cannot be edited")
    done = replaced(old.text, edits_in(given, old.newline))
    return Proposed(path, old.text, done.text, _data(old, done.text), found, done.notes, done.count)


def edits_in(given: Mapping[str, Any], newline: str = "\n") -> tuple[Edit, ...]:
    """Of `edits`, or the one of `old` and `new`. Raises `ToolFailed` where there are both or none."""
    several = given.get("edits")
    has_one = "old" in given or "new" in given
    if bool(several) == has_one:
        raise ToolFailed("give either `edits`, or `old` and `new`")
    listed = several if several else [given]
    everywhere = given.get("replace_all") is True
    return tuple(
        Edit(_ends(each.get("old", ""), newline), _ends(each.get("new", ""), newline), everywhere) for each in listed
    )


def _ends(text: str, newline: str) -> str:
    """In a file with CRLF, a model may write them or not."""
    return text.replace("\r\n", "\n") if newline == "\r\n" else text


def _joined(folder: str, named: str) -> str:
    try:
        if b"\0" in os.fsencode(named):
            raise ToolFailed("a path has no NUL in it")
    except UnicodeEncodeError:
        raise ToolFailed("the path has half a character in it, which no file can have") from None
    return os.path.join(folder, named)


def _found(path: str, named: str) -> bytes | None:
    """The bytes of the file; None where there is none yet."""
    try:
        return read_bytes(path)
    except Unreadable as error:
        if error.kind == MISSING:
            return None
        raise failed(named, error, path) from None


def _data(form: FileText, text: str) -> bytes:
    try:
        return form.data_of(text)
    except UnicodeEncodeError as error:
        raise ToolFailed(f"the text has half a character at {error.start}, which no file can hold") from None
