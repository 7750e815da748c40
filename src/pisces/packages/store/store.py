"""The store of pisces: an index file, and trees that never change once they are in place.

Installing puts the tree in place and then replaces the index. The next writer removes what is not in the index, which a
crash has left. So a crash leaves either the old state or the new one.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import contextmanager, suppress

from pisces.atomic import flush_folder, flush_tree, remove_tree, rename_atomically, write_atomically
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.disk import disk_faults
from pisces.file_lock import file_lock, held_lock, is_held
from pisces.files import entries
from pisces.formats.json_file import json_at
from pisces.packages.store.tree import tree_of
from pisces.packages.store.validate_tree import validate_tree
from pisces.shapes.installed import INDEX_VERSION, MEND_INDEX, Installed, indexed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pisces.places import Places

INDEX_BROKEN = Rule("store-index-broken", ERROR, "The store's index cannot be read")
CONTENT_CHANGED = Rule("consent-content-changed", ERROR, "The files changed after somebody agreed to them")

_SHORT = 12
_STAGE_LOCK = "lock"


class Store(Value):
    """A folder with `index.json`, `trees/` and `.staging/`."""

    folder: str

    @property
    def index_path(self) -> str:
        return os.path.join(self.folder, "index.json")

    @property
    def lock_path(self) -> str:
        return os.path.join(self.folder, ".lock")

    @property
    def trees(self) -> str:
        return os.path.join(self.folder, "trees")

    @property
    def staging(self) -> str:
        return os.path.join(self.folder, ".staging")

    def tree_path(self, name: str, tree: str) -> str:
        return os.path.join(self.trees, f"{name}-{tree.partition(':')[2][:_SHORT]}")


def own_store(places: Places) -> Store:
    return Store(os.path.join(places.agent_dir, "packages"))


def read_index(store: Store) -> dict[str, Installed]:
    """What is installed, by name. Without an index nothing is; a broken index is an error, never an empty store."""
    try:
        value = json_at(store.index_path, INDEX_BROKEN, "the index")
    except PiscesError as error:
        raise PiscesError(error.diagnostic.replace(hint=MEND_INDEX)) from None
    if value is None and not os.path.lexists(store.index_path):
        return {}
    found, wrong = indexed(value)
    if wrong:
        raise PiscesError(INDEX_BROKEN.at(store.index_path, wrong, hint=MEND_INDEX))
    return {each.name: each for each in found}


def write_index(store: Store, packages: Mapping[str, Installed]) -> None:
    """Commits a change: the new index replaces the old one atomically."""
    listed = [packages[name].as_json() for name in sorted(packages)]
    text = json.dumps({"version": INDEX_VERSION, "packages": listed}, indent=2, ensure_ascii=False)
    write_atomically(store.index_path, text.encode("utf-8", "surrogateescape") + b"\n")


@contextmanager
def writing(store: Store, report: Callable[[str], None]) -> Iterator[dict[str, Installed]]:
    """Holds the lock of the store, and removes what a crash has left. Yields what is installed."""
    with disk_faults(store.folder), file_lock(store.lock_path, report):
        index = read_index(store)
        sweep(store, index)
        yield index


@contextmanager
def stage(store: Store, report: Callable[[str], None]) -> Iterator[str]:
    """A folder to build in, locked while this process lives. The next writer removes that of a dead process."""
    with disk_faults(store.folder), _locked_stage(store, report) as inside:
        yield inside


@contextmanager
def _locked_stage(store: Store, report: Callable[[str], None]) -> Iterator[str]:
    folder = os.path.join(store.staging, f"{os.getpid()}-{secrets.token_hex(6)}")
    with file_lock(store.lock_path, report):  # no sweep before the stage is locked
        os.makedirs(folder, 0o700)
        handle = held_lock(os.path.join(folder, _STAGE_LOCK))
    try:
        inside = os.path.join(folder, "content")
        os.mkdir(inside)
        yield inside
    finally:
        os.close(handle)
        with file_lock(store.lock_path, report):
            remove_tree(folder)
            _remove_if_unused(store)


def _remove_if_unused(store: Store) -> None:
    """A refused first install leaves no files."""
    agent_dir = os.path.dirname(store.folder)
    with suppress(OSError):
        os.rmdir(store.staging)
        if os.listdir(store.folder) == [os.path.basename(store.lock_path)]:
            os.unlink(store.lock_path)
            for folder in (store.folder, agent_dir, os.path.dirname(agent_dir)):
                os.rmdir(folder)


def place_tree(store: Store, staged: str, name: str, tree: str) -> str:
    """Moves a staged folder into the store. The same tree may exist already, from an earlier version.

    The stage may have changed since its hash was agreed to, so what arrives is hashed in its place.
    """
    target = store.tree_path(name, tree)
    if os.path.isdir(target) and not os.path.islink(target) and tree_of(target).hash == tree:
        return target
    refuse_unfit(staged, tree, name)
    os.makedirs(store.trees, exist_ok=True)
    flush_tree(staged)
    if os.path.lexists(target):  # its files were changed: the approved ones replace them
        _put_aside(store, target)
    rename_atomically(staged, target)
    try:
        refuse_unfit(target, tree, name)
    except PiscesError:
        _put_aside(store, target)
        raise
    flush_folder(store.folder)
    return target


def refuse_changed(folder: str, tree: str, name: str) -> None:
    """Raises where a folder is not the one that was agreed to any more."""
    if tree_of(folder).hash != tree:
        raise PiscesError(content_changed(folder, name))


def content_changed(folder: str, name: str) -> Diagnostic:
    message = f"the files of `{name}` changed while the question waited; nothing was installed"
    return CONTENT_CHANGED.at(folder, message, hint="find out what changes them, then try again")


def refuse_unfit(folder: str, tree: str, name: str) -> None:
    """As `refuse_changed`, and for what a hash does not cover: a link to another folder, the rights of the owner."""
    if os.path.islink(folder):
        raise PiscesError(content_changed(folder, name))
    refuse_changed(folder, tree, name)
    if faults := validate_tree(folder):
        raise PiscesError(faults[0])


def _put_aside(store: Store, folder: str) -> None:
    """Moves a folder to where the next writer removes it."""
    rename_atomically(folder, os.path.join(store.staging, f"damaged-{secrets.token_hex(6)}"))


def sweep(store: Store, index: Mapping[str, Installed]) -> None:
    """Removes trees that are not in the index, and what a crash has left."""
    referenced = {os.path.basename(folder) for each in index.values() for folder in _folders(each)}
    left = [entry.path for entry in entries(store.trees) if entry.name not in referenced]
    left += [entry.path for entry in entries(store.folder) if entry.name.endswith(".new")]
    for path in left:
        remove(path)
    sweep_stages(store)


def sweep_stages(store: Store) -> None:
    """Removes the stages of dead processes."""
    for entry in entries(store.staging):
        if not is_held(os.path.join(entry.path, _STAGE_LOCK)):
            remove(entry.path)


def remove(path: str) -> None:
    """Removes a file, a link or a folder with its content, never through a link. A missing path is fine."""
    if os.path.isdir(path) and not os.path.islink(path):
        remove_tree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def _folders(package: Installed) -> Iterator[str]:
    yield package.folder
    if package.previous:
        yield str(package.previous.get("folder", ""))
