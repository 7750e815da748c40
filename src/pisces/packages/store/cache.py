"""Contents that were fetched once, kept by their hash: `cache/trees/<hash>/` in the agent's folder.

Nothing in here is believed: what is taken out is copied, and the copy is hashed before anybody uses it. Removing the
whole folder is always safe. Trees of the store count as cached too.
"""

from __future__ import annotations

import os

from pisces.atomic import flush_tree, remove_tree, rename_atomically
from pisces.diagnostics import PiscesError
from pisces.file_lock import file_lock, is_held
from pisces.files import entries
from pisces.packages.fetching.kinds.folder import copy_folder
from pisces.packages.store.store import Store, own_store, stage
from pisces.packages.store.tree import PREFIX, tree_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pisces.packages.store.tree import Tree
    from pisces.places import Places


def tree_cache(places: Places) -> Store:
    """The cache has the layout of the store, without an index."""
    return Store(os.path.join(places.agent_dir, "cache"))


def cache_tree(folder: str, tree: str, places: Places, report: Callable[[str], None]) -> bool:
    """Puts a copy into the cache; False where that cannot be done, which is never a reason to stop."""
    cache = tree_cache(places)
    target = _cached_path(cache, tree)
    if os.path.isdir(target):
        return True
    try:
        _sweep(cache, report)
        with stage(cache, report) as staged:
            copy = os.path.join(staged, "package")
            copy_folder(folder, copy)
            if tree_of(copy).hash != tree:
                return False
            os.makedirs(cache.trees, exist_ok=True)
            flush_tree(copy)
            rename_atomically(copy, target)
    except (OSError, PiscesError):  # a full disk, or somebody else was faster
        return os.path.isdir(target)
    return True


def tree_from_cache(tree: str, target: str, places: Places, report: Callable[[str], None]) -> Tree | None:
    """Copies the content with that hash to a new folder, from the cache or the store; None where neither has it."""
    cache = tree_cache(places)
    for path in _candidates(tree, cache, own_store(places)):
        found = _copied(path, target)
        if found and found.hash == tree:
            return found
        remove_tree(target)
        if path == _cached_path(cache, tree) and not _is_intact(path, tree):
            _drop(path, cache, report)
            report(f"dropped from the cache, its files were changed: {tree}")
    return None


def _cached_path(cache: Store, tree: str) -> str:
    return os.path.join(cache.trees, tree.removeprefix(PREFIX))


def _candidates(tree: str, cache: Store, store: Store) -> Iterator[str]:
    cached = _cached_path(cache, tree)
    if os.path.isdir(cached):
        yield cached
    mark = os.path.basename(store.tree_path("", tree))  # `-` and the beginning of the hash
    yield from (entry.path for entry in entries(store.trees) if mark in entry.name and entry.is_dir())


def _copied(path: str, target: str) -> Tree | None:
    try:
        copy_folder(path, target)
        return tree_of(target)
    except (OSError, PiscesError):  # gone since, or full of what no package may have
        return None


def _is_intact(path: str, tree: str) -> bool:
    """False for what is there and wrong; what is gone by now needs no dropping."""
    try:
        return not os.path.isdir(path) or tree_of(path).hash == tree
    except OSError:
        return False


def _drop(path: str, cache: Store, report: Callable[[str], None]) -> None:
    """Out of the way in one step, then removed: nobody meets half of it."""
    try:
        with stage(cache, report) as staged:
            os.rename(path, os.path.join(staged, "dropped"))
    except (OSError, PiscesError):
        remove_tree(path)


def _sweep(cache: Store, report: Callable[[str], None]) -> None:
    """Stages that a crash has left."""
    if not os.path.isdir(cache.staging):
        return
    with file_lock(cache.lock_path, report):
        for entry in entries(cache.staging):
            if not is_held(os.path.join(entry.path, "held")):
                remove_tree(entry.path)
