"""The files of one target, each read and parsed once, however many lints ask for it. Nothing here ever raises."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.markdown_file import markdown_at
from pisces.files import Unreadable, read_bytes
from pisces.formats import jsonc, toml
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from pisces.discovery.markdown_file import MarkdownFile

    Kept = TypeVar("Kept")


class Pages:
    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Any] = {}

    def data(self, path: str) -> bytes | None:
        """None where the file cannot be read: its finder has said why."""
        return self._once("data", path, _data)

    def text(self, path: str) -> str:
        return self._once("text", path, lambda path: (self.data(path) or b"").decode("utf-8", "replace"))

    def json(self, path: str) -> Any:
        """Comments, trailing commas and a byte order mark are let through; None for what is still no JSON."""
        return self._once("json", path, lambda path: _parsed(jsonc.parse_lenient, self.text(path)))

    def toml(self, path: str) -> Any:
        return self._once("toml", path, lambda path: _parsed(toml.parse, self.text(path)))

    def markdown(self, path: str) -> MarkdownFile | None:
        return self._once("markdown", path, _markdown)

    def _once(self, what: str, path: str, make: Callable[[str], Kept]) -> Kept:
        key = (what, path)
        if key not in self._kept:
            self._kept[key] = make(path)
        kept: Kept = self._kept[key]
        return kept


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
