"""Modules that settings require: as long as one of them does not run, no tool is called.

`required` in the user's `config.yml` or in the project's `settings.json` lists modules by name or by path. What the
user requires is met by a module of the user only: a project that brings one of the same name changes nothing.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import JSONC, YAML, config_at
from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import Run
from pisces.modules.configured import resolved
from pisces.modules.entry import DISABLED, NOT_TRUSTED, RUNS, ModuleEntry
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from pisces.discovery.config_file import ConfigFile
    from pisces.places import Places

MODULE_REQUIRED = Rule("module-required", ERROR, "A module that settings require does not run, so no tool is called")

_KEY = "required"
_ID = "extension-module:"
_WHY = {
    DISABLED: "it is switched off",
    NOT_TRUSTED: "this project is not trusted, and `pisces trust` would trust it",
}


class RequiredModule(Value):
    """`text` names it in the setting, `path` is what that means as a path. `file` and `place` are the setting's."""

    text: str
    path: str
    level: str
    file: str
    place: tuple[int, int]

    def is_met_by(self, entry: ModuleEntry) -> bool:
        is_named = self.text.removeprefix(_ID) == entry.name or self.path in (entry.path, entry.folder)
        return is_named and (self.level == PROJECT or not entry.needs_trust)


def required_in(places: Places) -> tuple[RequiredModule, ...]:
    user = os.path.join(places.agent_dir, "config.yml")
    project = os.path.join(places.cwd, ".pisces", "settings.json")
    found: list[RequiredModule] = []
    for path, syntax, level in ((user, YAML, USER), (project, JSONC, PROJECT)):
        file = config_at(path, syntax, Run())
        if file is not None and not isinstance(file, Diagnostic):
            found += _listed(file, level, places)
    return tuple(found)


def _listed(file: ConfigFile, level: str, places: Places) -> Iterator[RequiredModule]:
    """What is no list of texts names a module that nobody has: a setting that cannot be understood must not be met."""
    value: Any = file.part((_KEY,))
    if value is None:
        return
    for index, each in enumerate(value if isinstance(value, list) else [value]):
        place = file.place(_KEY, index) if isinstance(value, list) else file.place(_KEY)
        text = each if isinstance(each, str) else ""
        yield RequiredModule(text, resolved(text, places) if text else "", level, file.path, place)


def unmet(
    required: Iterable[RequiredModule], entries: Iterable[ModuleEntry], why_not: Callable[[ModuleEntry], str]
) -> Iterator[Diagnostic]:
    """Each module that does not run, with the reason. `why_not` is asked about entries that should run."""
    every = tuple(entries)
    for each in required:
        met = [entry for entry in every if each.text and each.is_met_by(entry)]
        reasons = [_WHY.get(entry.state) or why_not(entry) for entry in met]
        why = next(filter(None, reasons), "" if met else _nowhere(each))
        if why:
            name = f"`{each.text}`" if each.text else "a module"
            message = f"{name} is required and does not run: {why}"
            yield MODULE_REQUIRED.at(each.file, message, place=each.place, hint=_HINT, about=each.text)


def is_listed_to_run(entry: ModuleEntry) -> str:
    """For programs that load nothing: whether it would be loaded."""
    return "" if entry.state == RUNS else f"it is {entry.state}"


def _nowhere(required: RequiredModule) -> str:
    if not required.text:
        return "`required` must be a list of names or paths"
    return "there is no module of that name or path here"


_HINT = "no tool is called until it runs; take it out of `required` if it is not needed"
