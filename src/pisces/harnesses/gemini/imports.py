"""`@path` in Gemini CLI's context files: see `tree_imports`. A name of no file becomes a comment that says so."""

from __future__ import annotations

from pisces.harnesses.gemini.finders.context_files import is_marker
from pisces.harnesses.gemini.trust import ground_of
from pisces.instructions.context_reader import ContextReader, ContextText
from pisces.instructions.rooms import Room
from pisces.instructions.tree_imports import ImportTree, tree_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def texts(path: str, room: Room, reader: ContextReader) -> Iterator[ContextText]:
    named = ground_of(reader.places, reader.run).settings.value("context", "memoryBoundaryMarkers")
    markers = named if isinstance(named, list) else [".git"]
    return tree_texts(path, ImportTree(reader, room, tuple(each for each in markers if is_marker(each))))
