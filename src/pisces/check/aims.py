"""What the paths on a command line mean: packages, single files, or the workspace of a folder.

A folder is the package in it; else everything that harnesses find in it as a workspace, and the packages up to three
levels below. A file is the package that contains it, else the file alone.
"""

from __future__ import annotations

import os

from pisces.check.checked import FILE, PACKAGE, WORKSPACE
from pisces.discovery.package_format import all_formats
from pisces.files import entries, is_folder
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pisces.discovery.package_format import PackageFormat
    from pisces.places import Places

DEPTH = 3
_HIGHEST = 12  # folders above a file that are looked at for a manifest
_NOT_ENTERED = ("node_modules", "__pycache__", "venv")
_FOLDERS_OF_SKILLS = "skills-folder"
_BARE = ("skill", _FOLDERS_OF_SKILLS)  # formats without a manifest: they do not make the folder around them theirs


class Aim(Value):
    """One thing to check. `explicit` paths were asked for by name, and finding nothing there is worth saying."""

    kind: str
    path: str
    formats: tuple[PackageFormat, ...] = ()
    explicit: bool = False


def aims(paths: Sequence[str], places: Places) -> list[Aim]:
    """Every target once, in the order of the paths."""
    formats = all_formats()
    found: dict[tuple[str, str], Aim] = {}
    for path in paths or (places.cwd,):
        absolute = places.absolute(path)
        every = _of_folder(absolute, formats) if os.path.isdir(absolute) else _of_file(absolute, formats, places)
        for aim in every:
            key = (aim.kind, aim.path)
            found.setdefault(key, aim.replace(explicit=bool(paths) and aim.path == absolute))
    return list(found.values())


def packages_in(folders: Iterable[str]) -> Iterator[Aim]:
    """The packages that these folders are."""
    formats = all_formats()
    for folder in folders:
        if fitting := _fitting(folder, formats):
            yield Aim(PACKAGE, folder, fitting)


def _of_folder(folder: str, formats: list[PackageFormat]) -> Iterator[Aim]:
    fitting = _fitting(folder, formats)
    if not _is_bare(fitting) or (fitting and fitting[0].id == "skill"):
        yield Aim(PACKAGE, folder, fitting)
        return
    yield Aim(WORKSPACE, folder)
    yield from _below(folder, formats)


def _below(top: str, formats: list[PackageFormat]) -> Iterator[Aim]:
    pending = [(top, 0, False)]
    while pending:
        folder, level, among_skills = pending.pop(0)
        fitting = _fitting(folder, formats)
        is_skill = any(each.id == "skill" for each in fitting)
        if fitting and not (is_skill and among_skills):
            yield Aim(PACKAGE, folder, fitting)
        if level == DEPTH or is_skill or not _is_bare(fitting):
            continue
        holds = any(each.id == _FOLDERS_OF_SKILLS for each in fitting)
        for entry in entries(folder):
            if is_folder(entry) and not entry.name.startswith(".") and entry.name not in _NOT_ENTERED:
                told = holds or (among_skills and folder.endswith("skills"))
                pending.append((entry.path, level + 1, told))


def _of_file(path: str, formats: list[PackageFormat], places: Places) -> Iterator[Aim]:
    alone = Aim(FILE, path)
    for folder in _around(path, places):
        fitting = tuple(each for each in _fitting(folder, formats) if each.id != _FOLDERS_OF_SKILLS)
        if not _is_bare(fitting):
            yield Aim(PACKAGE, folder, fitting)
            return
        if fitting and alone.kind == FILE:
            alone = Aim(PACKAGE, folder, fitting)  # a bare skill, unless a package is around it
    yield alone


def _around(path: str, places: Places) -> Iterator[str]:
    """The folders above a file, as long as nothing hidden lies between: `.gemini` is not part of a package."""
    folder = os.path.dirname(path)
    for _ in range(_HIGHEST):
        yield folder
        name, above = os.path.basename(folder), os.path.dirname(folder)
        if above == folder or folder == places.home or (name.startswith(".") and not name.endswith("-plugin")):
            return
        folder = above


def _fitting(folder: str, formats: list[PackageFormat]) -> tuple[PackageFormat, ...]:
    return tuple(each for each in formats if each.fits(folder))


def _is_bare(fitting: tuple[PackageFormat, ...]) -> bool:
    return all(each.id in _BARE for each in fitting)
