"""Files that a Markdown prompt names with `@path`: the name stays in the text, and the file comes after it.

A path counts from the workspace and must lie in it, or in the package that the prompt belongs to. What names no file
is no mention (`@types/node`, `me@example.org`) and stays as it is, silently.
"""

from __future__ import annotations

import os
import re

from pisces.commands.prompts.included import FILE_MISSING, Workspace, included
from pisces.files import entries, is_folder
from pisces.shapes.prompt import Part
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.diagnostics import Diagnostic
    from pisces.places import Places

_LINES = re.compile(r"#L(\d{1,9})(?:-L?(\d{1,9}))?\Z", re.ASCII)
_AFTER_A_NAME = ".,:;!?)]}>*_'\""
_TYPED = re.compile(r'(?<!\S)@("[^"\n]{1,2000}"|[^\s"]{1,2000})')
_MOST_TYPED = 100


class Mention(Value):
    """`written` is what the text keeps; `path` is what may name a file."""

    written: str
    path: str


def typed_attachments(line: str, places: Places) -> tuple[list[Part], list[Diagnostic]]:
    """Of the files that a line of the user names; a name with blanks stands in quotation marks."""
    named = [Mention(found[0], found[1].strip('"')) for found in _TYPED.finditer(line)]
    return attachments(named[:_MOST_TYPED], places, "")


def attachments(
    mentions: Sequence[Mention], places: Places, asking: str, package: str = ""
) -> tuple[list[Part], list[Diagnostic]]:
    """Each file once, in the order of the mentions, under a line with its name. `asking` is the file that has them."""
    parts: list[Part] = []
    diagnostics: list[Diagnostic] = []
    rooms = [(folder, Workspace(folder)) for folder in (places.cwd, package) if folder]
    for named in dict.fromkeys(_named(mention.path, places) for mention in mentions):
        if named:
            found, problems = _attached(named, places.absolute(_LINES.sub("", named)), rooms, asking)
            parts += found
            diagnostics += problems
    return parts, diagnostics


def _named(path: str, places: Places) -> str:
    """The longest beginning of what was written that names something; nothing where none does."""
    for text in _readings(path):
        bare = _LINES.sub("", text)
        if bare and "\0" not in bare and os.path.lexists(places.absolute(bare)):
            return text
    return ""


def _readings(path: str) -> Iterator[str]:
    yield path
    yield path.rstrip(_AFTER_A_NAME)
    first = (path.split(None, 1) or [""])[0]
    yield first
    yield first.rstrip(_AFTER_A_NAME)


def _attached(
    named: str, path: str, rooms: list[tuple[str, Workspace]], asking: str
) -> tuple[list[Part], tuple[Diagnostic, ...]]:
    folder, room = next((each for each in rooms if each[1].holds(path)), ("", None))
    if room is None:
        message = f"`@{named}` is outside of the workspace, or is never given to a model"
        hint = "paths count from the workspace and stay in it, links included"
        return [], (FILE_MISSING.at(asking, message, hint=hint),)
    below = os.path.relpath(path, folder)
    if os.path.isdir(path):
        return _listed(_LINES.sub("", named), below, room), ()
    found = included(below, room, asking)
    content = [_cut(part, _LINES.search(named)) for part in found.parts]
    return [Part(f"\n\n--- {named} ---\n"), *content] if content else [], found.diagnostics


def _cut(part: Part, lines: re.Match[str] | None) -> Part:
    if lines is None or part.data:
        return part
    first, last = int(lines[1]), int(lines[2] or lines[1])
    return part.replace(text="\n".join(part.text.split("\n")[max(first, 1) - 1 : last]))


def _listed(named: str, below: str, room: Workspace) -> list[Part]:
    """A folder is listed, not read: its files may be many."""
    names = [
        entry.name + ("/" if is_folder(entry) else "")
        for entry in entries(os.path.normpath(os.path.join(room.root, below)))
        if room.holds(entry.path) and not room.leaves_out(entry.path)
    ]
    return [Part(f"\n\n--- {named} ---\n" + "\n".join(names))]
