"""The inventory of the packages in a scanned folder: each act goes to the page of the file that declares it."""

from __future__ import annotations

import os

from pisces.discovery.inventory import inventory
from pisces.discovery.package_acts import NOWHERE, files_started, package_acts
from pisces.discovery.package_format import all_formats
from pisces.scanning.page import LINK, Page
from pisces.scanning.roles import CONFIG, DOC, PROMPT, SHELL, ending_of, is_document
from pisces.scanning.started import Started
from pisces.shapes.act import EXECUTABLE, FILE, MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pisces.discovery.inventory import Inventory
    from pisces.discovery.package_format import PackageFormat
    from pisces.shapes.act import Act

_NAMES_A_FILE = (MODULE, EXECUTABLE, FILE)
_PROMPTS = ("commands", "skills", "subagents")


def with_acts(pages: Mapping[str, Page], root: str) -> list[tuple[str, Started]]:
    """Gives each page its acts. Returns the files that run without a command line: modules and programs."""
    if not os.path.isdir(root):
        return []
    by_page: dict[str, dict[Act, None]] = {}
    started: list[tuple[str, Started]] = []
    for package in _packages(root, pages):
        for found in (each for kind in _PROMPTS for each in package.found[kind]):
            _as_prompt(pages.get(_name(found.source.path, root, pages)))
        for act in package_acts(package):
            name = _name(act.path, root, pages)
            by_page.setdefault(name, {})[act] = None
            started += ((_name(path, root, pages), each) for path, each in _files(act, name, package.folder))
    for name in by_page.keys() & pages.keys():
        pages[name].acts, pages[name].is_loaded = tuple(by_page[name]), True
    return [each for each in started if each[0] in pages]


def _as_prompt(page: Page | None) -> None:
    """A command in a folder called `test` is no test, and a skill in `docs` no document."""
    if page is not None:
        page.is_loaded = True
        is_text = page.role == DOC or (page.role == CONFIG and ending_of(page.name) in ("toml", "yaml", "yml"))
        page.role = PROMPT if is_text else page.role


def _files(act: Act, name: str, folder: str) -> Iterator[tuple[str, Started]]:
    for path in files_started(act, folder) if act.kind in _NAMES_A_FILE else ():
        yield path, Started(f"`{name}`", SHELL if is_document(path) else "", f"{name}:{act.keys}")


def _packages(root: str, names: Iterable[str]) -> Iterator[Inventory]:
    """Each in every format that it fits, read without anything of this machine."""
    formats = all_formats()
    fitting = [each for each in formats if each.fits(root)]
    # Skills of a package, and in a folder of skills, are found from above.
    below = [each for each in formats if not (each.bare and fitting)]
    for folder in sorted(_folders(names, below)):
        path = os.path.join(root, *folder.split("/"))
        yield from (inventory(path, each, NOWHERE) for each in below if each.fits(path))
    yield from (inventory(root, each, NOWHERE) for each in fitting)


def _folders(names: Iterable[str], formats: Sequence[PackageFormat]) -> set[str]:
    """The folders below the root that have a manifest, those of dependencies left out."""
    manifests = {f"/{name}" for each in formats for name in (each.manifest, *each.other_manifests) if name}
    longest = sorted(manifests, key=len, reverse=True)  # `.github/plugin/plugin.json` is no `plugin.json`
    found = [f"/{name}" for name in names if name.endswith(tuple(manifests)) and "node_modules" not in name.split("/")]
    folders = (name.removesuffix(next(each for each in longest if name.endswith(each))) for name in found)
    return {each[1:] for each in folders if each}


def _name(path: str, root: str, pages: Mapping[str, Page]) -> str:
    """Relative to the root; behind a link, the name of the file that it leads to."""
    name = os.path.relpath(path, root).replace(os.sep, "/")
    if name in pages and pages[name].kind != LINK:
        return name
    return os.path.relpath(os.path.realpath(path), os.path.realpath(root)).replace(os.sep, "/")
