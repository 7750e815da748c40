"""Files in the package that hooks and MCP servers name, and that do not exist."""

from __future__ import annotations

import os
import re

from pisces.checking.executables import is_binary
from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import WARNING, Diagnostics, Rule
from pisces.discovery.package_format import all_formats
from pisces.formats.variables import strings_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_MISSING = Rule("file-missing", WARNING, "A hook or server names a file of the package that does not exist")

# A variable, and a path below it. Those of the shell need no braces, and are in capitals.
_FILE = re.compile(r"(?:\$\{(\w+)\}|\$([A-Z_]+)\b)\"?((?:(?:\$\{(?:/|pathSeparator)\}|[/\\])[\w.@+-]+)+)")
_SEPARATOR = re.compile(r"\$\{(?:/|pathSeparator)\}|[/\\]")
_BUILT = ("dist", "build", "out", "node_modules", "bin", "target", ".venv", "venv")


def _find(subject: Subject) -> Diagnostics:
    for path in _files(subject) if subject.formats else ():
        pages = subject.pages
        reported: set[str] = set()
        for keys, name in _missing(subject, path):
            if name not in reported:
                reported.add(name)
                built = name.split("/")[0] in _BUILT
                hint = "if it is built before a release, check what is released" if built else ""
                yield FILE_MISSING.at(path, f"`{name}` does not exist", place=pages.json_place(path, keys), hint=hint)


def _missing(subject: Subject, path: str) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every missing file, with the keys of the text that names it."""
    for keys, value in strings_in(subject.pages.json(path)):
        if is_binary(keys):  # another lint reports these
            continue
        for match in _FILE.finditer(value):
            parts = [part for part in _SEPARATOR.split(match[3]) if part]
            if _is_missing(subject, parts, value, match) and _is_root(match[1] or match[2]):
                yield keys, "/".join(parts)


def _is_root(variable: str) -> bool:
    return any(variable == each.root_variable for each in all_formats())


def _is_missing(subject: Subject, parts: list[str], value: str, match: re.Match[str]) -> bool:
    after = value[match.end() : match.end() + 1]
    if after in ("$", "*", "{") or ".." in parts:
        return False  # the shell completes the name
    return not os.path.lexists(subject.inside(*parts))


def _files(subject: Subject) -> list[str]:
    """JSON files with hooks or servers."""
    started = [found.item.path for kind in ("hooks", "mcp-servers") for found in subject.every(kind)]
    return [path for path in dict.fromkeys(started) if path.endswith(".json")]


LINT = Lint("files that hooks and servers name", _find)
