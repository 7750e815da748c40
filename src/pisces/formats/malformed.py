"""The exception of all text formats: the text cannot be read, with the reason and the place."""

from __future__ import annotations

from pisces.by_name import export_of

_FAR = 20_000  # behind this offset lines are not counted again for every place


class Malformed(ValueError):
    """`line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def place_at(text: str, offset: int) -> tuple[int, int]:
    """The 1-based line and column of a character offset."""
    if offset > _FAR:
        found: tuple[int, int] = export_of("pisces.formats", "far_place", "far_place")(text, offset)
        return found
    line = text.count("\n", 0, offset) + 1
    return line, offset - text.rfind("\n", 0, offset)
