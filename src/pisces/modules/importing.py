"""Imports other people's modules so that nothing of them meets: each load is a package of its own, under a new name.

Relative imports work inside the module's folder and end there. Sources are read anew each time, so an edit is seen
at once; no bytecode is written beside them. What was imported leaves `sys.modules` with `forget`.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec
from types import CodeType, ModuleType
from typing import Any

from pisces.discovery.pins import check_pin
from pisces.modules.bytecode import Bytecode
from pisces.modules.entry import ModuleEntry

PREFIX = "pisces_module_"
_INIT = "__init__.py"


class Importer:
    """Stands on `sys.meta_path` while modules that it imported are in use, and answers for their names alone."""

    def __init__(self, bytecode: Bytecode) -> None:
        self._bytecode = bytecode
        self._entries: dict[str, dict[str, str]] = {}  # for each package, the names that are given and not derived
        self._pins: dict[str, Mapping[str, str] | None] = {}  # for each package, the files that may be loaded

    def imported(self, entry: ModuleEntry, generation: int) -> ModuleType:
        """The entry's module; whatever its code raises is raised here, and nothing of it is left behind."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)
        package = f"{PREFIX}{generation}"
        try:
            return self._imported(entry, package)
        except BaseException:
            self.forget(generation)
            raise

    def forget(self, generation: int) -> None:
        """Takes a load out of `sys.modules`, with every module that its code imported by relative import."""
        package = f"{PREFIX}{generation}"
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
        self._entries.pop(package, None)
        self._pins.pop(package, None)
        if not self._entries and self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, name: str, path: Sequence[str] | None = None, _target: object = None) -> ModuleSpec | None:
        if not name.startswith(PREFIX):
            return None
        package, _, inside = name.partition(".")
        if package not in self._entries or not inside:
            return None
        given = self._entries[package].get(name)
        return self._source_spec(name, given) if given else self._spec_in(name, path or ())

    def _imported(self, entry: ModuleEntry, package: str) -> ModuleType:
        folder, names = _home(entry)
        self._entries[package] = {}
        self._pins[package] = entry.pins
        self._start_package(package, folder, entry)
        if not names:
            return sys.modules[package]
        name = ".".join((package, *names))
        self._entries[package] = {name: entry.path}
        return importlib.import_module(name)

    def _start_package(self, package: str, folder: str, entry: ModuleEntry) -> None:
        """The folder as a package. Its own `__init__.py` runs first, unless the entry is but a loose file in it."""
        init = os.path.join(folder, _INIT)
        if entry.path == init or (entry.folder and os.path.isfile(init)):
            spec = self._source_spec(package, init)
        else:
            spec = _folder_spec(package, folder)
        sys.modules[package] = module = module_from_spec(spec)
        if spec.loader is not None:
            spec.loader.exec_module(module)

    def _spec_in(self, name: str, folders: Sequence[str]) -> ModuleSpec | None:
        last = name.rpartition(".")[2]
        for folder in folders:
            path = os.path.join(folder, last)
            for file in (os.path.join(path, _INIT), f"{path}.py"):
                if os.path.isfile(file):
                    return self._source_spec(name, file)
            if os.path.isdir(path):
                return _folder_spec(name, path)
        return self._compiled_spec(name, folders)

    def _compiled_spec(self, name: str, folders: Sequence[str]) -> ModuleSpec | None:
        """The system loads such a file by its path, so it is compared just before."""
        spec, pins = PathFinder.find_spec(name, list(folders)), self._pins_for(name)
        if spec is not None and spec.origin and pins is not None:
            with open(spec.origin, "rb") as file:
                check_pin(pins, spec.origin, file.read())
        return spec

    def _pins_for(self, name: str) -> Mapping[str, str] | None:
        return self._pins.get(name.partition(".")[0])

    def _source_spec(self, name: str, path: str) -> ModuleSpec:
        is_package = os.path.basename(path) == _INIT
        loader = _Fresh(name, path, self._bytecode, self._pins_for(name))
        spec = ModuleSpec(name, loader, origin=path, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(path)]
        return spec


class _Fresh(SourceFileLoader):
    """Reads the source each time, and asks our own bytecode for its code. The bytes that are compiled are compared with
    those that somebody agreed to, so no time passes in between.
    """

    def __init__(self, name: str, path: str, bytecode: Bytecode, pins: Mapping[str, str] | None) -> None:
        super().__init__(name, path)
        self._bytecode = bytecode
        self._pins = pins

    def path_stats(self, path: str) -> Mapping[str, Any]:
        raise OSError(f"{path} has no bytecode beside it that counts")

    def source_to_code(  # type: ignore[override]  # a method in `importlib`, whatever its stub says
        self, data: Any, path: Any, **options: Any
    ) -> CodeType:
        if self._pins is not None:
            check_pin(self._pins, path, data)
        compiled = super().source_to_code
        return self._bytecode.code_of(data, path, lambda: compiled(data, path, **options))


def _folder_spec(name: str, folder: str) -> ModuleSpec:
    """A folder without an `__init__.py`."""
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [folder]
    return spec


def _home(entry: ModuleEntry) -> tuple[str, tuple[str, ...]]:
    """The folder that stands for the package, and the entry's name in it; no name where the folder itself is meant."""
    folder, file = os.path.split(entry.path)
    stem = os.path.splitext(file)[0].replace(".", "_")
    top = entry.folder or folder
    parts = () if top == folder else tuple(os.path.relpath(folder, top).split(os.sep))
    if any("." in part for part in parts):  # outside of its own folder, or not to be said in a dotted name
        top, parts = folder, ()
    if file == _INIT:
        return (top, parts) if parts else (folder, ())
    return top, (*parts, stem)
