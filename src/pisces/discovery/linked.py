"""A linked package: its folder in a store has only a note that says where the package really is."""

from __future__ import annotations

import os

from pisces.formats.json_file import object_at


def linked_folder(folder: str, note: str, cwd: str) -> str:
    """The folder that the note in this folder leads to, as seen from `cwd`; the folder itself where it is no link."""
    values = object_at(os.path.join(folder, note))
    source = values.get("source") if values.get("type") == "link" else None
    return os.path.join(cwd, source) if isinstance(source, str) and source else folder
