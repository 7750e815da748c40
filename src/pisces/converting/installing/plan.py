"""What an installation into a user's folders would change: said before anything is, so that somebody can agree to it.

What is not ours is never overwritten. Files of an earlier installation, and files of ours that the user changed, are
moved to a backup.
"""

from __future__ import annotations

import hashlib
import os
import stat

from pisces.converting.convert import Converted, ConvertRequest, convert
from pisces.converting.file_changes import FileChange, digest_at, missing_folders, refuse_links
from pisces.converting.installing.commit import commit_of
from pisces.converting.installing.earlier import earlier_names, listed_by_others, regular_files, resembles
from pisces.converting.installing.layout import BACKUP, InstallPlace, install_place, other_manifests
from pisces.converting.installing.manifest import InstalledFile, InstallManifest, manifest_at
from pisces.converting.installing.settings import SettingsChange, UserSettings, settings_at, with_servers
from pisces.converting.output import folders_above, real_file
from pisces.diagnostics import ERROR, WARNING, Diagnostic, PiscesError, Rule
from pisces.files import MAX_BYTES
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pisces.converting.writer import OutputFile
    from pisces.places import Places

FILE_NOT_OURS = Rule("install-file-not-ours", ERROR, "A file of the user is where a converted file would go")
ALSO_A_PACKAGE = Rule("install-also-packaged", WARNING, "The same package is installed in two forms")


