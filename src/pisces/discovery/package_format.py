"""A package format as a table of contents: for each capability, where in the package's folder it is looked for."""

from __future__ import annotations

import os

from pisces.by_name import export_of, folders_with, names_in
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.denied import left_over, look_at
from pisces.discovery.found import Found
from pisces.discovery.harness import HARNESSES, Where, finder_named
from pisces.discovery.linked import linked_folder
from pisces.files import Unreadable, read_text
from pisces.formats.fit import noun_of
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.shapes.package import Package
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pisces.discovery.harness import Find, Look, Looks, Run, Where
    from pisces.places import Places
    from pisces.shapes.command import Command

SKILL_COMMANDS = "skill-commands"  # what `components` is asked for beside capabilities

PACKAGE_MANIFEST = Rule("package-manifest", ERROR, "A package's manifest cannot be used")


class ReadPackage(Value):
    """`package` is None where the manifest cannot be used; `installs` says whether the harness would take it."""

    package: Package | None
    installs: bool
    diagnostics: tuple[Diagnostic, ...] = ()


class PackageFormat(Value):
    """`manifest` is relative to the package's folder; where several formats fit one folder, lower `rank` comes first.

    `other_manifests` are further places of the manifest; the first that exists counts. `optional`: the harness takes a
    folder without a manifest too.

    `harness` is the id of the harness that it belongs to. `fits_folder` replaces the test for the manifest, `reader`
    the plain reading of a JSON manifest. A `bare` package is nothing but skills. `root_variable` stands for the
    package's folder in its files. `final_names` says what users type for the commands of a package of this name.
    `note` is the file that stands for a linked package in its harness's store. `skill_commands` are the looks for
    skills that users may type as commands.
    """

    id: str
    label: str
    manifest: str
    rank: int
    harness: str
    looks: Looks
    fits_folder: Callable[[str], bool] | None = None
    reader: Callable[[str, Places], ReadPackage] | None = None
    bare: bool = False
    root_variable: str = "PLUGIN_ROOT"
    final_names: Callable[[Sequence[Command], str], list[str]] | None = None
    note: str = ""
    other_manifests: tuple[str, ...] = ()
    optional: bool = False
    skill_commands: Callable[[], tuple[Look, ...]] = tuple

    @property
    def is_skills_folder(self) -> bool:
        """A folder with skills in it, and nothing else that makes it a package."""
        return self.bare and not self.manifest

    def fits(self, folder: str) -> bool:
        if self.fits_folder:
            return self.fits_folder(folder)
        return os.path.lexists(self.manifest_path(folder))

    def has_manifest(self, folder: str) -> bool:
        """Some formats take a folder without one."""
        return bool(self.manifest) and os.path.lexists(self.manifest_path(folder))

    def manifest_path(self, folder: str) -> str:
        return first_existing(folder, (self.manifest, *self.other_manifests))

    def read(self, folder: str, places: Places) -> ReadPackage:
        return self.reader(folder, places) if self.reader else read_manifest(folder, self)


def first_existing(folder: str, names: tuple[str, ...]) -> str:
    """The path of the first of these files that exists; of the first one where none does."""
    paths = [os.path.join(folder, *name.split("/")) for name in names]
    return next((path for path in paths if len(paths) > 1 and os.path.lexists(path)), paths[0])


def read_manifest(folder: str, package_format: PackageFormat, parsed: Callable[[str], object] = parse) -> ReadPackage:
    path = package_format.manifest_path(folder)
    name = os.path.basename(os.path.abspath(folder))
    try:
        manifest = parsed(read_text(path))
    except Unreadable as error:
        flaw = PACKAGE_MANIFEST.at(path, f"the manifest {error.message}", about=name)
    except Malformed as error:
        flaw = PACKAGE_MANIFEST.at(path, error.message, place=(error.line, error.column), about=name)
    else:
        if isinstance(manifest, dict):
            return ReadPackage(Package(manifest.get("name") or name, folder, manifest, package_format.id), True)
        message = f"the manifest must be an object, not {noun_of(manifest)}"
        flaw = PACKAGE_MANIFEST.at(path, message, place=(1, 1), about=name)
    return ReadPackage(None, False, (flaw,))


def all_formats() -> list[PackageFormat]:
    found: list[PackageFormat] = [export_of(package, name, "FORMAT") for package, name in _files_of_formats()]
    return sorted(found, key=lambda each: each.rank)


def format_named(name: str) -> PackageFormat:
    return _format_among(_files_of_formats(), name)


def format_once(name: str, run: Run) -> PackageFormat:
    """`format_named`, searched for once in a run."""
    return run.once(("format", name), lambda: _format_among(run.once(("formats",), _files_of_formats), name))


def _format_among(files: Sequence[tuple[str, str]], name: str) -> PackageFormat:
    file = name.replace("-", "_")
    found: PackageFormat = export_of(next(package for package, each in files if each == file), file, "FORMAT")
    return found


def _files_of_formats() -> list[tuple[str, str]]:
    """Package and name of each."""
    return [(package, name) for package in folders_with(HARNESSES, "formats") for name in names_in(package)]


def formats_of(folder: str) -> list[PackageFormat]:
    """Every format whose manifest lies in this folder: authors ship for several harnesses at once."""
    return [each for each in all_formats() if each.fits(folder)]


def real_folder(folder: str, places: Places) -> str:
    """Where the package of a folder really is: a store has only a note of a linked one."""
    notes = [each.note for each in all_formats() if each.note]
    real = (linked_folder(folder, note, places.cwd) for note in notes)
    return next((each for each in real if each != folder), folder)


def can_bring(format_id: str, where: Where) -> bool:
    """Whether packages of a format have a place for the capability that `where` asks for."""
    return bool(where.run.once(("components", format_id, where.capability), lambda: _inside(format_id, where)))


def components(package: Package, where: Where) -> Iterator[Found | Diagnostic]:
    """What a package brings for the capability that `where` asks for. A finder is loaded when it may find something.

    A package that does not load has items, but no problems of its own.
    """
    places, run, capability, harness_id, label, level = where.as_tuple()[:6]
    manifest = package.manifest if isinstance(package.manifest, dict) else {}
    for part in run.once(("components", package.format, capability), lambda: _inside(package.format, where)):
        if part.needs and part.needs not in manifest:
            continue
        path = package.path + part.inside
        is_there, problems = look_at(path, below=False) if part.inside else (True, ())
        yield from problems
        if is_there:
            whose = (places, run, capability, harness_id, label, level)
            made = Where(*whose, path, part.options, package, where.harness, where.held)  # quicker than `replace`
            found = part.find(made)
            yield from found if where.held is None else (each for each in found if isinstance(each, Found))
            if run.cuts:
                yield from left_over(run.cuts)


class _Part:
    """One look of a format: its options, where in a package it looks, its finder once one was needed."""

    __slots__ = ("_find", "inside", "needs", "options")

    def __init__(self, look: Look) -> None:
        inside = look.at.partition(":")[2].replace("/", os.sep)
        self.options, self.needs = look.options, look.options.NEEDS
        self.inside = os.sep + inside if inside else ""
        self._find: Find | None = None

    @property
    def find(self) -> Find:
        if self._find is None:
            self._find = finder_named(self.options.FINDER)
        return self._find


def _inside(format_id: str, where: Where) -> list[_Part]:
    package_format = format_once(format_id, where.run)
    looks = {**package_format.looks, SKILL_COMMANDS: package_format.skill_commands}
    return [_Part(look) for look in (looks[where.capability]() if where.capability in looks else ())]
