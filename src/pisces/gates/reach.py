"""Which files a script would load: those that its text imports, and theirs, and the packages that they name. Not run.

Python is read as Python, JavaScript and TypeScript by the texts in their imports. A script of another kind, or one that
chooses at run time what it loads, reaches everything in its folder, unless that is the project's own: nobody could work
in a project of which every file is covered.
"""

from __future__ import annotations

import ast
import os
import re

from pisces.files import Unreadable, read_text
from pisces.formats.json_file import object_at
from pisces.formats.jsonc import parse as parse_jsonc
from pisces.formats.malformed import Malformed
from pisces.gates.named_files import upwards
from pisces.gates.script_names import scripts_named
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NODE_MODULES = "node_modules"
MOST_REACHED = 5_000

_PYTHON = (".py", ".pyw")
_SCRIPTS = (".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx")
_COMPILED = (".so", ".pyd", ".pyc", ".node", ".wasm")
_SPECIFIER = re.compile(r"(?:\bfrom|\bimport|\brequire)\s{0,99}\(?\s{0,99}[\"'`]([^\"'`\n]{1,500})[\"'`]")
_CHOSEN = re.compile(
    r"\b(?:import|require)\s{0,9}\((?!\s{0,99}[\"'])|\bcreateRequire\b|\brequire\.|\beval\s{0,9}\(|\bFunction\s{0,9}\("
    r"|\bWorker\s{0,9}\(|\bnode:vm\b|\bimport\.meta\.resolve\b"
)
_CHOSEN_PYTHON = re.compile(r"\b(?:importlib|__import__|exec|eval|runpy|sys\.path|compile|spec_from_file_location)\b")
_DEPENDENCIES = ("dependencies", "optionalDependencies", "peerDependencies")


class Reached(Value):
    """`files` by absolute path, `folders` that are covered whole, `packages` in folders of node modules."""

    files: frozenset[str]
    folders: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()


def reached(paths: list[str], workspace: str, *, is_checked: bool = False) -> Reached:
    """What the scripts at these paths load. With `is_checked`, whoever loads Python refuses what is not in here."""
    files: set[str] = set()
    folders: set[str] = set()
    packages: set[str] = set()
    pending = list(paths)
    while pending and len(files) < MOST_REACHED:
        path = pending.pop()
        if path in files or not os.path.isfile(path):
            continue
        files.add(path)
        text, suffix = _text(path), os.path.splitext(path)[1].lower()
        pending += scripts_named(text, path, workspace)
        if suffix in _PYTHON:
            pending += _imported(path, text)
            pending += [] if is_checked else _bytecode(path)
            chooses = not is_checked and bool(_CHOSEN_PYTHON.search(text))
        elif suffix in _SCRIPTS:
            pending += _required(path, text, packages)
            folders |= {each for each in _folders_required(path, text) if not _holds(each, workspace)}
            chooses = bool(_CHOSEN.search(text))
        else:
            chooses = suffix not in (".json", *_COMPILED)
        if chooses and not _holds(os.path.dirname(path), workspace):
            folders.add(os.path.dirname(path))
    return Reached(frozenset(files), frozenset(folders), frozenset(packages))


def scripts_in(folder: str) -> list[str]:
    """The scripts below a folder, without those of other packages."""
    found: list[str] = []
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (NODE_MODULES, ".git")]
        found += [os.path.join(here, name) for name in names if name.lower().endswith(_SCRIPTS)]
    return found


def _holds(folder: str, workspace: str) -> bool:
    """Whether a folder is the project's own, or one above it."""
    real, project = os.path.realpath(folder), os.path.realpath(workspace)
    return project == real or project.startswith(real.rstrip(os.sep) + os.sep)


def _text(path: str) -> str:
    try:
        return read_text(path)
    except Unreadable:
        return ""


# Python


