"""Syncing: installs exactly what the lock pins, all of it or nothing.

Everything is staged and compared with the lock, then the user is asked, then one new index installs all of it, and
last the lock file is written if it changed. Packages that are not in the lock stay as they are.
"""

from __future__ import annotations

import os
from contextlib import ExitStack

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.packages.card import CONSENT_NEEDED, card_of
from pisces.packages.fetching import Fetched
from pisces.packages.fetching.source import RELEASE, name_of
from pisces.packages.install import InstallRequest, Prepared, inventory_at, prepare, record, refuse_clash, safe_name
from pisces.packages.lock.lock import (
    NEEDS_NETWORK,
    Renewal,
    differences,
    drift,
    fault_of,
    is_local,
    launch_notes,
    renewed_pins,
)
from pisces.packages.lock.lock_file import Pin, read_lock, write_lock
from pisces.packages.lock.project_file import Project, first_of
from pisces.packages.store.cache import cache_tree, tree_from_cache
from pisces.packages.store.store import place_tree, read_index, stage, sweep, write_index, writing
from pisces.packages.store.tree import tree_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.packages.install import Installer
    from pisces.shapes.installed import Installed

CONTENT_DIFFERS = Rule("lock-content-differs", ERROR, "What was fetched is not what was locked")
INSTALLED_CHANGED = Rule("installed-changed", ERROR, "An installed package is not as it was installed")
INSTALLED_LINKED = Rule("installed-linked", ERROR, "A package of the lock is linked to a folder")

CURRENT, REPAIRED, UPDATED, INSTALLED, LINKED = "current", "repaired", "updated", "installed", "linked"


class Wanted(Value):
    """`frozen` uses the lock as it is and fails on any drift. `offline` uses no network."""

    frozen: bool = False
    offline: bool = False


class Synced(Value):
    """`states` has the result for each locked package, `others` the other installed packages."""

    states: dict[str, str]
    others: tuple[str, ...]
    lock_changes: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


class _Ready(Value):
    """A staged package that matches the lock."""

    pin: Pin
    state: str
    prepared: Prepared


def sync(project: Project, installer: Installer, wanted: Wanted) -> Synced:
    renewal = Renewal(offline=wanted.offline)
    pins, lock_changes = (
        _frozen_pins(project, installer) if wanted.frozen else renewed_pins(project, installer, renewal)
    )
    index = read_index(installer.store)
    states = {name: _state(pin, index.get(name)) for name, pin in sorted(pins.items())}
    if wanted.frozen:
        _refuse_drift(pins, states, index)
    with ExitStack() as stages:
        ready = []
        for name, state in states.items():
            if state not in (CURRENT, LINKED):
                staged = stages.enter_context(stage(installer.store, installer.report))
                ready.append(_Ready(pins[name], state, _staged(pins[name], staged, installer, wanted)))
        _refuse_unless_agreed(ready, index, installer)
        if ready:
            _settle(ready, installer)
    if not ready and os.path.isdir(installer.store.staging):
        with writing(installer.store, installer.report):
            pass  # removes what a killed sync has left
    if lock_changes:
        write_lock(pins, project)
    others = tuple(sorted(set(index) - set(pins)))
    return Synced(states, others, lock_changes, tuple(launch_notes(pins, project)))


def _frozen_pins(project: Project, installer: Installer) -> tuple[dict[str, Pin], tuple[str, ...]]:
    drifted = drift(project, installer)
    if drifted:
        raise PiscesError(first_of(drifted))
    return read_lock(project) or {}, ()


def _state(pin: Pin, installed: Installed | None) -> str:
    """What has to be done with a package, as the participle that reports it."""
    if installed is None:
        return INSTALLED
    if installed.linked:
        return LINKED
    if _is_current(pin, installed):
        return CURRENT
    return REPAIRED if (installed.tree, installed.hash_version) == pin.here else UPDATED


def _is_current(pin: Pin, installed: Installed) -> bool:
    """Whether the store has what the lock pins, and somebody agreed to that."""
    try:
        tree = tree_of(installed.folder)
    except OSError:
        return False
    return pin.is_of(tree) and tree.is_recorded(installed.tree, installed.hash_version)


