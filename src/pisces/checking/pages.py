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


_ENOUGH = 3_000_000  # characters of a file that are searched again for pieces of a prompt; then they have no place


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
        return json_place(self.text(path), keys)

    def toml_place(self, path: str, keys: tuple[str | int, ...]) -> tuple[int, int]:
        return toml_place(self.text(path), keys)

    def may_search(self, path: str, characters: int) -> bool:
        """Whether the budget allows to search a file once more."""
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