def _imported(path: str, text: str) -> Iterator[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    here = os.path.dirname(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module_files(here, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            base = os.path.normpath(os.path.join(here, *[".."] * max(node.level - 1, 0)))
            parts = node.module.split(".") if node.module else []
            yield from _module_files(base, parts)
            for alias in node.names:
                yield from _module_files(base, [*parts, alias.name])


def _bytecode(path: str) -> Iterator[str]:
    """What Python may run instead of a source that it imports."""
    folder, name = os.path.split(os.path.splitext(path)[0])
    yield from _compiled(os.path.join(folder, "__pycache__", name))


def _module_files(base: str, parts: list[str]) -> Iterator[str]:
    """The files that may be a module of this name, and the packages above it."""
    for length in range(len(parts) + 1):
        stem = os.path.join(base, *parts[:length])
        if length:
            yield f"{stem}.py"
            yield from _compiled(stem)
        if length or not parts:
            yield os.path.join(stem, "__init__.py")


def _compiled(stem: str) -> Iterator[str]:
    folder, name = os.path.split(stem)
    if not os.path.isdir(folder):
        return
    for each in sorted(os.listdir(folder)):
        if each.startswith(f"{name}.") and each.endswith(_COMPILED):
            yield os.path.join(folder, each)


# JavaScript and TypeScript


def _required(path: str, text: str, packages: set[str]) -> Iterator[str]:
    here = os.path.dirname(path)
    for specifier in dict.fromkeys(_SPECIFIER.findall(text)):
        plain = specifier.partition("?")[0].removeprefix("file://")
        if plain.startswith((".", "/")):
            yield from _script_files(os.path.normpath(os.path.join(here, plain)))
        elif plain.startswith("#"):
            yield from _nearest(here, "package.json")
        elif not plain.startswith("node:"):
            yield from _aliased(here, plain)
            _add_package(here, plain, packages)


def _folders_required(path: str, text: str) -> Iterator[str]:
    """Folders that are imported as packages: their manifests say which file is meant, so all are covered."""
    for specifier in _SPECIFIER.findall(text):
        meant = os.path.normpath(os.path.join(os.path.dirname(path), specifier))
        if specifier.startswith(".") and os.path.isfile(os.path.join(meant, "package.json")):
            yield meant


def _script_files(path: str) -> Iterator[str]:
    """What a relative specifier may mean; all of what exists, because runtimes differ in the order."""
    stem, suffix = os.path.splitext(path)
    yield path
    if suffix in _SCRIPTS:
        yield from (stem + each for each in _SCRIPTS)
    yield from (path + each for each in (*_SCRIPTS, ".json"))
    yield from (os.path.join(path, each) for each in ("package.json", *(f"index{each}" for each in _SCRIPTS)))


def _aliased(here: str, specifier: str) -> Iterator[str]:
    """`paths` of the nearest tsconfig.json."""
    for config in _nearest(here, "tsconfig.json"):
        try:
            value = parse_jsonc(_text(config))
        except Malformed:
            continue
        options = value.get("compilerOptions") if isinstance(value, dict) else None
        paths = options.get("paths") if isinstance(options, dict) else None
        base = os.path.join(os.path.dirname(config), str((options or {}).get("baseUrl", ".")))
        for pattern, targets in paths.items() if isinstance(paths, dict) else ():
            before, star, after = pattern.partition("*")
            if specifier != pattern and not (star and specifier.startswith(before) and specifier.endswith(after)):
                continue
            yield config
            inner = specifier[len(before) : len(specifier) - len(after)] if star else ""
            for target in targets if isinstance(targets, list) else ():
                yield from _script_files(os.path.normpath(os.path.join(base, str(target).replace("*", inner))))


def _nearest(folder: str, name: str) -> Iterator[str]:
    found = (os.path.join(each, name) for each in upwards(folder))
    yield from [path for path in found if os.path.isfile(path)][:1]


def _add_package(here: str, specifier: str, packages: set[str]) -> None:
    """The package that a name means from a folder, and those that it depends on."""
    pending = [(here, specifier)]
    while pending and len(packages) < MOST_REACHED:
        start, wanted = pending.pop()
        name = "/".join(wanted.split("/")[: 2 if wanted.startswith("@") else 1])
        places = (os.path.join(each, NODE_MODULES, *name.split("/")) for each in upwards(start))
        found = next(filter(os.path.isdir, places), "")
        if not found or found in packages:
            continue
        packages.add(found)
        real = os.path.realpath(found)
        manifest = object_at(os.path.join(real, "package.json"))
        listed = (manifest.get(key) for key in _DEPENDENCIES)
        pending += [(real, each) for names in listed if isinstance(names, dict) for each in names]
