"""Removing what was fetched: also what is read-only, as git and archives make it, and never through a link."""

from __future__ import annotations

import os
import shutil
import stat


def remove_tree(path: str) -> None:
    """Removes a file, a link or a folder with all that is in it; nothing there is fine."""
    if os.path.islink(path) or not os.path.isdir(path):
        if os.path.lexists(path):
            os.remove(path)
        return
    try:
        shutil.rmtree(path)
    except PermissionError:
        _make_writable(path)
        shutil.rmtree(path)


def _make_writable(path: str) -> None:
    """A folder without write permission keeps its files, and Windows keeps files that are read-only."""
    os.chmod(path, stat.S_IRWXU)
    for here, folders, files in os.walk(path):
        for name in (*folders, *files):
            each = os.path.join(here, name)
            if not os.path.islink(each):
                os.chmod(each, stat.S_IRWXU)
