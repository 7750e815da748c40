"""All that a lint is given: what was found in one target, by dialect, and the pages to look things up in."""

from __future__ import annotations

import os

from pisces.checking.pages import Pages
from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.formats.json import JsonObject
from pisces.places import Places
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.discovery.package_format import PackageFormat


class Subject(Value):
    """`found` and `rejected` are by dialect: the id of a package format, or of a harness in a workspace.

    `refused` says by package format why the package does not install.
    """

    kind: str
    path: str
    folder: str
    package_formats: tuple[PackageFormat, ...]
    found: Mapping[str, Mapping[str, tuple[Found, ...]]]
    rejected: Mapping[str, tuple[Diagnostic, ...]]
    pages: Pages
    places: Places
    refused: Mapping[str, str] = EMPTY

    @property
    def formats(self) -> tuple[str, ...]:
        """The ids of the formats that the folder is a package of; empty for a workspace or a file."""
        return tuple(each.id for each in self.package_formats)

    @property
    def is_bare(self) -> bool:
        """Whether the folder is skills without a package."""
        return any(each.bare for each in self.package_formats)

    def items(self, capability: str, *dialects: str) -> Iterator[Found]:
        for dialect in dialects:
            yield from self.found.get(dialect, {}).get(capability, ())

    def every(self, capability: str) -> Iterator[Found]:
        return self.items(capability, *self.found)

    def paths(self, capability: str, *dialects: str) -> list[str]:
        """The files that the items of a kind are in, each once."""
        return list(dict.fromkeys(found.item.path for found in self.items(capability, *dialects)))

    def inside(self, *parts: str) -> str:
        return os.path.join(self.folder, *parts)

    def manifest(self, format_id: str) -> tuple[str, JsonObject] | None:
        """Path and raw content of a manifest, where the folder is a package of that format and it can be parsed."""
        package_format = next((each for each in self.package_formats if each.id == format_id), None)
        if package_format is None:
            return None
        path = package_format.manifest_path(self.folder)
        values = self.pages.json(path)
        return (path, values) if isinstance(values, dict) else None
