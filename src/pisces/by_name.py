"""Files that are found by their name: growth is one new file with one fixed export, no table to edit.

Folders are listed and nothing in them is imported. What else has to be known of files that are not imported is in an
index beside them, which `scripts/generate-docs` writes.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOME = os.path.dirname(__file__)


def names_in(package: str) -> list[str]:
    """The names of the files in a package, sorted; names with a leading underscore are not counted."""
    found: set[str] = set()
    for folder in _folders_of(package):
        try:
            files = os.listdir(folder)
        except OSError:  # inside a zip file
            files = [f"{each.name}.py" for each in _in_zip(folder)]
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
            found.update(each.name for each in _in_zip(folder) if each.ispkg)
    return sorted(found)


def folders_with(package: str, inside: str) -> list[str]:
    """The packages called `inside` of the folders in a package: `pisces.harnesses.gemini.lints` and so on."""
    return [f"{package}.{name}.{inside}" for name in folders_in(package) if _has(f"{package}.{name}", inside)]


def files_called(package: str, name: str) -> list[str]:
    """The packages in a package that have a file of this name."""
    return [f"{package}.{each}" for each in folders_in(package) if _has(f"{package}.{each}", f"{name}.py")]


def has_file(package: str, name: str) -> bool:
    """Whether a package has a file of this name: one look, where `files_called` looks into every folder."""
    return _has(package, f"{name}.py")


def export_of(package: str, name: str, export: str) -> Any:
    """The one value that a file exports."""
    return getattr(__import__(f"{package}.{name}", fromlist=[export]), export)


def text_in(package: str, name: str) -> str:
    """The text of a data file in a package of ours, which may be inside a zip file."""
    loader: Any = __spec__.loader if __spec__ else None
    data: bytes = loader.get_data(os.path.join(_HOME, *package.split(".")[1:], name))
    return data.decode("utf-8")


def _has(package: str, entry: str) -> bool:
    """Whether a package has a file or folder of this name. Looking is quicker than listing."""
    for folder in _folders_of(package):
        if os.path.exists(os.path.join(folder, entry)):
            return True
        if not os.path.isdir(folder) and any(each.name == entry.removesuffix(".py") for each in _in_zip(folder)):
            return True
    return False


def _folders_of(package: str) -> list[str]:
    """Nothing is imported for it. A package that is imported may have been extended by somebody else's folder."""
    module = sys.modules.get(package)
    if module is not None:
        return list(module.__path__)
    parent, _, name = package.rpartition(".")
    return [os.path.join(folder, name) for folder in _folders_of(parent)] if parent else [_HOME]


def _in_zip(folder: str) -> list[Any]:
    import pkgutil  # slow to import, and needed only there

    return list(pkgutil.iter_modules([folder]))
