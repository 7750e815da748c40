"""A package's context files: those that its manifest names under `contextFileName`, else a fixed one; if they exist."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.package_options import ManifestContext
from pisces.shapes.context_file import ContextFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where[ManifestContext]) -> Iterator[Found | Diagnostic]:
    package = where.package
    if package is None:
        return
    named = package.manifest.get("contextFileName") or where.options.default
    for name in named if isinstance(named, list) else [named]:
        path = os.path.normpath(os.path.join(package.path, name)) if isinstance(name, str) else ""
        if path and os.path.isfile(path):
            yield where.found(ContextFile(path, str(package.name)))
