"""Files that are found by their name: growth is one new file with one fixed export, no table to edit."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def names_in(package: str) -> list[str]:
    """The names of the files in a package of ours, sorted; names with a leading underscore are not counted."""
    folder = __import__(package, fromlist=["__path__"]).__path__[0]
    try:
        files = os.listdir(folder)
    except OSError:  # inside a zip file
        import pkgutil  # only there, and slow to import

        files = [f"{found.name}.py" for found in pkgutil.iter_modules([folder])]
    return sorted(name[:-3] for name in files if name.endswith(".py") and not name.startswith("_"))


def export_of(package: str, name: str, export: str) -> Any:
    """The one value that a file exports."""
    return getattr(__import__(f"{package}.{name}", fromlist=[export]), export)
