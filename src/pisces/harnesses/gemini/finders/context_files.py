"""Context files as Gemini CLI 0.61 reads them: the user's, those of packages, those of the workspace, its memory.

`context.fileName` adds names to GEMINI.md. The workspace's are looked for from each of its folders up to the nearest
one with a boundary marker (`.git`), and only in the folder itself where there is none. A file counts once.
"""

from __future__ import annotations

import os

from pisces.discovery.found import PROJECT, USER, Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.state import SHADOWED, State
from pisces.formats.js_truth import is_truthy
from pisces.formats.json_file import object_at
from pisces.harnesses.gemini import CONTEXT_FILE, FromPackages
from pisces.harnesses.gemini.finders import packages
from pisces.harnesses.gemini.settings import Settings
from pisces.harnesses.gemini.start_flaws import included_folders, plans_folder
from pisces.harnesses.gemini.trust import ground_of
from pisces.shapes.context_file import ContextFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKERS = [".git"]


def find(where: Where) -> FinderResults:
    ground = ground_of(where.places, where.run)
    names = context_names(ground.settings)
    of_user = where.replace(level=USER)
    yield from _once(_all(where, of_user, names, ground.settings))


def context_names(settings: Settings) -> list[str]:
    """The names that make a file context, GEMINI.md always among them."""
    named = settings.value("context", "fileName")
    listed = named if isinstance(named, list) else [named] if is_truthy(named) else []
    texts = [os.path.normpath(name.strip()) for name in listed if isinstance(name, str) and name.strip()]
    return list(dict.fromkeys([*texts, CONTEXT_FILE]))


def _all(where: Where, of_user: Where, names: list[str], settings: Settings) -> FinderResults:
    own = os.path.join(where.places.home, ".gemini")
    for path in _files(own, names):
        yield of_user.found(ContextFile(path, USER))
    brought = list(packages.find(where.given(FromPackages(), "")))
    yield from (each for each in brought if not isinstance(each, Found))
    found = [each for each in brought if isinstance(each, Found)]
    yield from sorted(found, key=lambda each: (each.held is not None, each.item.path))
    of_project = where.replace(level=PROJECT)
    for path in _of_workspace(where, names, settings):
        yield of_project.found(ContextFile(path, _scope(os.path.dirname(path), where)))
    for path in _memory(where, names):
        yield of_user.found(ContextFile(path, USER))


def _of_workspace(where: Where, names: list[str], settings: Settings) -> list[str]:
    included = included_folders(settings, where.places)
    roots = [os.path.realpath(where.places.cwd), *included, *plans_folder(settings, where.places)]
    markers = settings.value("context", "memoryBoundaryMarkers")
    own = os.path.join(where.places.home, ".gemini")
    paths = [path for root in roots for folder in _up(root, markers, own) for path in _files(folder, names)]
    unique: dict[tuple[int, int], str] = {}
    for path in paths:
        unique.setdefault(_identity(path), path)
    return sorted(unique.values())


def _up(root: str, markers: object, own: str) -> list[str]:
    """From the folder with the marker down to the root; the root alone where there is no marker above it."""
    names = markers if isinstance(markers, list) else _MARKERS
    usable = [name for name in names if is_marker(name)]
    folders: list[str] = []
    for folder in _parents(root):
        folders.append(folder)
        if any(os.path.exists(os.path.join(folder, name)) for name in usable):
            break
    else:
        folders = [root]
    if own in folders:
        folders = folders[: folders.index(own)]
    return folders[::-1]


def is_marker(name: object) -> bool:
    return isinstance(name, str) and not os.path.isabs(name) and ".." not in name


def _parents(folder: str) -> Iterator[str]:
    yield folder
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        yield folder


def _files(folder: str, names: list[str]) -> Iterator[str]:
    for name in names:
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(path):
            yield path


def _memory(where: Where, names: list[str]) -> list[str]:
    """What the program has noted about this project, in a folder of the user's."""
    own = os.path.join(where.places.home, ".gemini")
    projects = object_at(os.path.join(own, "projects.json")).get("projects")
    short = projects.get(where.places.cwd) if isinstance(projects, dict) else None
    if not isinstance(short, str):
        return []
    folder = os.path.join(own, "tmp", short, "memory")
    return list(_files(folder, ["MEMORY.md"])) or list(_files(folder, names))


def _once(results: FinderResults) -> FinderResults:
    """The second name of a file that is loaded already loads nothing."""
    first: dict[tuple[int, int], str] = {}
    for each in results:
        if not isinstance(each, Found) or each.held:
            yield each
            continue
        other = first.setdefault(_identity(each.item.path), each.item.path)
        if other == each.item.path:
            yield each
        else:
            yield each.replace(held=State(SHADOWED, f"it is the same file as {other}"))


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _scope(folder: str, where: Where) -> str:
    return PROJECT if folder == os.path.realpath(where.places.cwd) else os.path.relpath(folder, where.places.cwd)
