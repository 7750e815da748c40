"""Files that are found by their name: growth is one new file with one fixed export, no table to edit.

What only has to be listed is in an index beside the files (`scripts/generate-docs` writes it): nothing is imported.
"""

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


def folders_in(package: str) -> list[str]:
    """The names of the folders in a package of ours, sorted."""
    folder = __import__(package, fromlist=["__path__"]).__path__[0]
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if entry.name[0] not in "_." and entry.is_dir())
    except OSError:  # inside a zip file
        import pkgutil  # only there, and slow to import

        return sorted(found.name for found in pkgutil.iter_modules([folder]) if found.ispkg)


def folders_with(package: str, inside: str) -> list[str]:
    """The packages called `inside` of the folders in a package: `pisces.harnesses.gemini.lints` and so on."""
    top = __import__(package, fromlist=["__path__"]).__path__[0]
    return [
        f"{package}.{name}.{inside}" for name in folders_in(package) if os.path.isdir(os.path.join(top, name, inside))
    ]


def files_called(package: str, name: str) -> list[str]:
    """The packages in a package of ours that have a file of this name."""
    top = __import__(package, fromlist=["__path__"]).__path__[0]
    return [
        f"{package}.{each}" for each in folders_in(package) if os.path.exists(os.path.join(top, each, f"{name}.py"))
    ]


def export_of(package: str, name: str, export: str) -> Any:
    """The one value that a file exports."""
    return getattr(__import__(f"{package}.{name}", fromlist=[export]), export)


def text_in(package: str, name: str) -> str:
    """The text of a data file in a package of ours, which may be inside a zip file."""
    found: Any = __import__(package, fromlist=["__path__"])
    data: bytes = found.__loader__.get_data(os.path.join(found.__path__[0], name))
    return data.decode("utf-8")
