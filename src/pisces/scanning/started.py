"""Who starts which file of a package: from hooks, servers, manifests and prompts to files, and from these to others.

A file is judged by who starts it. Its name only counts where nobody does.
"""

from __future__ import annotations

import re

from pisces.scanning.command_lines import command_lines, named_files
from pisces.scanning.file_names import FileNames, FilesOnDisk
from pisces.scanning.page import TEXT, Page
from pisces.scanning.pages import renewed
from pisces.scanning.references import Reference, references
from pisces.scanning.roles import (
    CONFIG,
    DOC,
    PROMPT,
    SHELL,
    SOURCE,
    ending_of,
    is_about_package,
    is_code,
    is_document,
    is_example,
)
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MOST_FOLLOWED = 400
_LONGEST = 400_000
_BY_NAME = {
    "conftest.py": "pytest",
    "sitecustomize.py": "every Python",
    "usercustomize.py": "every Python",
    "setup.py": "`pip install`",
    ".envrc": "direnv",
}
_CODE_ENDINGS = frozenset(
    b"py sh js ts mjs cjs bash zsh ps1 rb pl php bat cmd tsx makefile command mts md markdown txt".split()
)
_ENDING = re.compile(r"\.(?:py|[cm]?[jt]sx?|(?:ba|z)?sh|ps1|rb|pl|php|bat|cmd|command|lua|go|md|markdown|txt)(?![\w])")
_NO_NAME = re.compile(r"[^\w@%+./-]")
_LONGEST_NAME = 160
_PIECE = re.compile(r"[a-z0-9]{1,99}")


class Started(Value):
    """`by` says who starts the file. `role` is its role for whoever starts it; empty where its name says so.

    Files of one `origin` belong to one chain: a command line, or a prompt.
    """

    by: str
    role: str = ""
    origin: str = ""
    is_hook: bool = False


def started_files(
    pages: Iterable[Page], loaded: list[tuple[str, Started]], read: Callable[[str], Page | None]
) -> dict[str, Started]:
    """By name. `loaded` run without a command line; `read` returns the page of a name, or None where there is none."""
    every = list(pages)
    names = FileNames(page.name for page in every)
    code = {name for name in (page.name for page in every) if is_code(name) or _is_reference(name)}
    stems = frozenset(piece.encode() for name in code for piece in _first_piece(name))
    pending = [each for page in every if page.kind == TEXT for each in _from(renewed(page), names, stems)]
    read_by_agents = {name: each for name, each in pending if each.role == PROMPT}
    found = follow([*loaded, *(pair for pair in pending if pair[1].role != PROMPT)], names, read)
    return {**read_by_agents, **found}


def follow(
    pending: list[tuple[str, Started]],
    names: FileNames | FilesOnDisk,
    read: Callable[[str], Page | None],
    most: int = MOST_FOLLOWED,
) -> dict[str, Started]:
    """Everything that is reached, breadth first, with who reached it first."""
    found: dict[str, Started] = {}
    while pending and len(found) < most:
        after: list[tuple[str, Started]] = []
        for name, started in pending:
            if name in found or len(found) >= most:
                continue
            found[name] = started
            page = read(name)
            if page is not None and page.kind == TEXT and page.role == CONFIG and not started.role:
                after += _from_lines(page, names)
                after += [
                    (each.name, started.replace(by=f"`{name}`", role=each.role))
                    for line in _scripts(page)
                    for each in references(line, name.rpartition("/")[0], names)
                ]
            elif page is not None and page.kind == TEXT:
                named = references(page.text[:_LONGEST], name.rpartition("/")[0], names)
                after += [(each.name, started.replace(by=f"`{name}`", role=each.role)) for each in named]
        pending = after
    return found


def _scripts(page: Page) -> list[str]:
    """The lines that a manifest of npm has for `npm run`."""
    value = page.json if page.base == "package.json" else None
    scripts = value.get("scripts") if isinstance(value, dict) else None
    return [line for line in scripts.values() if isinstance(line, str)] if isinstance(scripts, dict) else []


def apply(page: Page, started: Started | None) -> None:
    """Gives a page the role that it has for whoever starts it."""
    if started is None or page.kind != TEXT:
        return
    if started.role == PROMPT:
        page.is_reference = True
        return
    page.started, page.is_hook = started.by, started.is_hook
    if started.role and (page.role in (DOC, CONFIG, PROMPT) or not is_code(page.name)):
        page.role = started.role
    elif page.role in (DOC, CONFIG) and not is_document(page.name):
        page.role = SHELL


def _from(page: Page, names: FileNames, stems: frozenset[bytes]) -> Iterator[tuple[str, Started]]:
    starter = "every Python" if page.base.endswith(".pth") else _BY_NAME.get(page.base)
    if starter and page.role in (SOURCE, SHELL):
        yield page.name, Started(starter)
    here = page.name.rpartition("/")[0]
    if page.is_loaded or not is_example(page.name):
        yield from _from_lines(page, names)
        for spelling in named_files(page):
            if spelling.endswith((".json", ".jsonc", ".toml")):
                yield from ((name, Started(f"`{page.name}`")) for name in names.find(spelling, here))
    if page.role == PROMPT and not stems.isdisjoint(page.tokens) and not _CODE_ENDINGS.isdisjoint(page.tokens):
        yield from (
            (each.name, Started(f"`{page.name}`", each.role, "" if each.role else page.name))
            for each in _named_programs(page, here, names)
        )


def _from_lines(page: Page, names: FileNames | FilesOnDisk) -> Iterator[tuple[str, Started]]:
    for line in command_lines(page):
        origin = f"{page.name}:{line.place[0]}:{line.place[1]}"
        for each in references(line.text, page.name.rpartition("/")[0], names):
            yield each.name, Started(f"`{page.name}`", each.role, origin, line.is_hook)


def _named_programs(page: Page, here: str, names: FileNames) -> Iterator[Reference]:
    """Programs and texts of the package that a prompt names: the agent is told to run or to read them."""
    for found in _ENDING.finditer(page.text, 0, _LONGEST):
        before = page.text[max(0, found.start() - _LONGEST_NAME) : found.start()]
        spelling = _NO_NAME.split(before)[-1] + found[0]
        for name in names.find(spelling, here) if names.may_have(spelling) else ():
            if is_code(name):
                yield Reference(name)
            elif _is_reference(name) and name != page.name:
                yield Reference(name, PROMPT)


def _is_reference(name: str) -> bool:
    """A text that a prompt may send an agent to."""
    return ending_of(name) in ("md", "markdown", "txt") and not is_about_package(name)


def _first_piece(name: str) -> list[str]:
    return _PIECE.findall(name.rpartition("/")[2].lower())[:1]
