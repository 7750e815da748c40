"""What the paths on a command line mean: packages, marketplaces, single files, or the workspace of a folder.

A folder is the package in it; else everything that harnesses find in it as a workspace, and the packages up to three
levels below. `EVERYWHERE` finds packages at any depth, packages in packages, and files that a harness knows by name.
A marketplace is a target, and so is every plugin that it has in its own folder. A file is the package that contains it,
else the file alone.
"""

from __future__ import annotations

import os

from pisces.checking.checked import FILE, MARKETPLACE, PACKAGE, WORKSPACE
from pisces.checking.lone_file import NamedFiles
from pisces.checking.marketplace import Marketplace, marketplaces_in, plugin_folders
from pisces.discovery.package_format import PackageFormat, all_formats, real_folder
from pisces.discovery.package_roots import (
    EVERYWHERE,
    NOT_ENTERED,
    Reach,
    fitting_formats,
    is_bare,
    is_bare_skill,
    package_roots,
)
from pisces.files import SKIPPED, entries, is_file, walk
from pisces.places import Places
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_HIGHEST = 12  # folders above a file that are searched for a manifest


class Target(Value):
    """One thing to check. `explicit`: the user named the path, so finding nothing there is reported."""

    kind: str
    path: str
    formats: tuple[PackageFormat, ...] = ()
    explicit: bool = False
    marketplace: Marketplace | None = None


def targets(paths: Sequence[str], places: Places, reach: Reach, cuts: list[str]) -> list[Target]:
    """Every target once, in the order of the paths. Folders that are not read to their end are added to `cuts`."""
    formats = all_formats()
    found: dict[tuple[str, str], Target] = {}
    for path in paths or (places.cwd,):
        absolute = real_folder(places.absolute(path), places)
        is_folder = os.path.isdir(absolute)
        of_folder = _of_folder(absolute, formats, reach, cuts)
        for target in of_folder if is_folder else _of_file(absolute, formats, places):
            key = (target.kind, target.path)
            found.setdefault(key, target.replace(explicit=bool(paths) and target.path == absolute))
    return list(found.values())


def packages_in(folders: Iterable[str]) -> Iterator[Target]:
    """The packages that these folders are."""
    formats = all_formats()
    for folder in folders:
        if fitting := fitting_formats(folder, formats):
            yield Target(PACKAGE, folder, fitting)


def _of_folder(folder: str, formats: list[PackageFormat], reach: Reach, cuts: list[str]) -> Iterator[Target]:
    fitting = fitting_formats(folder, formats)
    is_package = not is_bare(fitting) or (bool(fitting) and is_bare_skill(fitting[0]))
    yield Target(PACKAGE, folder, fitting) if is_package else Target(WORKSPACE, folder)
    yield from _of_marketplaces(folder, formats)
    if not reach.nested:
        here = (each.path for each in entries(folder) if is_file(each) and not is_package)
        named = NamedFiles()
        yield from (Target(FILE, path) for path in here if named.has(path))
    if is_package and not reach.nested:
        return
    roots = list(package_roots(folder, reach, formats))
    for root in roots:
        yield Target(PACKAGE, root.folder, root.formats)
        if reach.nested and root.folder != folder:
            yield from _of_marketplaces(root.folder, formats)
    if reach.nested:
        yield from _files_known_by_name(folder, [root.folder for root in roots if not is_bare(root.formats)], cuts)


def _of_marketplaces(folder: str, formats: list[PackageFormat]) -> Iterator[Target]:
    """The marketplaces of a folder, then their plugins; one without a manifest counts where the harness takes it."""
    for marketplace in marketplaces_in(folder):
        yield Target(MARKETPLACE, marketplace.path(folder), marketplace=marketplace)
        for plugin in plugin_folders(folder, marketplace):
            fitting = fitting_formats(plugin, formats)
            own = tuple(each for each in formats if each.id == marketplace.format and each.optional)
            known = own if own and is_bare(fitting) else fitting
            yield from (Target(PACKAGE, plugin, known),) if known else ()


def _files_known_by_name(top: str, packages: list[str], cuts: list[str]) -> Iterator[Target]:
    """Files such as `review.agent.md` that belong to no package."""
    named = NamedFiles()
    for entry in walk(top, depth=EVERYWHERE.depth, skipped=(*SKIPPED, *NOT_ENTERED), cut=cuts.append):
        inside = entry.path[len(top) :]
        if f"{os.sep}." not in inside and named.has(entry.path) and not _is_below(entry.path, packages):
            yield Target(FILE, entry.path)


def _is_below(path: str, folders: list[str]) -> bool:
    return any(path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)


def _of_file(path: str, formats: list[PackageFormat], places: Places) -> Iterator[Target]:
    alone = Target(FILE, path)
    for folder in _folders_above(path, places):
        for marketplace in marketplaces_in(folder):
            if path == marketplace.path(folder):
                yield Target(MARKETPLACE, path, marketplace=marketplace)
                return
        fitting = tuple(each for each in fitting_formats(folder, formats) if each.has_manifest(folder))
        if not is_bare(fitting):
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
        hidden = name.startswith(".") and not name.endswith("-plugin") and not _holds_manifest(folder, path)
        if above == folder or folder == places.home or hidden:
            return
        folder = above


def _holds_manifest(folder: str, path: str) -> bool:
    """Whether the file is a manifest or a marketplace in a hidden folder of a package: `.github/plugin/plugin.json`."""
    above = os.path.dirname(folder)
    inside = os.path.relpath(path, above).replace(os.sep, "/")
    known = [name for each in all_formats() for name in (each.manifest, *each.other_manifests)]
    return inside in known or any(inside == each.file for each in marketplaces_in(above))
