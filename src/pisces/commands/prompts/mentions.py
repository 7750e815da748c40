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

    from pisces.commands.prompts.expansion import Expansion
    from pisces.diagnostics import Diagnostic
    from pisces.places import Places

_LINES = re.compile(r"#L(\d{1,9})(?:-L?(\d{1,9}))?\Z", re.ASCII)
_AFTER_A_NAME = ".,:;!?)]}>*_'\""


class Mention(Value):
    """`written` is what the text keeps; `path` is what may name a file."""

    written: str
    path: str


def attachments(
    mentions: Sequence[Mention], expansion: Expansion, package: str = ""
) -> tuple[list[Part], list[Diagnostic]]:
    """Each file once, in the order of the mentions, under a line with its name."""
    parts: list[Part] = []
    diagnostics: list[Diagnostic] = []
    rooms = [(folder, Workspace(folder)) for folder in (expansion.places.cwd, package) if folder]
    for named in dict.fromkeys(_named(mention.path, expansion.places) for mention in mentions):
        if named:
            found, problems = _attached(named, rooms, expansion)
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
    named: str, rooms: list[tuple[str, Workspace]], expansion: Expansion
) -> tuple[list[Part], tuple[Diagnostic, ...]]:
    bare = _LINES.sub("", named)
    path = expansion.places.absolute(bare)
    folder, room = next((each for each in rooms if each[1].holds(path)), ("", None))
    if room is None:
        message = f"`@{named}` is outside of the workspace, or is never given to a model"
        hint = "paths count from the workspace and stay in it, links included"
        return [], (FILE_MISSING.at(expansion.command.path, message, hint=hint),)
    below = os.path.relpath(path, folder)
    if os.path.isdir(path):
        return _listed(bare, below, room), ()
    found = included(below, room, expansion.command.path)
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
