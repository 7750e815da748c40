"""The files of a project that a command line names. What a shell would make of the line is not needed: of all that the
line may mean, whatever exists counts. Too much does no harm, too little would let a file change unseen.
"""

from __future__ import annotations

import os
import re
import shlex

from pisces.files import Unreadable, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BREAKS = re.compile(r"[\s;&|()<>'\"`=,]+")
_VARIABLE = re.compile(r"\$(?:\{[^}]{0,200}\}|\w{1,200})|%\w{1,200}%")
_FOLDER = re.compile(
    r"\b(?:cwd|directory|working_?dir(?:ectory)?)\b[\"']?\s{0,99}[:=]\s{0,99}[\"']?([^\"'\n,}]{1,500})", re.I
)
_RUNNERS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "npx"), ("package.json",)),
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile"),
    "deno": ("deno.json",),
    "task": ("Taskfile.yml",),
    "uv": ("pyproject.toml",),
    "poetry": ("pyproject.toml",),
    "cargo": ("Cargo.toml",),
    "docker": ("Dockerfile", "compose.yml", "compose.yaml", "docker-compose.yml"),
    "go": ("go.mod",),
}
_MAIN = ("__main__.py", "__init__.py", "package.json", "index.js", "index.ts", "main.py")
_MOST_WORDS = 500
_PATH = re.compile(r"(?<![\w@+~./-])(?:[\w@+~-]{1,99}|\.{1,2}|(?=/))(?:[./][\w@+~.-]{1,99}){1,9}")
_MOST_PATHS = 2_000
_SCRIPT_ENDINGS = frozenset(
    ".sh .bash .zsh .fish .py .js .mjs .cjs .ts .mts .cts .rb .pl .php .lua .ps1 .bat .cmd .awk .mk".split()
)
_OF_THE_SYSTEM = tuple("/usr/ /bin/ /sbin/ /lib /opt/ /nix/ /System/ /Library/ C:\\Windows C:\\Program".split(" "))


def files_named(line: str, settings: str, cwd: str) -> list[str]:
    """By path, by module (`-m`), by the folder that they are in, or through the file that a runner reads. Files that
    only an administrator installs are left out.

    `settings` is the file that has the line: paths may be relative to its folder, or to one that it names.
    """
    words = _words(line)
    folders = list(dict.fromkeys(_folders(words, settings, cwd)))
    found = (os.path.normpath(os.path.join(folder, each)) for folder in folders for each in _names(words))
    return [path for path in dict.fromkeys(found) if not path.startswith(_OF_THE_SYSTEM) and os.path.isfile(path)]


def scripts_named(text: str, path: str, workspace: str) -> Iterator[str]:
    """Scripts of a project that the text of another names, wherever it names them: whoever starts it starts them too.

    What stands before a path may be a variable or the output of a command, so every end of it counts.
    """
    project = workspace.rstrip(os.sep) + os.sep
    bases = [workspace, *(each for each in upwards(os.path.dirname(path)) if each.startswith(project))]
    for token in list(dict.fromkeys(_PATH.findall(text)))[:_MOST_PATHS]:
        parts = token.strip("/").split("/")
        for start in range(len(parts)):
            name = os.path.join(*parts[start:])
            found = {os.path.normpath(os.path.join(base, name)) for base in bases}
            yield from sorted(each for each in found if each.startswith(project) and _is_script(each))


def _is_script(path: str) -> bool:
    if not os.path.isfile(path) or "node_modules" in path:
        return False
    return os.path.splitext(path)[1].lower() in _SCRIPT_ENDINGS or os.access(path, os.X_OK)


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
    plain = [each for word in every for each in (word, _VARIABLE.sub("", word).lstrip("/\\"), word.partition("=")[2])]
    return [word for word in dict.fromkeys(plain) if word and "\0" not in word][:_MOST_WORDS]


def _names(words: list[str]) -> Iterator[str]:
    for word in words:
        yield word
        yield from (os.path.join(word, each) for each in _MAIN)
        stem = word.replace(".", os.sep)
        yield from (f"{stem}.py", os.path.join(stem, "__main__.py"), os.path.join(stem, "__init__.py"))
        yield from _RUNNERS.get(os.path.basename(word), ())
        yield os.path.join("node_modules", ".bin", word)


def _folders(words: list[str], settings: str, cwd: str) -> Iterator[str]:
    """Where a relative path may start: the project, the settings file, and every folder that either of them names."""
    yield cwd
    folder = os.path.dirname(settings)
    while folder.startswith(cwd.rstrip(os.sep) + os.sep):
        yield folder
        folder = os.path.dirname(folder)
    try:
        named = _FOLDER.findall(read_text(settings))
    except Unreadable:
        named = []
    for word in (*words, *(_VARIABLE.sub("", each).strip().lstrip("/") for each in named)):
        path = os.path.normpath(os.path.join(cwd, word))
        if path != cwd and os.path.isdir(path):
            yield path
