"""Where an item, or a field of it, stands in its file. The file is read again, so that listing pays nothing for it."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSON, TOML, YAML, ConfigFile
from pisces.discovery.markdown_file import markdown_at
from pisces.files import Unreadable, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found

_SYNTAXES = {".json": JSON, ".jsonc": JSON, ".toml": TOML, ".yml": YAML, ".yaml": YAML}


def item_place(found: Found, *keys: str | int) -> tuple[int, int]:
    """Line and column, from 1. What the file does not have stands where its parent does, or where the header begins.

    (0, 0) where the file cannot be read any more, (1, 1) where it is code.
    """
    path = found.source.path
    keys = (*getattr(found.item, "keys", ()), *keys)
    if path.endswith((".md", ".mdc")):
        file = markdown_at(path, "", lenient=True)
        return (0, 0) if isinstance(file, Diagnostic) else file.place(*keys)
    try:
        text = read_text(path)
    except Unreadable:
        return 0, 0
    syntax = _SYNTAXES.get(os.path.splitext(path)[1])
    return ConfigFile(path, syntax, text, None).place(*keys) if syntax else (1, 1)