class InstallPlan(Value):
    """`changes` are all that is written and removed, `backups` lead from files that are moved to their new place.

    `earlier` are those of them that another installation left, `problems` what is not installed, and why.
    """

    place: InstallPlace
    converted: Converted
    manifest: InstallManifest
    changes: tuple[FileChange, ...]
    emptied: tuple[str, ...] = ()
    backups: Mapping[str, str] = EMPTY
    earlier: tuple[str, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    is_update: bool = False


class WantedFile(Value):
    """A file that should be there: `data`, or a copy of `source`."""

    digest: str
    is_executable: bool
    data: bytes | None
    source: str

    def change(self, path: str, before: str) -> FileChange:
        return FileChange(path, self.data, self.source, self.is_executable, self.digest, before)


def install_plan(request: ConvertRequest, places: Places, package: str) -> InstallPlan:
    """`package` is the name of the package, which its folder and its manifest are called by."""
    place = install_place(request.target, package, places)
    options = request.options.replace(root=place.root.path(place.files), home=place.home)
    made = convert(request.replace(options=options), places)
    if os.path.islink(place.home):
        raise PiscesError(FILE_NOT_OURS.at(place.home, "it is a link, and nothing is written through it"))
    known = manifest_at(place.root.path(place.manifest))
    if known and known.plugin != made.plugin.name:
        message = f"the package `{known.plugin}` is installed there, and `{made.plugin.name}` would take its place"
        raise PiscesError(FILE_NOT_OURS.at(place.root.path(place.manifest), message, hint="uninstall that one first"))
    return _Planning(place, made, known).plan()


class _Planning:
    """One plan while it is made."""

    def __init__(self, place: InstallPlace, made: Converted, known: InstallManifest | None) -> None:
        self.place = place
        self.made = made
        self.known = known
        self.owned: Mapping[str, InstalledFile] = known.files if known else EMPTY
        self.changes: dict[str, FileChange] = {}
        self.files: dict[str, InstalledFile] = {}
        self.backups: dict[str, str] = {}
        self.earlier: list[str] = []
        self.problems: list[Diagnostic] = []

    def plan(self) -> InstallPlan:
        wanted = {self.place.path(each.path): _wanted(each, self.made.folder) for each in self.made.files}
        self._note_package()
        self._sweep_listed()
        for group, paths in _groups(wanted, self.place).items():
            self._take(group, {path: wanted[path] for path in paths})
        self._remove_stale()
        self._sweep_elsewhere(wanted)
        settings = self._settings()
        manifest = self._manifest(settings)
        self._add_manifest(manifest)
        removed = [each.path for each in self.changes.values() if each.removes]
        return InstallPlan(
            self.place,
            self.made,
            manifest,
            tuple(self.changes.values()),
            tuple(each for each in folders_above(removed) if self._made_by_us(each)),
            self.backups,
            tuple(self.earlier),
            tuple(self.problems),
            self.known is not None,
        )

    def _note_package(self) -> None:
        path = os.path.join(self.place.home, self.place.layout.packages, self.place.name)
        if os.path.lexists(path):
            message = f"`{self.place.name}` is installed as a package, too: each of its components is there twice"
            self.problems.append(ALSO_A_PACKAGE.at(path, message, hint="uninstall one of them"))

    def _take(self, group: str, wanted: Mapping[str, WantedFile]) -> None:
        """One component: all its files, or none where one of them is somebody else's."""
        try:
            here = {path: self._digest(path) for path in wanted}
        except PiscesError as error:
            found = error.diagnostic
            self.problems.append(FILE_NOT_OURS.at(found.path, f"`{group}` is not installed: {found.message}"))
            return
        foreign = [path for path, each in wanted.items() if self._is_foreign(path, each, here[path])]
        if foreign and not self._is_earlier(group, wanted):
            path = self.place.root.path(foreign[0])
            hint = "rename yours, or leave this one out"
            self.problems.append(FILE_NOT_OURS.at(path, f"`{group}` is not installed: this file is yours", hint=hint))
            return
        if foreign:
            self._sweep(regular_files(self.place, (group,)))
        for path, each in wanted.items():
            self._place(path, each, here[path])

    def _is_foreign(self, path: str, wanted: WantedFile, here: str) -> bool:
        return bool(here) and path not in self.owned and path not in self.changes and here != wanted.digest

    def _is_earlier(self, group: str, wanted: Mapping[str, WantedFile]) -> bool:
        main = f"{group}/SKILL.md" if f"{group}/SKILL.md" in wanted else group
        each = wanted.get(main)
        return each is not None and resembles(self.place.root.path(main), _content(each))

    def _place(self, path: str, wanted: WantedFile, here: str) -> None:
        before = self.owned.get(path)
        if path in self.changes:  # moved to the backup a moment ago
            here = self.changes[path].before
        elif here and here == wanted.digest and self._mode_fits(path, wanted):
            adopted = before.adopted if before else True
            self.files[path] = InstalledFile(wanted.digest, wanted.is_executable, adopted)
            return
        elif here and (before is None or before.adopted or here != before.digest):
            self._back_up(path, here)
            self.earlier += [path] if before is None or before.adopted else []
        self.changes[path] = wanted.change(path, here)
        self.files[path] = InstalledFile(wanted.digest, wanted.is_executable)

    def _remove_stale(self) -> None:
        """What an earlier installation wrote and this one does not."""
        for path, before in self.owned.items():
            if path in self.files or path in self.changes or before.adopted:
                continue
            try:
                here = self._digest(path)
            except PiscesError:  # somebody put a link there: it is theirs
                continue
            if here and here != before.digest:
                self._back_up(path, here)
            if here:
                self.changes[path] = FileChange(path, before=here)

    def _sweep_listed(self) -> None:
        """What another installer's manifest names, and that manifest."""
        listed = listed_by_others(self.place) if self.known is None else []
        if listed:
            self._sweep(regular_files(self.place, (*listed, self.place.manifest)))

    def _sweep_elsewhere(self, wanted: Mapping[str, WantedFile]) -> None:
        for path, each in wanted.items():
            for name in earlier_names(path) if path in self.files and _is_component(path, self.place) else ():
                is_known = name in wanted or name in self.owned or name in self.changes
                if not is_known and resembles(self.place.root.path(name), _content(each)):
                    self._sweep(regular_files(self.place, (name,)))

    def _sweep(self, paths: Iterable[str]) -> None:
        for path in paths:
            if path in self.owned or path in self.changes:
                continue
            try:
                here = self._digest(path)
            except PiscesError:
                continue
            self._back_up(path, here)
            self.changes[path] = FileChange(path, before=here)
            self.earlier.append(path)

    def _back_up(self, path: str, digest: str) -> None:
        """A copy of a file, with its mode, under the lowest number that is free."""
        root = self.place.root
        number = next(number for number in range(1, 100_000) if not os.path.lexists(root.path(self._backup(number))))
        target = f"{self._backup(number)}/{path}"
        mode = stat.S_IMODE(os.stat(root.path(path)).st_mode)
        self.changes[target] = FileChange(target, None, root.path(path), digest=digest, exact_mode=mode)
        self.backups[path] = target

    def _backup(self, number: int) -> str:
        return f"{self.place.name}/{BACKUP}/{number}"

    def _settings(self) -> SettingsChange:
        layout = self.place.layout
        before = self.known.settings if self.known else None
        if not self.made.servers and before is None:
            return SettingsChange(None)
        file = settings_at(self.place.root.path(layout.settings), layout.servers)
        inherited = [each for other in self._others() if other.settings for each in other.settings.made]
        changed = with_servers(file, self.made.servers, before, tuple(inherited))
        self.problems += changed.problems
        if changed.text != file.text:
            self.changes[layout.settings] = settings_change(file, changed.text, layout.settings)
        return changed

    def _manifest(self, settings: SettingsChange) -> InstallManifest:
        plugin = self.made.plugin
        source = {"folder": self.made.folder, "format": plugin.format, "commit": commit_of(self.made.folder)}
        moved = dict(self.known.moved) if self.known else {}
        moved.update((path, self.backups[path]) for path in self.earlier)
        return InstallManifest(
            plugin.name,
            plugin.version,
            self.made.target,
            {key: value for key, value in source.items() if value},
            self.files,
            self._folders(),
            moved,
            settings.record,
        )

    def _folders(self) -> tuple[str, ...]:
        """Those that are made now, were made before, or were made by another installation of ours."""
        needed = ["", *folders_above((self.place.manifest, *self.files, *self.changes))]
        made = missing_folders(self.place.root, (self.place.manifest, *self.changes))
        made += list(self.known.folders) if self.known else []
        made += [each for other in self._others() for each in other.folders if each in needed]
        return tuple(sorted({*made}))

    def _add_manifest(self, manifest: InstallManifest) -> None:
        path, data = self.place.manifest, manifest.text()
        here = self.changes[path].before if path in self.changes else self._digest(path)
        if path not in self.changes and here and self.known is None:
            whole = self.place.root.path(path)
            raise PiscesError(FILE_NOT_OURS.at(whole, "this file is no manifest of ours", hint="move it away"))
        digest = hashlib.sha256(data).hexdigest()
        if here != digest:
            self.changes[path] = FileChange(path, data, digest=digest, before=here)

    def _others(self) -> list[InstallManifest]:
        return [found for path in other_manifests(self.place) if (found := manifest_at(path))]

    def _made_by_us(self, folder: str) -> bool:
        return self.known is not None and folder in self.known.folders

    def _digest(self, path: str) -> str:
        refuse_links(self.place.root, path)
        return digest_at(self.place.root.path(path))

    def _mode_fits(self, path: str, wanted: WantedFile) -> bool:
        mode = os.stat(self.place.root.path(path)).st_mode
        return os.name == "nt" or bool(mode & 0o100) == wanted.is_executable


def settings_change(file: UserSettings, text: str | None, path: str) -> FileChange:
    """The settings with another text; their mode stays."""
    before = file.digest
    if text is None:
        return FileChange(path, before=before)
    mode = stat.S_IMODE(os.stat(file.path).st_mode) if file.text is not None else 0
    data = text.encode("utf-8")
    return FileChange(path, data, digest=hashlib.sha256(data).hexdigest(), before=before, exact_mode=mode)


def _wanted(file: OutputFile, folder: str) -> WantedFile:
    source = real_file(folder, file.source) if file.data is None else ""
    digest = digest_at(source) if file.data is None else hashlib.sha256(file.data).hexdigest()
    return WantedFile(digest, file.is_executable, file.data, source)


def _content(wanted: WantedFile) -> bytes:
    if wanted.data is not None:
        return wanted.data
    with open(wanted.source, "rb") as file:
        return file.read(MAX_BYTES)


def _is_component(path: str, place: InstallPlace) -> bool:
    return path.split("/")[0] in place.layout.folders


def _groups(paths: Iterable[str], place: InstallPlace) -> dict[str, list[str]]:
    """Files by the component that they are part of: a skill is its folder, everything else is one file."""
    groups: dict[str, list[str]] = {}
    skills = {path.rpartition("/")[0] for path in paths if path.endswith("/SKILL.md") and _is_component(path, place)}
    for path in paths:
        parts = path.split("/")
        folder = "/".join(parts[:2])
        groups.setdefault(folder if folder in skills else path, []).append(path)
    return groups
