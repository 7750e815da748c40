"""`@path` in Qwen Code's context files, as its source says: see `tree_imports`. A name of no file stays as it is."""

from __future__ import annotations

from pisces.instructions.context_reader import ContextReader, ContextText
from pisces.instructions.rooms import Room
from pisces.instructions.tree_imports import ImportTree, tree_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def texts(path: str, room: Room, reader: ContextReader) -> Iterator[ContextText]:
    return tree_texts(path, ImportTree(reader, room, missing_stays=True))
