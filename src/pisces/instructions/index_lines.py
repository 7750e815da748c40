"""One line for each thing that a model may choose: its name and what it is for, in a list of bounded length."""

from __future__ import annotations

from pisces.formats.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_NAME = 200
LONGEST_LINE = 1_536  # characters of a description, as Claude Code cuts it
LONGEST_INDEX = 100_000  # characters of a whole index
_CUT = "…"


def index_line(name: str, description: str) -> str:
    """`- name: description`. Characters that hide or reorder text become escapes, and line ends become blanks."""
    line = f"- {_one_line(name, LONGEST_NAME)}"
    text = _one_line(description, LONGEST_LINE)
    return f"{line}: {text}" if text else line


def fitting(lines: Iterable[str]) -> tuple[list[str], int]:
    """The lines that an index has room for, and how many it has not."""
    every = list(lines)
    left = LONGEST_INDEX
    for at, line in enumerate(every):
        left -= len(line) + 1
        if left < 0:
            return every[:at], len(every) - at
    return every, 0


def _one_line(text: str, most: int) -> str:
    """Cut before anything else is done: a description may be a megabyte."""
    words = " ".join(text[: most * 4].split())
    short = words if len(words) <= most else words[: most - 1] + _CUT
    return visible(short)
