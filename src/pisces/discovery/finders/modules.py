"""Extension modules in a folder of modules: files, and folders that declare entries or have an index. Never imported.

Direct files come first, then folders that declare their entries, then folders with an index; one level, no deeper.
Where two languages offer the same, the first in `suffixes` and `indexes` speaks. `node_modules` and hidden names do
not count.
"""

from __future__ import annotations

import os

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
    listed = file.part((*keys, "extensions"))
    overrides = [entry for entry in listed if where.options.patterns and _is_override(entry)]
    found: dict[str, None] = {}
    for index, entry in enumerate(listed):
        if entry in overrides:
            continue
        meant = _meant(where, folder, entry) if isinstance(entry, str) else []
        found.update(dict.fromkeys(meant))
        if not meant:
            place = file.place(*keys, "extensions", index)
            message = f"`{entry}` is not there" if isinstance(entry, str) else "an entry must be text"
            yield MODULE_ENTRY.at(file.path, message, place=place, about=os.path.basename(folder))
    yield from _patterns("enabled")(list(found), overrides, folder) if overrides else found


def _is_override(entry: object) -> bool:
    return isinstance(entry, str) and entry.startswith(("!", "+", "-"))


def _patterns(name: str) -> Any:
    """Loaded by name: few manifests have patterns."""
    return export_of("pisces.discovery", "manifest_patterns", name)


def _meant(where: Where[Modules], folder: str, entry: str) -> list[str]:
    """The files that an entry names: itself, those of the folder that it is, or of all that its pattern fits."""
    path = _below(folder, entry)
    if path == folder:
        return list(_index(where, folder))
    if where.options.patterns and ("*" in entry or "?" in entry) and "\0" not in entry:
        matches = _patterns("matching")(folder, entry)
        return [file for match in matches for file in _of_match(where, match) if match != folder]
    if os.path.isfile(path):
        return [path]
    if not os.path.isdir(path):
        return []
    return list(_of_folder(where, path)) if where.options.patterns else list(_index(where, path))


def _of_match(where: Where[Modules], path: str) -> Iterator[str]:
    """A pattern may fit a README too, which is no module; nor is what only declares types."""
    if os.path.isdir(path):
        yield from _of_folder(where, path)
    elif os.path.splitext(path)[1] in LANGUAGES and (where.options.types or not path.endswith(".d.ts")):
        yield path


def _of_folder(where: Where[Modules], folder: str) -> Iterator[str]:
    """What pi finds in a folder that a manifest names: what that is itself, else the modules in it."""
    own = _own(where, folder)
    yield from own or _inside(where, folder)


def _own(where: Where[Modules], folder: str) -> list[str]:
    """Entries that the folder declares, as plain paths, else its index. By the rules for all, two might go round."""
    declared = _declared(where, folder)
    listed = declared[0].part((*declared[1], "extensions")) if isinstance(declared, tuple) else ()
    paths = [_below(folder, entry) for entry in listed if isinstance(entry, str) and "\0" not in entry]
    files = [path for path in paths if os.path.isfile(path)]
    return files or list(_index(where, folder))


def _inside(where: Where[Modules], folder: str) -> Iterator[str]:
    """Direct files, and folders with entries of their own."""
    inside = [entry for entry in entries(folder) if _counts(entry, where)]
    yield from _direct(where, inside)
    for entry in inside:
        if is_folder(entry):
            yield from _own(where, entry.path)


def _index(where: Where[Modules], folder: str) -> Iterator[str]:
    for name in where.options.indexes:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and not _is_ignored(where, path, folder=False):
            yield path
            return


def _below(folder: str, entry: str) -> str:
    return os.path.normpath(os.path.join(folder, *entry.split("/")))
