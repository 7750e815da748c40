"""Removes what was fetched, also read-only files of git and archives, and never through a link."""

from __future__ import annotations

import os
import shutil
import stat


def remove_tree(path: str) -> None:
    """Removes a file, a link or a folder with its content. A missing path is fine."""
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
    """Files in a read-only folder cannot be removed, nor read-only files on Windows."""
    os.chmod(path, stat.S_IRWXU)
    for here, folders, files in os.walk(path):
        for name in (*folders, *files):
            each = os.path.join(here, name)
            if not os.path.islink(each):
                os.chmod(each, stat.S_IRWXU)
