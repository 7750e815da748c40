"""A package's context files: those named by `contextFileName`, else `GEMINI.md`; only safe paths that exist."""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Rule
from pisces.discovery.harness import FinderResults, Where
from pisces.formats.js_truth import is_truthy
from pisces.harnesses.gemini import CONTEXT_FILE, MANIFEST
from pisces.shapes.context_file import ContextFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONTEXT_PATH = Rule("context-path", ERROR, "A context file has a path that is not allowed")
CONTEXT_MISSING = Rule("context-missing", ERROR, "A context file that the manifest names does not exist")


def find(where: Where) -> FinderResults:
    package = where.package
    if package is None:
        return
    declared = package.manifest.get("contextFileName")
    for name in _names(declared):
        flaw = _flaw(name)
        if flaw:
            yield CONTEXT_PATH.at(os.path.join(package.path, MANIFEST), f"`{name}` {flaw}", about=str(name))
            continue
        path = os.path.normpath(os.path.join(package.path, name))
        if os.path.exists(path):
            yield where.found(ContextFile(path, str(package.name)))
        elif declared:
            yield CONTEXT_MISSING.at(os.path.join(package.path, MANIFEST), f"`{name}` does not exist", about=name)


def _names(declared: Any) -> list[Any]:
    if isinstance(declared, list):
        return declared  # an empty list means: none at all
    return [declared] if is_truthy(declared) else [CONTEXT_FILE]


def _flaw(name: Any) -> str:
    if not isinstance(name, str) or not name.strip():
        return "must be a non-empty text"
    if "\0" in name:
        return "must not contain a NUL character"
    if name.startswith(("/", "\\")) or name[1:3] in (":/", ":\\"):  # on any system
        return "must be a relative path"
    if ".." in name.lower().replace("%2e", "."):
        return "must not contain `..`"
    return ""
