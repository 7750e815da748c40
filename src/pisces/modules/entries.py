"""Which modules run here: one ordered list of entry files, where each comes from, and what is wrong. Nothing is run.

First what is found: native roots (the project's, then the user's), then installed packages. Then what is configured:
paths named for this run, then those of the user's settings, then of the project's. A path counts once, where it is met
first. Paths in settings and options are relative to the current directory, whoever wrote them.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import NOTE, WARNING, Diagnostic, Rule
from pisces.discovery.capabilities import MODULES
from pisces.discovery.config_file import JSONC, YAML, ConfigFile, config_at
from pisces.discovery.found import PROJECT, USER, Found
from pisces.discovery.harness import Run
from pisces.discovery.registry import discover
from pisces.discovery.state import ACTIVE, SHADOWED
from pisces.discovery.switches import configured_switches
from pisces.modules.configured import ConfiguredPath, expanded, resolved
from pisces.modules.entry import CLI, DISABLED, NATIVE, PACKAGE, RUNS, SETTINGS, ModuleEntries, ModuleEntry
from pisces.places import Places
from pisces.shapes.module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
    from typing import Any


MODULE_SETTING = Rule("module-setting", WARNING, "`extensions` in a settings file is not a list of paths")
MODULES_OFF = Rule("modules-off", WARNING, "`--no-extensions` drops what `-e` and `--hook` name, too")
MODULE_SAME_NAME = Rule("module-same-name", NOTE, "Two modules that were found have the same name")


def module_entries(places: Places, named: Sequence[str] = (), disabled: Iterable[str] = ()) -> ModuleEntries:
    """Everything that would run: what is found, what `named` lists, what settings list.

    `disabled` adds ids such as `extension-module:foo` to those that settings switch off.
    """
    run = Run()
    _, diagnostics = configured_switches(places)
    found = _once((*_discovered(places, run), *_named(named, places, run), *_configured(places, run)))
    off = {USER: frozenset(disabled), PROJECT: frozenset[str]()}
    for file, level in _settings(places, run):
        off[level] |= {each for each in _listed(file, "disabledExtensions") if isinstance(each, str)}
    wanted = {resolved(path, places) for path in named}
    entries = tuple(_switched(entry, off, wanted) for entry in found.entries)
    return ModuleEntries(entries, (*diagnostics, *found.diagnostics, *_namesakes(entries)))


def named_entries(places: Places, named: Sequence[str]) -> ModuleEntries:
    """Only what the caller names: for programs that switch discovery off and bring modules of their own."""
    return _once(_named(named, places, Run()))


def no_entries(named: Sequence[str]) -> ModuleEntries:
    """`--no-extensions`: nothing at all, and a diagnostic that names what `-e` and `--hook` asked for."""
    if not named:
        return ModuleEntries(())
    listed = ", ".join(f"`{path}`" for path in named)
    hint = "leave out `--no-extensions`; `disabledExtensions` in the settings switches single modules off"
    return ModuleEntries((), (MODULES_OFF.at("", f"`--no-extensions` also drops {listed}", hint=hint),))


def _discovered(places: Places, run: Run) -> Iterator[ModuleEntry | Diagnostic]:
    """The native provider's alone: modules of other harnesses are theirs to run. Only the user switches it off."""
    harness = export_of("pisces.harnesses", "native", "HARNESS")
    users = [_listed(file, "disabledProviders") for file, level in _settings(places, run) if level == USER]
    if any(harness.id in listed for listed in users):
        return
    discovered = discover(MODULES, places, harnesses=[harness], run=run)
    yield from (_entry(each.found) for each in discovered.all if each.state in (ACTIVE, SHADOWED))
    yield from discovered.diagnostics


def _entry(found: Found[Module]) -> ModuleEntry:
    module, origin = found.item, PACKAGE if found.package else NATIVE
    level = USER if found.package else found.source.level
    return ModuleEntry(module.path, module.name, module.language, origin, level, found.package, module.folder)


def _named(named: Iterable[str], places: Places, run: Run) -> Iterator[ModuleEntry | Diagnostic]:
    for path in named:
        yield from expanded(ConfiguredPath(path, CLI, USER), places, run)


def _configured(places: Places, run: Run) -> Iterator[ModuleEntry | Diagnostic]:
    for file, level in _settings(places, run):
        for each in _paths_in(file, level):
            yield from (each,) if isinstance(each, Diagnostic) else expanded(each, places, run)


def _settings(places: Places, run: Run) -> Iterator[tuple[ConfigFile, str]]:
    """The user's, then the project's. Broken files are reported once, by the switches."""
    user = os.path.join(places.agent_dir, "config.yml")
    project = os.path.join(places.cwd, ".pisces", "settings.json")
    for path, syntax, level in ((user, YAML, USER), (project, JSONC, PROJECT)):
        file = config_at(path, syntax, run)
        if file is not None and not isinstance(file, Diagnostic):
            yield file, level


def _paths_in(file: ConfigFile, level: str) -> Iterator[ConfiguredPath | Diagnostic]:
    if not isinstance(file.part(("extensions",)), list | None):
        yield MODULE_SETTING.at(file.path, "`extensions` must be a list of paths", place=file.place("extensions"))
    for index, text in enumerate(_listed(file, "extensions")):
        place = file.place("extensions", index)
        if isinstance(text, str):
            yield ConfiguredPath(text, SETTINGS, level, file.path, place)
        else:
            yield MODULE_SETTING.at(file.path, "an entry of `extensions` must be a path", place=place)


def _listed(file: ConfigFile, key: str) -> list[Any]:
    listed = file.part((key,))
    return listed if isinstance(listed, list) else []


def _once(found: Iterable[ModuleEntry | Diagnostic]) -> ModuleEntries:
    """By absolute path, the first one counts. What the user chose as well is the user's, wherever it was met first."""
    entries: dict[str, ModuleEntry] = {}
    problems: list[Diagnostic] = []
    for each in found:
        if isinstance(each, Diagnostic):
            problems.append(each)
            continue
        first = entries.setdefault(each.path, each)
        if not each.needs_trust:
            entries[each.path] = first.replace(level=each.level)
    return ModuleEntries(tuple(entries.values()), tuple(dict.fromkeys(problems)))


def _switched(entry: ModuleEntry, off: Mapping[str, frozenset[str]], wanted: Container[str]) -> ModuleEntry:
    """A file that is named for this very run is not switched off by settings: who names it wants it."""
    module = Module(entry.name, entry.path, entry.language, entry.folder)
    by = next((level for level, ids in off.items() if MODULES.is_in(ids, module)), "")
    return entry.replace(state=DISABLED, off_by=by) if by and entry.path not in wanted else entry


def _namesakes(entries: Iterable[ModuleEntry]) -> Iterator[Diagnostic]:
    first: dict[str, ModuleEntry] = {}
    for entry in (each for each in entries if each.state == RUNS):
        other = first.setdefault(entry.name, entry)
        if other is not entry and {entry.origin, other.origin} == {NATIVE}:
            message = f"`{entry.name}` is also the name of {other.path}: both run"
            hint = f"give one of them another name; oh-my-pi would run only {other.path}"
            yield MODULE_SAME_NAME.at(entry.path, message, hint=hint, about=entry.name)