def _refuse_drift(pins: dict[str, Pin], states: dict[str, str], index: dict[str, Installed]) -> None:
    for name, state in states.items():
        if state == LINKED:
            message = f"`{name}` is linked to {index[name].folder}"
            raise PiscesError(INSTALLED_LINKED.at("", message, hint=f"pisces extensions uninstall {name}", about=name))
        if state == REPAIRED:
            folder = index[name].folder
            what = differences(pins[name], tree_of(folder)) if os.path.isdir(folder) else "its folder is gone"
            message = f"`{name}` was changed since it was installed: {what}"
            hint = "pisces extensions sync puts the locked files back"
            raise PiscesError(INSTALLED_CHANGED.at(folder, message, hint=hint, about=name))


def _staged(pin: Pin, staged: str, installer: Installer, wanted: Wanted) -> Prepared:
    """Stages the locked content from the cache, else from its source. Raises for content that does not match."""
    folder = os.path.join(staged, name_of(pin.source))  # formats without a manifest have the name of their folder
    here, version = pin.here
    tree = tree_from_cache(here, folder, installer.places, installer.report, version)
    if tree:
        found = inventory_at(folder, installer.places, pin.name, pin.format)
        card = card_of(found, tree, pin.exact.as_text())
        prepared = Prepared(safe_name(found), card, tree, found, Fetched(folder, pin.source, pin.commit, pin.tag))
    elif wanted.offline and not is_local(pin.source):
        message = f"`{pin.name}` is not in the cache ({pin.tree[:19]}...)"
        raise PiscesError(NEEDS_NETWORK.at("", message, hint="sync once without --offline", about=pin.name))
    else:
        prepared = prepare(pin.exact, staged, installer, pin.format)
    if fault := fault_of(pin, prepared):
        message = f"`{pin.name}` from {pin.exact.as_text()} is not what was locked: {fault}"
        per_platform = " (a release may have another file for each platform)" if pin.source.kind == RELEASE else ""
        hint = f"nothing was changed; if this is right{per_platform}: pisces extensions lock --update {pin.name}"
        raise PiscesError(CONTENT_DIFFERS.at("", message, hint=hint, about=pin.name))
    cache_tree(prepared.inventory.folder, here, installer.places, installer.report, version)
    return prepared


def _refuse_unless_agreed(ready: list[_Ready], index: dict[str, Installed], installer: Installer) -> None:
    """Shows all cards before it raises. A repair restores what was approved, so it needs no approval."""
    refused = []
    for each in ready:
        prepared = each.prepared
        before, source = index.get(each.pin.name), each.pin.source
        request = InstallRequest(prepared.card, prepared.tree, prepared.inventory.folder, before, (), source)
        if each.state != REPAIRED and not installer.judge(request).verdict.is_allowed:
            refused.append(prepared)
    if refused:
        names = ", ".join(f"`{prepared.name}`" for prepared in refused)
        accepts = " ".join(f"--accept {prepared.tree.hash}" for prepared in refused)
        hint = f"read the cards, then repeat with {accepts}, or with --accept-lock for all that the lock pins"
        raise PiscesError(CONSENT_NEEDED.at("", f"nobody has agreed to {names} yet; nothing was installed", hint=hint))


def _settle(ready: list[_Ready], installer: Installer) -> None:
    """Puts every tree in place, then replaces the index."""
    with writing(installer.store, installer.report) as index:
        for each in ready:
            before = index.get(each.pin.name)
            if before and before.linked:
                message = f"`{each.pin.name}` was linked to {before.folder} in the meantime"
                raise PiscesError(INSTALLED_LINKED.at("", message, about=each.pin.name))
            if before and _is_current(each.pin, before):
                continue  # another process installed it
            refuse_clash(each.prepared, before, each.pin.name, index)
            index[each.pin.name] = _settled(each, before, installer)
        write_index(installer.store, index)
        sweep(installer.store, index)


def _settled(ready: _Ready, before: Installed | None, installer: Installer) -> Installed:
    pin, tree = ready.pin, ready.prepared.tree
    placed = place_tree(installer.store, ready.prepared.inventory.folder, pin.name, tree.hash)
    if ready.state == REPAIRED and before:
        return before.replace(folder=placed, tree=tree.hash, hash_version=tree.version)
    pinned = ready.prepared.fetched.replace(source=pin.source, commit=pin.commit, tag=pin.tag)
    return record(ready.prepared.replace(fetched=pinned), placed, before).replace(version=pin.version)
