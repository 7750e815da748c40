"""A cache of fetched trees by hash: `cache/trees/<hash>/` in the agent's folder.

Trees of the store count as cached too. The cache is not trusted: every copy from it is hashed before use. Removing the
whole folder is always safe.
"""

from __future__ import annotations

import os

from pisces.atomic import flush_tree, remove_tree, rename_atomically
from pisces.diagnostics import PiscesError
from pisces.file_lock import file_lock
from pisces.files import entries
from pisces.packages.fetching.kinds.folder import copy_folder
from pisces.packages.store.store import Store, own_store, stage, sweep_stages
from pisces.packages.store.tree import PREFIX, VERSION_HERE, Tree, tree_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pisces.places import Places


def tree_cache(places: Places) -> Store:
    """The cache has the layout of the store, without an index."""
    return Store(os.path.join(places.agent_dir, "cache"))


def cache_tree(
    folder: str, tree: str, places: Places, report: Callable[[str], None], version: int = VERSION_HERE
) -> bool:
    """Puts a copy into the cache, by its hash of this version. False if that fails, which is never an error."""
    cache = tree_cache(places)
    target = _cached_path(cache, tree)
    if os.path.isdir(target):
        return True
    try:
        if os.path.isdir(cache.staging):
            with file_lock(cache.lock_path, report):
                sweep_stages(cache)
        with stage(cache, report) as staged:
            copy = os.path.join(staged, "package")
            copy_folder(folder, copy)
            if not tree_of(copy).is_recorded(tree, version):
                return False
            os.makedirs(cache.trees, exist_ok=True)
            flush_tree(copy)
            rename_atomically(copy, target)
    except (OSError, PiscesError):  # a full disk, or another process was faster
        return os.path.isdir(target)
    return True


def tree_from_cache(
    tree: str, target: str, places: Places, report: Callable[[str], None], version: int = VERSION_HERE
) -> Tree | None:
    """Copies the tree with that hash to a new folder, from the cache or the store; None if neither has it."""
    cache = tree_cache(places)
    for path in _candidates(tree, cache, own_store(places)):
        found = _copied(path, target)
        if found and found.is_recorded(tree, version):
            return found
        remove_tree(target)
        if path == _cached_path(cache, tree) and not _is_intact(path, tree, version):
            _drop(path, cache, report)
            report(f"dropped from the cache, its files were changed: {tree}")
    return None


def _cached_path(cache: Store, tree: str) -> str:
    return os.path.join(cache.trees, tree.removeprefix(PREFIX))


def _candidates(tree: str, cache: Store, store: Store) -> Iterator[str]:
    cached = _cached_path(cache, tree)
    if os.path.isdir(cached):
        yield cached
    suffix = os.path.basename(store.tree_path("", tree))  # `-` and the first digits of the hash
    yield from (entry.path for entry in entries(store.trees) if suffix in entry.name and entry.is_dir())


def _copied(path: str, target: str) -> Tree | None:
    try:
        copy_folder(path, target)
        return tree_of(target)
    except (OSError, PiscesError):  # gone since, or invalid
        return None


def _is_intact(path: str, tree: str, version: int) -> bool:
    """False if the tree exists and has another hash."""
    try:
        return not os.path.isdir(path) or tree_of(path).is_recorded(tree, version)
    except OSError:
        return False


def _drop(path: str, cache: Store, report: Callable[[str], None]) -> None:
    """Renames the tree to a stage, then removes it, so that nobody reads half of it."""
    try:
        with stage(cache, report) as staged:
            os.rename(path, os.path.join(staged, "dropped"))
    except (OSError, PiscesError):
        remove_tree(path)
