"""The files of a project that a command line names. What a shell would make of the line is not needed: of all that the
line may mean, whatever exists counts. Too much does no harm, too little would let a file change unseen.
"""

from __future__ import annotations

import glob
import os
import re
import shlex
from itertools import islice

from pisces.files import Unreadable, read_text
from pisces.gates.runner_files import runner_files, sources_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BREAKS = re.compile(r"[\s;&|()<>'\"`=,]+")
_LISTED = re.compile(r"[:@]+")
_VARIABLE = re.compile(r"\$(?:\{[^}]{0,200}\}|\w{1,200})|%\w{1,200}%")
_FOLDER = re.compile(
    r"\b(?:cwd|directory|working_?dir(?:ectory)?)\b[\"']?\s{0,99}[:=]\s{0,99}[\"']?([^\"'\n,}]{1,500})", re.I
)
_LEFT_OFF = (".js", ".mjs", ".cjs", ".ts", ".json")  # what node adds by itself
_OF_PYTHON = (".py", f"{os.sep}__init__.py", f"{os.sep}__main__.py")
_MAIN = ("__main__.py", "__init__.py", "package.json", "index.js", "index.ts", "main.py")
_MOST_WORDS = 500
_SEARCHED = re.compile(
    r"(?:\b(?:\w*PATH|\w*LIB|PERL5OPT|RUBYOPT)[\"']?\s?[:=]|(?:^|\s)(?:-I|-cp|-classpath|--class-path|--module-path|-p|run-parts)[\s=]?)"
    r"\s{0,9}[\"']?([^\"'\s;,}]{1,500})"
)
_RUNS_A_NAME = re.compile(
    r"(?:^|[\s;&|('\"`])(?:\.|source|exec|eval|xargs|run-parts|(?:ba|z|da|k|fi)?sh|python[\d.]*|node|bun|deno|tsx|ruby|perl|php|lua)\s"
    r"|(?:^|[;&|(]|\bdo|\bthen)\s{0,99}[\"']?(?:\./)?\$"
)
_BRACES = re.compile(r"\{[^{}\s]{1,200}\}")
_GLOB = re.compile(r"[*?\[]")
_MOST_MATCHES = 2_000
_OF_THE_SYSTEM = tuple("/usr/ /bin/ /sbin/ /lib /opt/ /nix/ /System/ /Library/ C:\\Windows C:\\Program".split(" "))


def files_named(line: str, settings: str, cwd: str) -> list[str]:
    """By path, by module (`-m`), by the folder that they are in, or through the file that a runner reads. Files that
    only an administrator installs are left out.

    `settings` is the file that has the line: paths may be relative to its folder, or to one that it names.
    """
    words = _words(line)
    folders = list(dict.fromkeys(_folders(words, settings, cwd)))
    names = list(_names(words))
    found = [os.path.join(folder, each) for folder in folders for each in (*names, *runner_files(words, folder))]
    found += [each for folder in folders for each in names_found(line, folder)]
    found += sources_run(words, cwd)
    every = dict.fromkeys(map(os.path.normpath, found))
    return [path for path in every if not path.startswith(_OF_THE_SYSTEM) and os.path.isfile(path)]


def folders_searched(line: str, settings: str, cwd: str) -> list[str]:
    """Folders of the project in which programs and libraries are looked for: `PATH=bin:$PATH`, `-I lib`, `run-parts x`.

    Variables may be beside the line, in the file that has it.
    """
    values = [*_SEARCHED.findall(line), *_SEARCHED.findall(_text(settings))]
    names = [_VARIABLE.sub("", each).lstrip("/\\") or "." for value in values for each in value.split(os.pathsep)]
    found = dict.fromkeys(os.path.normpath(os.path.join(cwd, each)) for each in names if "\0" not in each)
    return [each for each in found if each.startswith(cwd.rstrip(os.sep) + os.sep) and os.path.isdir(each)]


def names_found(text: str, folder: str) -> Iterator[str]:
    """Files whose names a shell finds by itself and starts: one that comes later is started as well."""
    for word in _words(text) if _RUNS_A_NAME.search(text) else ():
        pattern = _BRACES.sub("*", word)
        if _GLOB.search(pattern) and ".." not in pattern:
            yield from islice(glob.iglob(os.path.join(glob.escape(folder), pattern.lstrip("/"))), _MOST_MATCHES)


def upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _words(line: str) -> list[str]:
    """As a shell splits it, and as every sign that may end a word does: a line may be in a line."""
    try:
        split = shlex.split(line)
    except ValueError:
        split = []
    every = [*split, *_BREAKS.split(line)]
    every += [part for word in every for part in _LISTED.split(word)]
    plain = [each for word in every for each in (word, _VARIABLE.sub("", word).lstrip("/\\"), word.partition("=")[2])]
    return [word for word in dict.fromkeys(plain) if word and "\0" not in word][:_MOST_WORDS]


def _names(words: list[str]) -> Iterator[str]:
    for word in words:
        yield word
        yield from (os.path.join(word, each) for each in _MAIN)
        yield from (word + each for each in _LEFT_OFF)
        parts = word.split(".")
        stems = [os.path.join(*parts[:length]) for length in range(1, len(parts) + 1) if all(parts)]
        yield from (stem + each for stem in stems for each in _OF_PYTHON)
        yield os.path.join("node_modules", ".bin", word)


def _folders(words: list[str], settings: str, cwd: str) -> Iterator[str]:
    """Where a relative path may start: the project, the settings file, and every folder that either of them names."""
    yield cwd
    folder = os.path.dirname(settings)
    while folder.startswith(cwd.rstrip(os.sep) + os.sep):
        yield folder
        folder = os.path.dirname(folder)
    named = (_VARIABLE.sub("", each).strip().lstrip("/") for each in _FOLDER.findall(_text(settings)))
    for word in (*words, *named):
        path = os.path.normpath(os.path.join(cwd, word))
        if path != cwd and os.path.isdir(path):
            yield path


def _text(path: str) -> str:
    try:
        return read_text(path)
    except Unreadable:
        return ""
