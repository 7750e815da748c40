"""A cache of one target's files: each is read and parsed once, for all lints. Nothing here raises."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.markdown_file import MarkdownFile, markdown_at
from pisces.files import Unreadable, read_bytes
from pisces.formats import jsonc, toml
from pisces.formats.malformed import Malformed
from pisces.formats.position import json_place, toml_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Cached = TypeVar("Cached")


# Finding a place reads the file again. A file with a diagnostic on each of thousands of lines must not take minutes:
# once this many characters of it were read for places, its other diagnostics have none.
_ENOUGH = 3_000_000
_TOML_COSTS = 10  # TOML is that much slower to read than JSON, per character


class Pages:
    __slots__ = ("_cache", "_spent")

    def __init__(self) -> None:
        self._cache: dict[tuple[str, str], Any] = {}
        self._spent: dict[str, int] = {}

    def data(self, path: str) -> bytes | None:
        """None if the file cannot be read: its finder has reported why."""
        return self._once("data", path, _data)

    def text(self, path: str) -> str:
        return self._once("text", path, lambda path: (self.data(path) or b"").decode("utf-8", "replace"))

    def json(self, path: str) -> Any:
        """Comments, trailing commas and a byte order mark are allowed; None if it cannot be parsed."""
        return self._once("json", path, lambda path: _parsed(jsonc.parse_lenient, self.text(path)))

    def toml(self, path: str) -> Any:
        return self._once("toml", path, lambda path: _parsed(toml.parse, self.text(path)))

    def markdown(self, path: str) -> MarkdownFile | None:
        return self._once("markdown", path, _markdown)

    def json_place(self, path: str, keys: tuple[str | int, ...]) -> tuple[int, int]:
        text = self.text(path)
        return json_place(text, keys) if self.may_read(path, len(text)) else (0, 0)

    def toml_place(self, path: str, keys: tuple[str | int, ...]) -> tuple[int, int]:
        text = self.text(path)
        return toml_place(text, keys) if self.may_read(path, len(text) * _TOML_COSTS) else (0, 0)

    def may_read(self, path: str, characters: int) -> bool:
        """Whether the budget allows to look for one more place in a file."""
        self._spent[path] = self._spent.get(path, 0) + characters
        return self._spent[path] - characters < _ENOUGH

    def _once(self, what: str, path: str, make: Callable[[str], Cached]) -> Cached:
        key = (what, path)
        if key not in self._cache:
            self._cache[key] = make(path)
        cached: Cached = self._cache[key]
        return cached


def _data(path: str) -> bytes | None:
    try:
        return read_bytes(path)
    except Unreadable:
        return None


def _parsed(parse: Callable[[str], object], text: str) -> Any:
    try:
        return parse(text)
    except Malformed:
        return None


def _markdown(path: str) -> MarkdownFile | None:
    name = os.path.basename(os.path.dirname(path)) if path.endswith("SKILL.md") else os.path.basename(path)[:-3]
    file = markdown_at(path, name, lenient=True)
    return None if isinstance(file, Diagnostic) else file
