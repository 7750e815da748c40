"""All of Qwen Code's file commands together: the project's, then the user's, Markdown before TOML, then extensions'.

An extension's command whose name is taken is called `extension.command` instead, with a number if that is taken too.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.finders.own_packages import packages_of
from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.options import TOML_COMMANDS, MarkdownCommands
from pisces.discovery.package_format import components

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def find(where: Where) -> FinderResults:
    taken: set[str] = set()
    for level, folder in _folders(where):
        yield from _named(_in_folder(where.replace(level=level, path=folder)), folder, taken, "")
    for package in sorted(packages_of(where), key=lambda found: (found.held is not None, str(found.item.name).lower())):
        shown = str(package.item.manifest.get("displayName") or package.item.name)
        found = components(package.item, where.replace(level=package.source.level, held=package.held))
        yield from _named(found, os.path.join(package.item.path, "commands"), taken, shown)


def _folders(where: Where) -> Iterator[tuple[str, str]]:
    yield PROJECT, os.path.join(where.places.cwd, ".qwen", "commands")
    if where.harness:
        yield USER, os.path.join(where.harness.user_path(where.places), "commands")


def _in_folder(where: Where) -> FinderResults:
    yield from passed_on(where, MarkdownCommands(), where.path)
    yield from passed_on(where, TOML_COMMANDS, where.path)


def _named(found: FinderResults, folder: str, taken: set[str], extension: str) -> FinderResults:
    for each in found:
        if isinstance(each, Diagnostic):
            yield each
            continue
        name = _name(each.item.path, folder)
        final = _free(name, extension, taken) if extension and name in taken else name
        taken.add(final)
        yield each.replace(item=each.item.replace(name=name, final_name=final))


def _name(path: str, folder: str) -> str:
    segments = os.path.splitext(os.path.relpath(path, folder))[0].split(os.sep)
    return ":".join(segment.replace(":", "_") for segment in segments)


def _free(name: str, extension: str, taken: set[str]) -> str:
    free, number = f"{extension}.{name}", 0
    while free in taken:
        number += 1
        free = f"{extension}.{name}{number}"
    return free
