"""Patches that name their files: `*** Update File: a.py`, then lines with `+`, `-` or a blank before them.

Reads what a patch does to which file, and writes a patch for one file. Reading never fails: what it does not understand
is left out, and a caller that has to know about every file asks `files_of`.
"""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ADD, UPDATE, DELETE = "Add", "Update", "Delete"
_BEGIN, _END, _MOVE = "*** Begin Patch", "*** End Patch", "*** Move to: "
_KINDS = {f"*** {kind} File: ": kind for kind in (ADD, UPDATE, DELETE)}


class FilePatch(Value):
    """What happens to one file. `old` and `new` are the lines that the patch takes and gives, `moved_to` a new name."""

    kind: str
    path: str
    old: str = ""
    new: str = ""
    moved_to: str = ""


def files_of(patch: str) -> list[FilePatch]:
    """Each file that the patch names, in its order."""
    found: list[FilePatch] = []
    body: list[str] = []
    for line in patch.split("\n"):
        heading = next((head for head in _KINDS if line.strip().startswith(head)), "")
        if heading:
            _close(found, body)
            found.append(FilePatch(_KINDS[heading], line.strip()[len(heading) :].strip()))
            body = []
        else:
            body.append(line)
    _close(found, body)
    return found


def _close(found: list[FilePatch], body: list[str]) -> None:
    """Gives the last file the lines that follow its heading."""
    if not found:
        return
    moved = next((line[len(_MOVE) :].strip() for line in body if line.startswith(_MOVE)), "")
    until = next((at for at, line in enumerate(body) if line.startswith(_END)), len(body))
    lines = [line for line in body[:until] if not line.startswith(("***", "@@"))]
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] in ("-", " ", ""))
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] in ("+", " ", ""))
    found[-1] = found[-1].replace(old=old, new=new, moved_to=moved)


def single_patches(patch: str) -> list[str]:
    """A patch for each file that the patch names, and one for each new name of a file."""
    found: list[list[str]] = []
    for line in patch.split("\n"):
        if any(line.strip().startswith(head) for head in _KINDS):
            found.append([])
        if found and not line.startswith((_BEGIN, _END)):
            found[-1].append(line)
    moved = [adding(each.moved_to, each.new) for each in files_of(patch) if each.moved_to]
    return [_patch("\n".join(lines).strip("\n"), ()) for lines in found] + moved


def adding(path: str, content: str) -> str:
    """A patch that writes a file."""
    return _patch(f"*** {ADD} File: {path}", _marked("+", content))


def replacing(path: str, changes: Iterable[tuple[str, str]]) -> str:
    """A patch that puts texts in the place of others. A part of a line is treated as a whole one."""
    hunks = [["@@", *_marked("-", old), *_marked("+", new)] for old, new in changes]
    return _patch(f"*** {UPDATE} File: {path}", [line for hunk in hunks for line in hunk])


def _marked(mark: str, text: str) -> list[str]:
    return [f"{mark}{line}" for line in text.split("\n")[: -1 if text.endswith("\n") else None] if text]


def _patch(heading: str, lines: Iterable[str]) -> str:
    return "\n".join((_BEGIN, heading, *lines, _END, ""))
