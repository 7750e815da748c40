"""`@path` in Gemini CLI and what came from it: the text of the file stands in place of its name, up to five deep.

A path counts from the importing file and must lie in the repository that the context file is in, or in its folder where
there is none. Text between backticks imports nothing. A file may not import itself again on one branch; on two branches
it occurs twice.
"""

from __future__ import annotations

import os
import re

from pisces.files import MISSING, Unreadable
from pisces.instructions.context_reader import ContextReader, ContextText
from pisces.instructions.rooms import Room, room_in
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEEPEST = 5
_CODE = re.compile(r"(`+)(?s:.*?)\1")
_IMPORT = re.compile(r"(?:(?<=[ \t\r\n])|\A)@([./A-Za-z][^ \t\r\n]*)", re.ASCII)
_ADDRESS = re.compile(r"(?:file|https?)://")


class ImportTree(Value):
    """How a harness of this family imports. `markers` make a folder the root of what may be imported.

    With `missing_stays`, a name of no file stays as it is, and is not called a failure.
    """

    reader: ContextReader
    room: Room
    markers: tuple[str, ...] = (".git",)
    missing_stays: bool = False


class Branch(Value):
    """`root` holds all that may be imported; `files` were imported on the way here, the context file not among them."""

    tree: ImportTree
    root: Room
    files: tuple[str, ...] = ()


def tree_texts(path: str, tree: ImportTree) -> Iterator[ContextText]:
    text = tree.reader.text(path, tree.room)
    if text is not None:
        root = _root_of(os.path.dirname(path), tree.markers)
        yield ContextText(path, _expanded(text, path, Branch(tree, room_in(root))))


def _root_of(folder: str, markers: tuple[str, ...]) -> str:
    """The nearest folder at or above this one that has a marker; the folder itself where none has."""
    above = folder
    while not any(os.path.exists(os.path.join(above, marker)) for marker in markers):
        if above == os.path.dirname(above):
            return folder
        above = os.path.dirname(above)
    return above


def _expanded(text: str, path: str, branch: Branch) -> str:
    if len(branch.files) >= _DEEPEST:
        return text
    pieces, last = [], 0
    for match in outside_code(_IMPORT.finditer(text), text):
        if not branch.tree.reader.next_import():
            break
        pieces += [text[last : match.start()], _import(match[1], path, branch)]
        last = match.end()
    return "".join((*pieces, text[last:]))


def outside_code(matches: Iterator[re.Match[str]], text: str) -> Iterator[re.Match[str]]:
    """Those that do not start between backticks. Both are in the order of the text, so each is looked at once."""
    spans = (match.span() for match in _CODE.finditer(text))
    nowhere = (len(text) + 1, len(text) + 1)
    start, end = next(spans, nowhere)
    for match in matches:
        while end <= match.start():
            start, end = next(spans, nowhere)
        if match.start() < start:
            yield match


def _import(name: str, importer: str, branch: Branch) -> str:
    path = os.path.normpath(os.path.join(os.path.dirname(importer), name))
    reader, tree = branch.tree.reader, branch.tree
    if _ADDRESS.match(name) or not branch.root.holds(path):
        reader.outside(path, importer)
        return f"<!-- Import failed: {name} - Path traversal attempt -->"
    if path in branch.files:
        return f"<!-- File already processed: {name} -->"
    try:
        text = reader.imported(path, tree.room, importer)
    except Unreadable as error:
        is_missing = error.kind == MISSING and not os.path.exists(path)
        if is_missing and tree.missing_stays:
            return f"@{name}"
        why = f"ENOENT: no such file or directory, access '{path}'" if is_missing else f"the file {error.message}"
        return f"<!-- Import failed: {name} - {why} -->"
    inner = _expanded(text, path, branch.replace(files=(*branch.files, path)))
    return f"<!-- Imported from: {name} -->\n{inner}\n<!-- End of import from: {name} -->"
