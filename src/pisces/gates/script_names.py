"""The files of a project that the text of a script names: whoever starts it starts them, too.

A text is not understood here, so whatever it may mean and is there counts.
"""

from __future__ import annotations

import os
import re
from itertools import islice

from pisces.gates.named_files import names_found, upwards

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_PATH = re.compile(r"(?<![\w@+~./-])(?:\.?[\w@+~-]{1,99}|\.{1,2}|(?=/))(?:[./][\w@+~.-]{1,99}){1,9}")
_MOST_PATHS = 2_000
_SCRIPT_ENDINGS = frozenset(
    ".sh .bash .zsh .fish .py .js .mjs .cjs .ts .mts .cts .rb .pl .php .lua .ps1 .bat .cmd .awk .mk".split()
)
_STARTED = re.compile(
    r"(?:^|[\s;&|(`])(?:\.|source|exec|(?:ba|z|da|k)?sh|python[\d.]*|node|bun|deno|tsx|ruby|perl|php|lua|Rscript)"
    r"(?:\s{1,9}-\S{0,99}){0,9}\s{1,9}[\"']?([^\s;&|()<>\"'`]{1,500})",
    re.M,
)
_MOST_FOLDERS = 20
_MOST_CANDIDATES = 50_000
_SHELLS = ("", ".sh", ".bash", ".zsh", ".ksh", ".fish")
_READ_BY_OTHERS = (".py", ".pyw", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".json")
_LOADED = re.compile(r"[\"']([^\"'\n]{1,200})[\"']|\b(?:use|require)\s{1,9}([\w:]{1,200})")
_SEPARATORS = re.compile(r"::|\.")


def scripts_named(text: str, path: str, workspace: str) -> Iterator[str]:
    """By a path, after the name of an interpreter, by a pattern, or as a library of its own language."""
    project = workspace.rstrip(os.sep) + os.sep
    bases = [workspace, *(each for each in upwards(os.path.dirname(path)) if each.startswith(project))]
    suffix = os.path.splitext(path)[1].lower()
    started = (os.path.join(base, name) for name in _first(_STARTED, text) for base in bases)
    found = [each for each in started if os.path.isfile(each)]
    found += [each for each in _paths(text, bases) if _is_script(each)]
    if suffix in _SHELLS:
        found += [each for base in bases for each in names_found(text, base) if os.path.isfile(each)]
    if suffix not in _READ_BY_OTHERS:
        found += _libraries(text, suffix, bases)
    yield from (each for each in dict.fromkeys(map(os.path.normpath, found)) if each.startswith(project))


def _paths(text: str, bases: Sequence[str]) -> Iterator[str]:
    """What stands before a path may be a variable or the output of a command, so every end of it counts."""
    for token in _first(_PATH, text):
        parts = token.strip("/").split("/")
        for start in range(len(parts)):
            yield from (os.path.join(base, *parts[start:]) for base in bases)


def _libraries(text: str, suffix: str, bases: Sequence[str]) -> list[str]:
    """`require_relative 'lib/x'`, `require "a.b"`, `include 'x.inc'`, `use A::B`: from a folder that is named, too."""
    names = dict.fromkeys(quoted or word for quoted, word in _first(_LOADED, text))
    named = [os.path.join(base, name) for base in bases for name in names]
    folders = [*bases, *(each for each in named if os.path.isdir(each))][:_MOST_FOLDERS]
    stems = dict.fromkeys(each for name in names for each in (name, _SEPARATORS.sub("/", name)))
    candidates = (
        os.path.join(folder, stem + end) for folder in folders for stem in stems for end in ("", suffix, ".pm")
    )
    return [each for each in islice(candidates, _MOST_CANDIDATES) if os.path.isfile(each)]


def _first(pattern: re.Pattern[str], text: str) -> list[Any]:
    return list(dict.fromkeys(pattern.findall(text)))[:_MOST_PATHS]


def _is_script(path: str) -> bool:
    if not os.path.isfile(path) or "node_modules" in path:
        return False
    return os.path.splitext(path)[1].lower() in _SCRIPT_ENDINGS or os.access(path, os.X_OK)
