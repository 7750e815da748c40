"""The extensions that are installed, also while an update of ours was cut short between its two renames."""

from __future__ import annotations

import os

from pisces.files import entries, is_folder

OWN_FOLDER = ".pisces"
OUTGOING = "outgoing"


def extension_folders(root: str) -> list[str]:
    """Every folder in `root`, by name. One that was moved out for its successor counts until the successor is in."""
    found = {entry.name: entry.path for entry in entries(root) if is_folder(entry)}
    aside = os.path.join(os.path.dirname(root), OWN_FOLDER, OUTGOING)
    for entry in entries(aside) if os.path.isdir(aside) else ():
        found.setdefault(entry.name, entry.path)
    return [found[name] for name in sorted(found)]
