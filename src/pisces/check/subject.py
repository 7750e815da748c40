"""All that a lint is told: what was found in one target and in which dialect, and the pages to look things up."""

from __future__ import annotations

import os

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.check.pages import Pages
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.places import Places

# Who speaks which dialect: a package format, and the harness that reads the same files outside of packages.
GEMINI = ("gemini",)
CLAUDE = ("claude-plugin", "claude")


class Subject(Value):
    """`found` and `rejected` are by dialect: the id of a package format, or of a harness in a workspace."""

    kind: str
    path: str
    folder: str
    formats: tuple[str, ...]
    found: Mapping[str, Mapping[str, tuple[Found, ...]]]
    rejected: Mapping[str, tuple[Diagnostic, ...]]
    pages: Pages
    places: Places

    def items(self, capability: str, dialects: tuple[str, ...]) -> Iterator[Found]:
        for dialect in dialects:
            yield from self.found.get(dialect, {}).get(capability, ())

    def every(self, capability: str) -> Iterator[Found]:
        return self.items(capability, tuple(self.found))

    def paths(self, capability: str, dialects: tuple[str, ...]) -> list[str]:
        """The files that the items of a kind stand in, each once."""
        return list(dict.fromkeys(found.item.path for found in self.items(capability, dialects)))

    def inside(self, *parts: str) -> str:
        return os.path.join(self.folder, *parts)

    def manifest(self, package_format: str, *parts: str) -> tuple[str, dict[str, Any]] | None:
        """Path and raw content of a manifest, where the folder is a package of that format and it can be parsed."""
        if package_format not in self.formats:
            return None
        path = self.inside(*parts)
        values = self.pages.json(path)
        return (path, values) if isinstance(values, dict) else None

    def gemini_manifest(self) -> tuple[str, dict[str, Any]] | None:
        return self.manifest("gemini", "gemini-extension.json")

    def claude_manifest(self) -> tuple[str, dict[str, Any]] | None:
        return self.manifest("claude-plugin", ".claude-plugin", "plugin.json")
