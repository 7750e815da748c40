"""The package of our own store that a file is part of. It was agreed to as a whole, by the hash of its files."""

from __future__ import annotations

import os

from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.packages.store.tree import Tree
    from pisces.places import Places
    from pisces.shapes.installed import Installed

_STORE = "pisces.packages.store"


def installed_with(path: str, places: Places) -> Installed | None:
    """None for a linked folder as well: it has no hash that the user agreed to."""
    store = os.path.realpath(os.path.join(places.agent_dir, "packages")) + os.sep
    real = os.path.realpath(path)
    if not real.startswith(store):
        return None
    own_store, read_index = (export_of(_STORE, "store", name) for name in ("own_store", "read_index"))
    packages: dict[str, Installed] = read_index(own_store(places))
    for package in packages.values():
        if not package.linked and real.startswith(os.path.realpath(package.folder) + os.sep):
            return package
    return None


def installed_in(folder: str, places: Places) -> Installed | None:
    """The installed package of a folder, if it is one."""
    return installed_with(os.path.join(folder, "file"), places)


def tree_as_agreed(package: Installed) -> Tree | None:
    """The files of a package; None if they are not those that were agreed to."""
    tree: Tree = export_of(_STORE, "tree", "tree_of")(package.folder)
    return tree if tree.is_recorded(package.tree, package.hash_version) else None
