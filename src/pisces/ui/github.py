"""Diagnostics as annotations of a GitHub workflow: `::error file=...,line=...::message`, one a line.

Nothing in a file can begin a command of its own: what ends a line or a property is escaped.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic
from pisces.ui.plain import shortened
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.places import Places

_LEVELS = {ERROR: "error", WARNING: "warning", NOTE: "notice"}
_TOP = "GITHUB_WORKSPACE"


def workflow_commands(diagnostics: Iterable[Diagnostic], places: Places) -> list[str]:
    return [_annotation(each, places) for each in diagnostics]


def _annotation(diagnostic: Diagnostic, places: Places) -> str:
    properties = {"title": f"pisces: {diagnostic.code}"}
    if diagnostic.path:
        properties["file"] = _file(diagnostic.path, places)
    if diagnostic.line:
        properties |= {"line": str(diagnostic.line), "col": str(max(diagnostic.column, 1))}
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    texts = [diagnostic.message, *([f"hint: {diagnostic.hint}"] if diagnostic.hint else [])]
    message = "%0A".join(_text(shortened(each, places)) for each in texts)
    return f"::{_LEVELS[diagnostic.severity]} {named}::{message}"


def _file(path: str, places: Places) -> str:
    """Relative to the checkout, which is where GitHub looks; the job may have gone into a folder of it."""
    for top in filter(None, (places.env.get(_TOP, ""), places.cwd)):
        if path.startswith(top.rstrip(os.sep) + os.sep):
            return os.path.relpath(path, top).replace(os.sep, "/")
    return path.replace(os.sep, "/")


def _text(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped)


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
