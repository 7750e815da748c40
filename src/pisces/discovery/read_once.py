"""A JSON file that several finders read: once in a run."""

from __future__ import annotations

from pisces.files import read_text
from pisces.formats.json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.discovery.harness import Run


def json_once(path: str, run: Run) -> tuple[str, Any]:
    """The text and the value. Raises `Unreadable` or `Malformed`. Whoever changes the value copies it first."""

    def read() -> tuple[str, Any]:
        text = read_text(path)
        return text, parse(text)

    return run.once(("json", path), read)
