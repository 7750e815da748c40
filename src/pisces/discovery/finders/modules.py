"""Extension modules in a folder of modules: files, and folders that declare entries or have an index. Never imported.

Direct files come first, then folders that declare their entries, then folders with an index; one level, no deeper.
Where two languages offer the same, the first in `suffixes` and `indexes` speaks. `node_modules` and hidden names do
not count.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

from pisces.by_name import export_of
from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.config_file import JSON, TOML, ConfigFile, config_at
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import Modules
from pisces.files import entries, is_file, is_folder
from pisces.shapes.module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


MODULE_MANIFEST = Rule("module-manifest", WARNING, "A module's manifest cannot be read")
MODULE_ENTRY = Rule("module-entry", WARNING, "A module's manifest declares an entry that cannot be used")

LANGUAGES = {
    ".py": "python",
    **dict.fromkeys((".ts", ".mts", ".cts", ".tsx"), "typescript"),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), "javascript"),
}
INDEXES = ("index.py", "__init__.py", "index.ts", "index.js")


def find(where: Where[Modules]) -> Iterator[Found | Diagnostic]:
    if where.options.declared:
        yield from _found(where, _declared_in(where, where.path), where.path)
        return
    if where.options.root:
        own = list(_folder_entries(where, where.path))
        yield from _found(where, own, where.path)
        if any(isinstance(entry, str) for entry in own):
            return
    inside = [entry for entry in entries(where.path) if _counts(entry, where)]
    yield from _found(where, _direct(where, inside))
    folders = [entry.path for entry in inside if is_folder(entry)]
    declaring = [folder for folder in folders if _declared(where, folder) is not None]
    for folder in declaring + [folder for folder in folders if folder not in declaring]:
        yield from _found(where, _folder_entries(where, folder), folder)


def module_at(path: str, home: str = "") -> Module:
    """The module that a file is, by its name: `foo.ts` is foo, `foo/index.ts` and `foo/__init__.py` are foo."""
    folder, file = os.path.split(path)
    stem, suffix = os.path.splitext(file)
    name = os.path.basename(folder) if file in INDEXES else stem
    return Module(name, path, LANGUAGES.get(suffix, "javascript"), home)


def _found(where: Where[Modules], found: Iterable[str | Diagnostic], home: str = "") -> Iterator[Found | Diagnostic]:
    for each in found:
        yield each if isinstance(each, Diagnostic) else where.found(module_at(each, home))


def _counts(entry: os.DirEntry[str], where: Where[Modules]) -> bool:
    if entry.name == "node_modules" or (entry.name.startswith(".") and not where.options.hidden):
        return False
    return not _is_ignored(where, entry.path, folder=is_folder(entry))


def _is_ignored(where: Where[Modules], path: str, *, folder: bool) -> bool:
    if not where.options.gitignore:
        return False
    # Loaded by name: most folders of modules are empty, and patterns are slow to load.
    ignored = where.run.once(("gitignore", where.path), lambda: _ignore_files(where.path))
    return bool(ignored.is_ignored(path, folder=folder))


def _ignore_files(root: str) -> Any:
    return export_of("pisces.discovery", "ignore_files", "git_ignored_below")(root)


def _direct(where: Where[Modules], inside: list[os.DirEntry[str]]) -> Iterator[str]:
    for suffix in where.options.suffixes:
        for entry in inside:
            named = os.path.splitext(entry.name)[1] == suffix and entry.name != "__init__.py"
            if named and is_file(entry) and (where.options.types or not entry.name.endswith(".d.ts")):
                yield entry.path


def _folder_entries(where: Where[Modules], folder: str) -> Iterator[str | Diagnostic]:
    found = list(_declared_in(where, folder))
    yield from found
    usable = any(isinstance(each, str) for each in found)
    declares = isinstance(_declared(where, folder), tuple)
    if not usable and (not declares or where.options.fallback):
        yield from _index(where, folder)


def _declared_in(where: Where[Modules], folder: str) -> Iterator[str | Diagnostic]:
    declared = _declared(where, folder)
    if isinstance(declared, Diagnostic):
        yield declared
    elif declared is not None:
        yield from _declared_entries(where, folder, *declared)


def _declared(where: Where[Modules], folder: str) -> tuple[ConfigFile, tuple[str, ...]] | Diagnostic | None:
    """The manifest that declares entries, and where in it; or why it cannot be read; or None where there is none."""
    broken: Diagnostic | None = None
    for name, keys in where.options.manifests:
        file = config_at(os.path.join(folder, name), TOML if name.endswith(".toml") else JSON, where.run)
        if isinstance(file, Diagnostic):
            about = os.path.basename(folder)
            message = f"{file.message}: {file.hint}" if file.hint else file.message
            broken = broken or MODULE_MANIFEST.at(file.path, message, place=(file.line, file.column), about=about)
        elif file is not None and file.part(keys) is not None:
            return (file, keys) if isinstance(file.part((*keys, "extensions")), list) else broken
    return broken


def _declared_entries(
    where: Where[Modules], folder: str, file: ConfigFile, keys: tuple[str, ...]
) -> Iterator[str | Diagnostic]:
    listed = [entry for entry in file.part((*keys, "extensions")) if isinstance(entry, str)]
    patterns = where.options.patterns
    without = [_below(folder, entry[1:]) for entry in listed if patterns and entry.startswith("!")]
    for index, entry in enumerate(file.part((*keys, "extensions"))):
        if patterns and isinstance(entry, str) and entry.startswith("!"):
            continue
        meant = _meant(where, folder, entry, patterns) if isinstance(entry, str) else []
        yield from (path for path in meant if not any(_fits(path, each) for each in without))
        if not meant:
            place = file.place(*keys, "extensions", index)
            message = f"`{entry}` is not there" if isinstance(entry, str) else "an entry must be text"
            yield MODULE_ENTRY.at(file.path, message, place=place, about=os.path.basename(folder))


def _meant(where: Where[Modules], folder: str, entry: str, patterns: bool) -> list[str]:
    """The files that an entry names: itself, those that its pattern fits, or those of the folder that it is."""
    path = _below(folder, entry)
    if path == folder:
        return list(_index(where, folder))
    if patterns and "*" in os.path.basename(path):
        beside = entries(os.path.dirname(path))
        return [each.path for each in beside if is_file(each) and _fits(each.path, path)]
    if os.path.isfile(path):
        return [path]
    if not os.path.isdir(path):
        return []
    return list(_index(where, path)) or (list(_inside(where, path)) if patterns else [])


def _inside(where: Where[Modules], folder: str) -> Iterator[str]:
    """What pi finds in a folder of modules that a manifest names: direct files, and folders with an index."""
    inside = [entry for entry in entries(folder) if _counts(entry, where)]
    yield from _direct(where, inside)
    for entry in inside:
        if is_folder(entry):
            yield from _index(where, entry.path)


def _index(where: Where[Modules], folder: str) -> Iterator[str]:
    for name in where.options.indexes:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and not _is_ignored(where, path, folder=False):
            yield path
            return


def _below(folder: str, entry: str) -> str:
    return os.path.normpath(os.path.join(folder, *entry.split("/")))


def _fits(path: str, pattern: str) -> bool:
    folder, name = os.path.split(pattern)
    return os.path.dirname(path) == folder and fnmatchcase(os.path.basename(path), name)
