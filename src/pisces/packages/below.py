"""What to name instead of a folder that is no package itself: the packages below it, each with its command."""

from __future__ import annotations

import os
import shlex

from pisces.discovery.package_roots import Reach, package_roots
from pisces.formats.json_file import object_at
from pisces.packages.fetching.kinds.marketplace import PLACES
from pisces.packages.fetching.source import ENTRY, FOLDER, GIT, MARKETPLACE, RELEASE, PackageSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

_REACH = Reach(depth=4)


def commands_below(folder: str, source: PackageSource, places: Places, act: str) -> dict[str, str]:
    """The command for each plugin that a marketplace in the folder lists, else for each package below it, by name."""
    made = ("pisces", "extensions", act)
    listed = _listed(folder) if act == "install" else []
    if listed:
        entries = {name: source.replace(kind=MARKETPLACE, entry=name) for name in listed}
        return {name: shlex.join((*made, *_words(each, places))) for name, each in entries.items()}
    found: dict[str, str] = {}
    for root in package_roots(folder, _REACH):
        below = os.path.relpath(root.folder, folder).replace(os.sep, "/")
        if below != ".":
            inside = source.replace(subdir="/".join(filter(None, (source.subdir, below))))
            found[below] = shlex.join((*made, *_words(inside, places)))
    return found


def _listed(folder: str) -> list[str]:
    for known in PLACES:
        plugins = object_at(os.path.join(folder, *known.split("/"))).get("plugins")
        if isinstance(plugins, list):
            names = [each.get("name") for each in plugins if isinstance(each, dict)]
            return [name for name in names if isinstance(name, str) and ENTRY.fullmatch(name)]
    return []


def _words(source: PackageSource, places: Places) -> tuple[str, ...]:
    if source.kind == FOLDER:
        return (_path(os.path.join(source.location, *filter(None, source.subdir.split("/"))), places),)
    if source.kind == RELEASE:
        source = source.replace(kind=GIT)  # a release has one package
    place = source.replace(ref="", subdir="", pre_release=False)
    if source.kind == MARKETPLACE and os.path.isabs(source.location):
        text = f"{source.entry}@{_path(source.location, places)}"
    else:
        text = place.as_text()
    ref = ("--ref", source.ref) if source.ref else ()
    return (text, *ref, *(("--subdir", source.subdir) if source.subdir else ()))


def _path(path: str, places: Places) -> str:
    """Relative to here if it is below, so that it is easy to read; `~` would not survive quotes."""
    shown = places.shown(path)
    return path if shown.startswith("~") or os.path.isabs(shown) else os.path.join(".", shown)
