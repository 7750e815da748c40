"""Locking: resolves the project file to pins. Nothing is installed and nothing is run.

A pin stays until an update is asked for or the project file changes. Sources on this machine have no version, so they
are read again each time.
"""

from __future__ import annotations

import os
import tempfile
from difflib import get_close_matches

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.formats.position import json_place
from pisces.packages.card import card_of
from pisces.packages.fetching.source import ARCHIVE, FOLDER, GIT, MARKETPLACE, RELEASE, is_remote, parse_source
from pisces.packages.fetching.source_urls import file_path
from pisces.packages.install import Installer, Prepared, prepare
from pisces.packages.launches import LAUNCH_FLOATS, LAUNCH_REMOTE, anywhere, launches_of
from pisces.packages.lock.lock_file import Pin, lock_text, read_lock, write_lock
from pisces.packages.lock.project_file import PROJECT_BROKEN, Project, Requirement, read_requirements
from pisces.packages.store.cache import cache_tree
from pisces.packages.store.store import stage
from pisces.packages.store.tree import Tree, changed_files, without_run_bits
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.packages.fetching.source import PackageSource

LOCK_MISSING = Rule("lock-missing", ERROR, "There is no lock file")
LOCK_DRIFT = Rule("lock-drift", ERROR, "The lock file is not about what the project file asks for")
LOCK_NOT_ASKED = Rule("lock-unknown-package", ERROR, "No package of that name is in the project file")
NEEDS_NETWORK = Rule("lock-needs-network", ERROR, "A package cannot be had without the network")

_SHOWN = 5
_HINT = "pisces extensions lock, then commit pisces.lock"


class Locked(Value):
    """`changes` has a line for each pin that was added, changed or removed."""

    pins: dict[str, Pin]
    changes: tuple[str, ...]
    written: bool
    diagnostics: tuple[Diagnostic, ...]


class Renewal(Value):
    """Which pins to renew: by name, or all. `offline` allows only sources on this machine."""

    names: tuple[str, ...] = ()
    everything: bool = False
    offline: bool = False


def lock(project: Project, installer: Installer, renewal: Renewal) -> Locked:
    """Renews the lock for the project file. The lock file is written only if it changes."""
    pins, changes = renewed_pins(project, installer, renewal)
    written = write_lock(pins, project)
    return Locked(pins, changes, written, tuple(launch_notes(pins, project)))


def renewed_pins(project: Project, installer: Installer, renewal: Renewal) -> tuple[dict[str, Pin], tuple[str, ...]]:
    """The pins for the project file, and the changes. Does not write the lock file."""
    requirements = read_requirements(project)
    for name in renewal.names:
        if name not in requirements:
            near = get_close_matches(name, list(requirements), n=1)
            hint = f"did you mean `{near[0]}`?" if near else ""
            raise PiscesError(LOCK_NOT_ASKED.at(project.file, f"`{name[:100]}` is not in the project file", hint=hint))
    before = read_lock(project) or {}
    pins = {}
    for name, requirement in requirements.items():
        pin = before.get(name)
        is_renewed = renewal.everything or name in renewal.names
        if pin and not is_renewed and not _outdated(name, requirement, pin, project) and not _is_readable_here(pin):
            pins[name] = pin
        else:
            pins[name] = _new_pin(name, requirement, project, installer, offline=renewal.offline)
    return pins, tuple(_changes(before, pins))


def drift(project: Project, installer: Installer) -> list[Diagnostic]:
    """Every difference between the lock and the project. Uses no network and writes nothing."""
    requirements = read_requirements(project)
    pins = read_lock(project)
    if pins is None:
        return [LOCK_MISSING.at(project.lock, "there is no lock file", hint=_HINT)]
    found = [_drifted(name, f"`{name}` is not locked", project) for name in sorted(requirements) if name not in pins]
    for name, pin in sorted(pins.items()):
        reason = _outdated(name, requirements.get(name), pin, project) or _moved(pin, installer)
        if reason:
            found.append(_drifted(name, reason, project))
    return found


def launch_notes(pins: dict[str, Pin], project: Project) -> Iterator[Diagnostic]:
    """Everything started or reached that the lock cannot pin, with its place in the lock file."""
    text = ""
    for number, name in enumerate(sorted(pins)):
        for index, launch in enumerate(pins[name].servers):
            if launch.pinned:
                continue
            text = text or lock_text(pins, project)
            place = json_place(text, ("packages", number, "servers", index))
            rule = LAUNCH_FLOATS if launch.argv else LAUNCH_REMOTE
            message = f"{launch.kind} `{launch.name}` of `{name}` is not pinned: {launch.reason}"
            yield rule.at(project.lock, message, place=place, hint=launch.hint, about=name)


def is_local(source: PackageSource) -> bool:
    """A folder or archive on this machine, which has no version."""
    return source.kind in (FOLDER, ARCHIVE, MARKETPLACE) and not is_remote(source)


def _new_pin(name: str, requirement: Requirement, project: Project, installer: Installer, *, offline: bool) -> Pin:
    source = _resolved(requirement, project)
    if offline and not is_local(source):
        message = f"`{name}` has to be locked, and its source is not on this machine"
        raise PiscesError(NEEDS_NETWORK.at(project.file, message))
    with stage(installer.store, installer.report) as staged:
        prepared = prepare(source, staged, installer)
        if prepared.name != name:
            message = f"the package is called `{prepared.name}`, the project file calls it `{name}`"
            hint = f"write [packages.{prepared.name}]"
            raise PiscesError(PROJECT_BROKEN.at(project.file, message, hint=hint))
        cache_tree(prepared.inventory.folder, prepared.tree.hash, installer.places, installer.report)
        return _pin(prepared, requirement)


