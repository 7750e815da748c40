"""The settings that a Gemini extension asks for, as its manifest says it."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.formats.json import JsonObject
from pisces.harnesses.gemini.manifest import load_manifest
from pisces.packages.settings.settings import listed_settings
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def declared(package: Package) -> Iterator[JsonObject]:
    """Before variables of the process are put in: a default of `${SOME_KEY}` must not fetch a key."""
    manifest = load_manifest(package.path, "")
    return listed_settings(package.manifest if isinstance(manifest, Diagnostic) else manifest.values)
