"""Colour themes in a package's manifest, registered as `name (package)`."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.package_options import ManifestThemes
from pisces.shapes.theme import Theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[ManifestThemes]) -> Iterator[Found | Diagnostic]:
    package = where.package
    themes = package.manifest.get("themes") if package else None
    if package is None or not isinstance(themes, list):
        return
    path = os.path.join(package.path, where.options.manifest)
    for index, theme in enumerate(themes):
        if isinstance(theme, dict) and isinstance(theme.get("name"), str):
            yield where.found(Theme(f"{theme['name']} ({package.name})", path, theme, ("themes", index)))