def _pin(prepared: Prepared, requirement: Requirement) -> Pin:
    fetched = prepared.fetched
    return Pin(
        name=prepared.name,
        version=locked_version(prepared),
        format=prepared.inventory.format.id,
        asked=requirement,
        source=fetched.source,
        commit=fetched.commit,
        tag="" if fetched.source.kind == ARCHIVE else fetched.tag,  # an ETag says nothing about the content
        tree=prepared.tree.hash,
        servers=launches_of(prepared.inventory),
        files=prepared.tree.as_json(),
        hash_version=prepared.tree.version,
    )


def locked_version(prepared: Prepared) -> str:
    return card_of(anywhere(prepared.inventory), prepared.tree, "").version


def _resolved(requirement: Requirement, project: Project) -> PackageSource:
    given = {"ref": requirement.ref, "subdir": requirement.subdir}
    return parse_source(requirement.source, project.places, **given, pre_release=requirement.pre_release)


def _outdated(name: str, requirement: Requirement | None, pin: Pin, project: Project) -> str:
    """Why a pin does not match the project file; empty if it does."""
    if requirement is None:
        return f"`{name}` is locked, but not in the project file"
    if requirement != pin.asked:
        return f"`{name}` was locked for another request than the project file has now"
    try:
        source = _resolved(requirement, project)
    except PiscesError:  # the path is gone, but the cache may have its content
        elsewhere = f"`{name}` is not at {requirement.source}, and was locked from elsewhere"
        return "" if _was_there(requirement, pin, project) else elsewhere
    here = (source.location, source.ref, source.subdir, source.entry)
    there = (pin.source.location, pin.source.ref, pin.source.subdir, pin.source.entry)
    same_kind = source.kind == pin.source.kind or (source.kind, pin.source.kind) == (RELEASE, GIT)
    if here == there and same_kind:
        return ""
    return f"`{name}` is asked for from {source.as_text()}, but locked from {pin.source.as_text()}"


def _was_there(requirement: Requirement, pin: Pin, project: Project) -> bool:
    """Whether a pin is from the path in the project file, by the text alone."""
    typed = requirement.source.removeprefix("git+").partition("#")[0]
    path = project.places.absolute(file_path(typed) or typed)
    was = file_path(pin.source.location) or pin.source.location
    listed = pin.source.entry and requirement.source.startswith(f"{pin.source.entry}@") and is_local(pin.source)
    return was == path or bool(listed)


def _is_readable_here(pin: Pin) -> bool:
    """A marketplace on this machine may list remote plugins, which have a commit."""
    here = is_local(pin.source) and os.path.exists(pin.source.location)
    return here and (pin.source.kind != MARKETPLACE or not pin.commit)


def _moved(pin: Pin, installer: Installer) -> str:
    """How a source on this machine differs from the lock; empty if it does not."""
    if not _is_readable_here(pin):
        return ""
    with tempfile.TemporaryDirectory() as staged:  # so that a store that can only be read is enough
        try:
            found = fault_of(pin, prepare(pin.source, staged, installer))
        except PiscesError as error:
            return f"`{pin.name}` cannot be read: {error.diagnostic.message}"
    return f"`{pin.name}` has changed since it was locked: {found}" if found else ""


def fault_of(pin: Pin, prepared: Prepared) -> str:
    """How a package differs from the lock, or an empty text. People review the lock file, so all of it has to match."""
    if not pin.is_of(prepared.tree):
        return differences(pin, prepared.tree)
    read = (prepared.name, locked_version(prepared), prepared.inventory.format.id)
    if read != (pin.name, pin.version, pin.format):
        return f"it is {' '.join(filter(None, read))}"
    started = [launch.started for launch in launches_of(prepared.inventory)]
    same = started == [launch.started for launch in pin.servers]
    return "" if same else "what it starts or reaches is not what the lock says"


def differences(pin: Pin, tree: Tree) -> str:
    """The first few files that differ from the lock, for a message."""
    before, after = pin.files, tree.as_json()
    if pin.hash_version != tree.version:
        before, after = without_run_bits(before), without_run_bits(after)
    changed = [f"{state} {path}" for state, path in changed_files(before, after)]
    more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
    return (", ".join(changed[:_SHOWN]) + more) or "the lock's hash is not that of its files"


def _drifted(name: str, message: str, project: Project) -> Diagnostic:
    return LOCK_DRIFT.at(project.lock, message, hint=_HINT, about=name)


def _changes(before: dict[str, Pin], after: dict[str, Pin]) -> Iterator[str]:
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is None and new:
            yield f"added {name} {version_text(new)}"
        elif old and new is None:
            yield f"removed {name}"
        elif old and new and old != new:
            run_bits = ", with its run bits" if old.hash_version < new.hash_version else ""
            yield f"changed {name} {version_text(old)} -> {version_text(new)}{run_bits}"


def version_text(pin: Pin) -> str:
    short = pin.commit.removeprefix("sha256:")[:12] or pin.tree.removeprefix("sha256:")[:12]
    return " ".join(filter(None, (pin.version, f"({pin.tag or short})")))
