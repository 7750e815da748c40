"""Files and folders of the workspace as parts of a prompt: what `@{path}` puts in, in the words that Gemini CLI uses.

A path must lie in the workspace after all links are followed. Ignored files are left out; of `.git`, `.env`,
`node_modules` and credentials of CI jobs nothing is ever read.
"""

from __future__ import annotations

import os

from pisces.commands.prompts.file_part import file_part
from pisces.diagnostics import NOTE, WARNING, Rule
from pisces.discovery.ignore_files import IgnoreFiles
from pisces.discovery.withheld import is_withheld
from pisces.files import entries
from pisces.shapes.prompt import Part
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic

FILE_MISSING = Rule("prompt-file-missing", WARNING, "A file that a prompt puts in is not in the workspace")
FILE_IGNORED = Rule("prompt-file-ignored", NOTE, "A file that a prompt puts in is ignored")
FILE_CUT = Rule("prompt-file-cut", NOTE, "Not all of a file is put into a prompt")


class Included(Value):
    """`missing`: the placeholder stays as it is. No parts and not missing: ignored."""

    parts: tuple[Part, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    missing: bool = False


class Workspace:
    """A folder whose files may be put into prompts; each of its ignore files is read once."""

    __slots__ = ("_ignores", "root")

    def __init__(self, folder: str) -> None:
        self.root = os.path.realpath(folder)
        self._ignores = IgnoreFiles(self.root)

    def holds(self, path: str) -> bool:
        """Whether a path leads into the workspace, and not to what is always kept back."""
        real = os.path.realpath(path)
        if self._below(real) is None or os.path.islink(real):  # what is still a link leads in circles
            return False
        return not self.keeps_back(path)

    def keeps_back(self, path: str) -> bool:
        """Whether a path leads to something in the workspace that is never read."""
        below = self._below(os.path.realpath(path))
        return below is not None and any(is_withheld(name) for name in below.split(os.sep))

    def leaves_out(self, path: str) -> bool:
        """Whether a file is ignored, or a link to one that is, or leads out of the workspace."""
        real = os.path.realpath(path)
        folder = os.path.isdir(real)
        return (
            self._below(real) is None
            or self._ignores.is_ignored(path, folder=folder and real == path)
            or (real != path and self._ignores.is_ignored(real, folder=folder))
        )

    def files_in(self, folder: str) -> Iterator[str]:
        """All files below a folder but the ignored ones, by name; a link to a folder counts as a file."""
        pending = [folder]
        while pending:
            found = entries(pending.pop())
            yield from (
                entry.path for entry in found if not _is_plain_folder(entry) and not self.leaves_out(entry.path)
            )
            inner = [entry.path for entry in found if _is_plain_folder(entry)]
            pending += [path for path in reversed(inner) if not self._ignores.is_ignored(path, folder=True)]

    def _below(self, real: str) -> str | None:
        if real == self.root:
            return ""
        top = self.root.rstrip(os.sep) + os.sep
        return real[len(top) :] if real.startswith(top) else None


def included(named: str, workspace: Workspace, asking: str, place: tuple[int, int] = (0, 0)) -> Included:
    """What a path stands for; `asking` is the prompt file that names it, `place` where it does so."""
    path = os.path.normpath(os.path.join(workspace.root, named))
    if "\0" in named or not os.path.exists(path) or not workspace.holds(path):
        hint = "paths count from the workspace and stay in it, links included"
        message = _not_found(named, path, workspace)
        return Included((), (FILE_MISSING.at(asking, message, place=place, hint=hint),), missing=True)
    if not os.path.isdir(path) and workspace.leaves_out(path):
        message = f"`{named}` is ignored by `.gitignore` or `.geminiignore`, so it is not in the prompt"
        return Included((), (FILE_IGNORED.at(asking, message, place=place),))
    parts, notes = _folder(named, path, workspace) if os.path.isdir(path) else _file(path, workspace)
    return Included(tuple(parts), tuple(FILE_CUT.at(asking, note, place=place) for note in notes))


def _not_found(named: str, path: str, workspace: Workspace) -> str:
    if "\0" not in named and workspace.keeps_back(path):
        return f"`{named}` is never given to a model"
    if os.path.isabs(named):
        return f"`{named}` does not exist, or is outside of the workspace"
    return f"`{named}` is not in the workspace"


def _folder(named: str, path: str, workspace: Workspace) -> tuple[list[Part], list[str]]:
    parts = [Part(f"--- Start of content for directory: {named} ---\n")]
    notes: list[str] = []
    for file in workspace.files_in(path):
        shown = os.path.relpath(file, path)
        if not workspace.holds(file):
            parts.append(Part(f"--- Skipped {shown}: traverses outside workspace ---\n\n"))
            continue
        content, more = _file(file, workspace)
        parts += [Part(f"--- {shown} ---\n"), *content, Part("\n")]
        notes += more
    return [*parts, Part(f"--- End of content for directory: {named} ---")], notes


def _file(path: str, workspace: Workspace) -> tuple[list[Part], list[str]]:
    part, note = file_part(path, os.path.relpath(path, workspace.root).replace("\\", "/"))
    return [part], [note] if note else []


def _is_plain_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
