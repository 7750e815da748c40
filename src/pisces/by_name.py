"""Files that are found by their name: growth is one new file with one fixed export, no table to edit.

Folders are listed and nothing in them is imported. What else has to be known of files that are not imported is in an
index beside them, which `scripts/generate-docs` writes.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOME = os.path.dirname(__file__)


def names_in(package: str) -> list[str]:
    """The names of the files in a package of ours, sorted; names with a leading underscore are not counted."""
    try:
        files = os.listdir(_folder(package))
    except OSError:  # inside a zip file
        files = [f"{name}.py" for name, _ in _in_zip(package)]
    return sorted(name[:-3] for name in files if name.endswith(".py") and not name.startswith("_"))


def folders_in(package: str) -> list[str]:
    """The names of the folders in a package of ours, sorted."""
    try:
        with os.scandir(_folder(package)) as entries:
            return sorted(entry.name for entry in entries if entry.name[0] not in "_." and entry.is_dir())
    except OSError:  # inside a zip file
        return sorted(name for name, is_package in _in_zip(package) if is_package)


def folders_with(package: str, inside: str) -> list[str]:
    """The packages called `inside` of the folders in a package: `pisces.harnesses.gemini.lints` and so on."""
    top = _folder(package)
    return [
        f"{package}.{name}.{inside}" for name in folders_in(package) if os.path.isdir(os.path.join(top, name, inside))
    ]


def files_called(package: str, name: str) -> list[str]:
    """The packages in a package of ours that have a file of this name."""
    top = _folder(package)
    return [
        f"{package}.{each}" for each in folders_in(package) if os.path.exists(os.path.join(top, each, f"{name}.py"))
    ]


def export_of(package: str, name: str, export: str) -> Any:
    """The one value that a file exports."""
    return getattr(__import__(f"{package}.{name}", fromlist=[export]), export)


def text_in(package: str, name: str) -> str:
    """The text of a data file in a package of ours, which may be inside a zip file."""
    loader: Any = __spec__.loader if __spec__ else None
    data: bytes = loader.get_data(os.path.join(_folder(package), name))
    return data.decode("utf-8")


def _folder(package: str) -> str:
    return os.path.join(_HOME, *package.split(".")[1:])


def _in_zip(package: str) -> list[tuple[str, bool]]:
    import pkgutil  # only there, and slow to import

    return [(found.name, found.ispkg) for found in pkgutil.iter_modules([_folder(package)])]
