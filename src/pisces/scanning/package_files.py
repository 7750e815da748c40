"""The inventory of the packages in a scanned folder: each act goes to the page of the file that declares it."""

from __future__ import annotations

import os

from pisces.discovery.inventory import inventory
from pisces.discovery.package_acts import NOWHERE, files_started, package_acts
from pisces.discovery.package_format import all_formats
from pisces.scanning.roles import SHELL, is_document
from pisces.scanning.started import Started
from pisces.shapes.act import EXECUTABLE, FILE, MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from pisces.discovery.package_format import PackageFormat
    from pisces.scanning.page import Page
    from pisces.shapes.act import Act

_NAMES_A_FILE = (MODULE, EXECUTABLE, FILE)


def with_acts(pages: Mapping[str, Page], root: str) -> list[tuple[str, Started]]:
    """Gives each page its acts. Returns the files that run without a command line: modules and programs."""
    if not os.path.isdir(root):
        return []
    by_page: dict[str, dict[Act, None]] = {}
    started: list[tuple[str, Started]] = []
    for folder, act in _acts(root, pages):
        name = _name(act.path, root, pages)
        by_page.setdefault(name, {})[act] = None
        for path in files_started(act, folder) if act.kind in _NAMES_A_FILE else ():
            file = _name(path, root, pages)
            started.append((file, Started(f"`{name}`", SHELL if is_document(file) else "", f"{name}:{act.keys}")))
    for name in by_page.keys() & pages.keys():
        pages[name].acts = tuple(by_page[name])
    return [each for each in started if each[0] in pages]


def _acts(root: str, names: Iterable[str]) -> Iterator[tuple[str, Act]]:
    """Of each package, in every format that it fits, with its folder; read without anything of this machine."""
    formats = all_formats()
    fitting = [each for each in formats if each.fits(root)]
    # Skills of a package, and in a folder of skills, are found from above.
    below = [each for each in formats if not (each.bare and fitting)]
    for folder in sorted(_folders(names, below)):
        path = os.path.join(root, *folder.split("/"))
        for each in below:
            if each.fits(path):
                yield from ((path, act) for act in package_acts(inventory(path, each, NOWHERE)))
    for each in fitting:
        yield from ((root, act) for act in package_acts(inventory(root, each, NOWHERE)))


def _folders(names: Iterable[str], formats: Sequence[PackageFormat]) -> set[str]:
    """The folders below the root that have a manifest, those of dependencies left out."""
    manifests = {f"/{name}" for each in formats for name in (each.manifest, *each.other_manifests) if name}
    longest = sorted(manifests, key=len, reverse=True)  # `.github/plugin/plugin.json` is no `plugin.json`
    found = [f"/{name}" for name in names if name.endswith(tuple(manifests)) and "node_modules" not in name.split("/")]
    folders = (name.removesuffix(next(each for each in longest if name.endswith(each))) for name in found)
    return {each[1:] for each in folders if each}


def _name(path: str, root: str, names: Container[str]) -> str:
    """Relative to the root; behind a link, the name of the file that it leads to."""
    name = os.path.relpath(path, root).replace(os.sep, "/")
    if name in names:
        return name
    return os.path.relpath(os.path.realpath(path), os.path.realpath(root)).replace(os.sep, "/")
