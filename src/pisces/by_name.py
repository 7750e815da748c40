"""Files that are found by their name: growth is one new file with one fixed export, no table to edit."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def names_in(package: str) -> list[str]:
    """The names of the files in a package, sorted; names with a leading underscore are not counted."""
    found: set[str] = set()
    for folder in _folders_of(package):
        try:
            files = os.listdir(folder)
        except OSError:  # inside a zip file
            files = [f"{each.name}.py" for each in _inside_zip(folder)]
        found.update(name[:-3] for name in files if name.endswith(".py") and not name.startswith("_"))
    return sorted(found)


def folders_in(package: str) -> list[str]:
    """The names of the folders in a package, sorted."""
    found: set[str] = set()
    for folder in _folders_of(package):
        try:
            with os.scandir(folder) as entries:
                found.update(entry.name for entry in entries if entry.name[0] not in "_." and entry.is_dir())
        except OSError:  # inside a zip file
            found.update(each.name for each in _inside_zip(folder) if each.ispkg)
    return sorted(found)


def folders_with(package: str, inside: str) -> list[str]:
    """The packages called `inside` of the folders in a package: `pisces.harnesses.gemini.lints` and so on."""
    return [f"{package}.{name}.{inside}" for name in folders_in(package) if inside in folders_in(f"{package}.{name}")]


def files_called(package: str, name: str) -> list[str]:
    """The packages in a package that have a file of this name."""
    return [f"{package}.{each}" for each in folders_in(package) if name in names_in(f"{package}.{each}")]


def _folders_of(package: str) -> list[str]:
    """All of them: a package of ours may be extended by somebody else's folder."""
    return list(__import__(package, fromlist=["__path__"]).__path__)


def _inside_zip(folder: str) -> list[Any]:
    import pkgutil  # slow to import, and needed only there

    return list(pkgutil.iter_modules([folder]))


def export_of(package: str, name: str, export: str) -> Any:
    """The one value that a file exports."""
    return getattr(__import__(f"{package}.{name}", fromlist=[export]), export)
