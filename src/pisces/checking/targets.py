"""What the paths on a command line mean: packages, single files, or the workspace of a folder.

A folder is the package in it; else everything that harnesses find in it as a workspace, and the packages up to three
levels below. A file is the package that contains it, else the file alone.
"""

from __future__ import annotations

import os

from pisces.checking.checked import FILE, PACKAGE, WORKSPACE
from pisces.discovery.package_format import PackageFormat, all_formats, real_folder
from pisces.files import entries, is_folder
from pisces.places import Places
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DEPTH = 3
_HIGHEST = 12  # folders above a file that are searched for a manifest
_NOT_ENTERED = ("node_modules", "__pycache__", "venv")


class Target(Value):
    """One thing to check. `explicit`: the user named the path, so finding nothing there is reported."""

    kind: str
    path: str
    formats: tuple[PackageFormat, ...] = ()
    explicit: bool = False


def targets(paths: Sequence[str], places: Places) -> list[Target]:
    """Every target once, in the order of the paths."""
    formats = all_formats()
    found: dict[tuple[str, str], Target] = {}
    for path in paths or (places.cwd,):
        absolute = real_folder(places.absolute(path), places)
        every = _of_folder(absolute, formats) if os.path.isdir(absolute) else _of_file(absolute, formats, places)
        for target in every:
            key = (target.kind, target.path)
            found.setdefault(key, target.replace(explicit=bool(paths) and target.path == absolute))
    return list(found.values())


def packages_in(folders: Iterable[str]) -> Iterator[Target]:
    """The packages that these folders are."""
    formats = all_formats()
    for folder in folders:
        if fitting := _fitting(folder, formats):
            yield Target(PACKAGE, folder, fitting)


def _of_folder(folder: str, formats: list[PackageFormat]) -> Iterator[Target]:
    fitting = _fitting(folder, formats)
    if not _is_bare(fitting) or (fitting and _is_skill(fitting[0])):
        yield Target(PACKAGE, folder, fitting)
        return
    yield Target(WORKSPACE, folder)
    yield from _below(folder, formats)


def _below(top: str, formats: list[PackageFormat]) -> Iterator[Target]:
    pending = [(top, 0, False)]
    while pending:
        folder, level, in_skills = pending.pop(0)
        fitting = _fitting(folder, formats)
        is_skill = any(map(_is_skill, fitting))
        if fitting and not (is_skill and in_skills):
            yield Target(PACKAGE, folder, fitting)
        if level == DEPTH or is_skill or not _is_bare(fitting):
            continue
        below_skills = any(each.is_skills_folder for each in fitting) or (in_skills and folder.endswith("skills"))
        for entry in entries(folder):
            if is_folder(entry) and not entry.name.startswith(".") and entry.name not in _NOT_ENTERED:
                pending.append((entry.path, level + 1, below_skills))


def _of_file(path: str, formats: list[PackageFormat], places: Places) -> Iterator[Target]:
    alone = Target(FILE, path)
    for folder in _folders_above(path, places):
        fitting = tuple(each for each in _fitting(folder, formats) if not each.is_skills_folder)
        if not _is_bare(fitting):
            yield Target(PACKAGE, folder, fitting)
            return
        if fitting and alone.kind == FILE:
            alone = Target(PACKAGE, folder, fitting)  # a bare skill, unless a package contains it
    yield alone


def _folders_above(path: str, places: Places) -> Iterator[str]:
    """The folders above a file up to the first hidden one: `.gemini` is not part of a package."""
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
    """Bare formats do not make the folders that contain them theirs."""
    return all(each.bare for each in fitting)


def _is_skill(package_format: PackageFormat) -> bool:
    return package_format.bare and not package_format.is_skills_folder
