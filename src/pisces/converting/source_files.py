"""The files of one package while it is read: each configuration file once, with the line of every key.

Links are followed only to what lies in the package; a link that leads out of it is named and left alone.
"""

from __future__ import annotations

import os
import re

from pisces.converting.fate import DROPPED, FILES_LEFT_OUT, LINK_OUTSIDE, Fate
from pisces.converting.left_files import left_file
from pisces.converting.origin import ORIGIN
from pisces.converting.plugin import PluginFile
from pisces.discovery.config_file import LENIENT, TOML, ConfigFile, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import Run
from pisces.files import MOST_FOLDERS, entries, is_file, is_folder
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from pisces.discovery.markdown_file import MarkdownFile
    from pisces.shapes.field import Keys

_OF_OTHERS = (".git", "node_modules")  # version control, and packages that are fetched again
_DEEPEST = 24
_KEY = re.compile(r"""(?P<key>"[^"\n]*"|'[^'\n]*'|[^\s#'"\-:\[\]{},&*!|>%@`][^:\n]*?)\s*:(?=\s|$)""")


class SourceFiles:
    """`folder` is absolute; paths that come out are relative to it, with slashes."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._run = Run()

    def below(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")

    def absolute(self, path: str) -> str:
        return os.path.join(self.folder, *path.split("/"))

    def holds(self, path: str) -> bool:
        return stays_inside(path, self.folder)

    def config(self, path: str) -> ConfigFile | None:
        """A JSON or TOML file of the package; None where it cannot be read, which its finder reports."""
        found = config_at(path, TOML if path.endswith(".toml") else LENIENT, self._run)
        return found if isinstance(found, ConfigFile) else None

    def part(self, path: str, keys: Keys) -> Any:
        """The value as it stands in the file; None where there is none."""
        file = self.config(path)
        try:
            return file.part(keys) if file else None
        except IndexError:
            return None

    def lines(self, path: str, keys: Keys, fields: Iterable[str], prefix: str = "") -> dict[str, int]:
        """The line of an entry under "", and of each of its fields."""
        file = self.config(path)
        if file is None:
            return {}
        try:
            return {
                prefix.rstrip("."): file.place(*keys)[0],
                **{f"{prefix}{field}": file.place(*keys, field)[0] for field in fields},
            }
        except (Malformed, RecursionError):  # comments and trailing commas hide places from the strict reader
            return {}

    def all(self) -> tuple[tuple[PluginFile, ...], tuple[Fate, ...]]:
        """Every regular file, and what became of links that lead out and of folders that are not read."""
        found: list[PluginFile] = []
        fates: list[Fate] = []
        for path, entry in self._walk(fates):
            try:
                status = entry.stat()
            except OSError:
                continue
            found.append(PluginFile(path, status.st_size, bool(status.st_mode & 0o100)))
        return tuple(sorted(found, key=lambda each: each.path)), tuple(fates)

    def _walk(self, fates: list[Fate]) -> Iterator[tuple[str, os.DirEntry[str]]]:
        pending: list[tuple[str, str, tuple[str, ...]]] = [(self.folder, "", (os.path.realpath(self.folder),))]
        for number, (here, path, above) in enumerate(pending):  # the folders of the package itself before deeper ones
            if number == MOST_FOLDERS:
                why = f"{MOST_FOLDERS:,} folders are read, and at least {len(pending) - number:,} are left"
                fates.append(_left_out(path.rstrip("/"), why))
                return
            if path and os.path.lexists(os.path.join(here, *ORIGIN.split("/"))):
                continue  # what an earlier conversion wrote is a package of its own
            for entry in entries(here):
                name = f"{path}{entry.name}"
                if entry.is_symlink() and not self.holds(entry.path):
                    fates.append(_link(name))
                elif is_file(entry):
                    yield name, entry
                elif not (real := _deeper(entry, above)):
                    fates += _passed_over(entry, name)
                elif len(above) < _DEEPEST:
                    pending.append((entry.path, f"{name}/", (*above, real)))
                else:
                    fates.append(_left_out(name, f"it lies more than {_DEEPEST} folders deep"))


def _deeper(entry: os.DirEntry[str], above: tuple[str, ...]) -> str:
    """Where a folder really is; empty for one that is not looked into, and for a link that leads in a circle."""
    if not is_folder(entry) or entry.name in _OF_OTHERS:
        return ""
    real = os.path.realpath(entry.path) if entry.is_symlink() else os.path.join(above[-1], entry.name)
    return "" if real in above else real


def _passed_over(entry: os.DirEntry[str], path: str) -> list[Fate]:
    """What is neither a file nor a folder that is looked into. Nobody misses the records of version control."""
    if entry.name == ".git":
        return []
    if entry.is_symlink():
        why = "the link leads in a circle" if is_folder(entry) else "the link leads to no file"
        return [left_file(f"link `{path}`", path, why, "put the file itself into the package")]
    if not is_folder(entry):
        return [left_file(f"file `{path}`", path, "it is no file that can be copied", "remove it")]
    why = "what a program installs is not copied: what needs it does not find it"
    return [left_file(f"folder `{path}`", path, why, "install it again in the output")]


def _link(path: str) -> Fate:
    why = "the link leads out of the package, so that nothing behind it is copied"
    fix = "put the file itself into the package"
    return Fate(DROPPED, f"link `{path}`", path, 1, "", "", LINK_OUTSIDE.code, LINK_OUTSIDE.severity, why, fix)


def _left_out(path: str, why: str) -> Fate:
    rule, fix = FILES_LEFT_OUT, "convert the folder of the package alone, without what does not belong to it"
    return Fate(DROPPED, f"folder `{path}`", path, 1, "", "", rule.code, rule.severity, f"{why}: no file of it", fix)


def header_lines(file: MarkdownFile) -> dict[str, int]:
    """The line of each field of a header, in one pass; under "", the line that the header starts on."""
    if file.header is None:
        return {"": 1}
    first = file.header.first_line
    found = {"": first}
    for number, line in enumerate(file.header.header.split("\n"), first):
        match = _KEY.match(line)
        if match and (key := match["key"].strip("\"'").strip()) in file.fields:
            found.setdefault(key, number)
    return found
