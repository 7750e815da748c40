"""Installs what was planned, and takes an installation back: all of it or nothing, also where a process was killed."""

from __future__ import annotations

import json
import os
import stat
from contextlib import contextmanager

from pisces.converting.file_changes import JOURNAL, ChangeRoot, FileChange, digest_at, make_changes, mend, refuse_links
from pisces.converting.installing.layout import BACKUP, InstallPlace
from pisces.converting.installing.manifest import InstallManifest, manifest_at
from pisces.converting.installing.plan import InstallPlan, settings_change
from pisces.converting.installing.settings import settings_at, taken_back
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import disk_fault
from pisces.file_lock import folder_lock
from pisces.files import entries
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_INSTALLED = Rule("install-not-installed", ERROR, "No converted package of that name is installed")


class Uninstalled(Value):
    """`removed` are files that are gone, `restored` those that are again where they were, `saved` lead from what the
    user had changed to where it is now. Without a manifest there was only something to take back.
    """

    manifest: InstallManifest | None
    removed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    saved: tuple[tuple[str, str], ...] = ()


def recover(place: InstallPlace) -> bool:
    """Takes back an installation that was cut short, or finishes one. Whether it was taken back."""
    if not os.path.isdir(os.path.dirname(place.home)):
        return False
    with _locked(place):
        return _mend(place)


def install(plan: InstallPlan) -> None:
    """Writes a plan that was agreed to. `PiscesError` where something changed since, or the disk refuses."""
    if plan.changes:
        with _locked(plan.place):
            _mend(plan.place)
            make_changes(plan.place.root, plan.changes, plan.emptied)


def uninstall(place: InstallPlace) -> Uninstalled:
    """Everything as it was before. `PiscesError` where nothing is installed."""
    was_cut_short = recover(place)
    known = manifest_at(place.root.path(place.manifest))
    if known is None:
        if was_cut_short:
            return Uninstalled(None)
        message = f"`{place.name}` is not installed in {place.home}"
        raise PiscesError(NOT_INSTALLED.at("", message, hint="install it with --install"))
    with _locked(place):
        undoing = _Undoing(place, known)
        done = undoing.done()
        make_changes(place.root, tuple(undoing.changes.values()), known.folders)
    return done


def _mend(place: InstallPlace) -> bool:
    """Also what installations of other packages could not finish: they change the same settings."""
    for entry in entries(place.home):
        if entry.name != place.name and os.path.lexists(os.path.join(entry.path, JOURNAL)) and not entry.is_symlink():
            mend(ChangeRoot(place.home, entry.name))
    return mend(place.root)


class _Undoing:
    """What an uninstallation changes."""

    def __init__(self, place: InstallPlace, known: InstallManifest) -> None:
        self.place = place
        self.known = known
        self.changes: dict[str, FileChange] = {}
        self.saved: list[tuple[str, str]] = []

    def done(self) -> Uninstalled:
        removed = [path for path, file in self.known.files.items() if not file.adopted and self._remove(path)]
        restored = [path for path, backup in self.known.moved.items() if self._restore(path, backup)]
        self._settings()
        manifest = self.place.manifest
        if manifest not in restored:
            self.changes[manifest] = FileChange(manifest, before=self._digest(manifest))
        return Uninstalled(self.known, tuple(removed), tuple(restored), tuple(self.saved))

    def _remove(self, path: str) -> bool:
        """What the user changed goes to the backup instead; a link that is there now is theirs."""
        here = self._digest(path) if self._is_ours(path) else ""
        if not here:
            return False
        if here != self.known.files[path].digest:
            self._save(path, None, here)
        self.changes[path] = FileChange(path, before=here)
        return True

    def _is_ours(self, path: str) -> bool:
        """A manifest can only name what an installation could have written."""
        return path.split("/")[0] in self.place.layout.folders or path.startswith(f"{self.place.files}/")

    def _restore(self, path: str, backup: str) -> bool:
        """A file of an earlier installation, where it was. Where somebody has put another since, both stay."""
        here = self.changes[path].before if path in self.changes else self._digest(path)
        data = self._digest(backup) if backup.startswith(f"{self.place.name}/{BACKUP}/") else ""
        is_free = path in self.changes or not here or path == self.place.manifest
        if not data or not is_free or not (self._is_ours(path) or path == self.place.manifest):
            return False
        source = self.place.root.path(backup)
        mode = stat.S_IMODE(os.stat(source).st_mode)
        self.changes[path] = FileChange(path, None, source, digest=data, before=here, exact_mode=mode)
        self.changes[backup] = FileChange(backup, before=data)
        return True

    def _settings(self) -> None:
        layout, record = self.place.layout, self.known.settings
        if record is None:
            return
        file = settings_at(self.place.root.path(layout.settings), layout.servers)
        changed = taken_back(file, record)
        if changed.saved:
            self._save(f"{layout.settings}.changed", json.dumps(dict(changed.saved), indent=2).encode() + b"\n", "")
        if changed.text != file.text:
            self.changes[layout.settings] = settings_change(file, changed.text, layout.settings)

    def _save(self, path: str, data: bytes | None, digest: str) -> None:
        root = self.place.root
        folder = f"{self.place.name}/{BACKUP}"
        number = next(at for at in range(1, 100_000) if not os.path.lexists(root.path(f"{folder}/{at}")))
        target = f"{folder}/{number}/{path}"
        if data is None:
            mode = stat.S_IMODE(os.stat(root.path(path)).st_mode)
            self.changes[target] = FileChange(target, None, root.path(path), digest=digest, exact_mode=mode)
        else:
            self.changes[target] = FileChange(target, data)
        self.saved.append((path, target))

    def _digest(self, path: str) -> str:
        """Empty also for what is no regular file: nothing of ours is there."""
        try:
            refuse_links(self.place.root, path)
            return digest_at(self.place.root.path(path))
        except PiscesError:
            return ""


@contextmanager
def _locked(place: InstallPlace) -> Iterator[None]:
    """One change at a time in the harness's folder, whichever package it is about."""
    above = os.path.dirname(place.home)
    try:
        with folder_lock(above):
            yield
    except OSError as error:
        raise PiscesError(disk_fault(error, error.filename or place.home)) from None
