"""Which hooks fire here: the active ones of every harness whose dialect we know, with two differences.

What only a project switched off fires all the same, because a project can add guards and never remove one. Hooks of a
file or package that its harness refuses whole, for one mistake in it, fire too, but cannot allow anything. Hooks that a
project brings need trust, and cannot allow anything either. Hooks of an installed package run as they were agreed to.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import NOTE, WARNING, Diagnostic, Rule
from pisces.discovery import capabilities
from pisces.discovery.containment import stays_inside
from pisces.discovery.found import PROJECT, USER, Candidate, Source
from pisces.discovery.harness import Run
from pisces.discovery.registry import Switches, discover
from pisces.discovery.state import ACTIVE, OFF, REFUSED, UNTRUSTED, WAITING
from pisces.gates.hooks.agreed import as_agreed
from pisces.gates.hooks.dialect import LoadedHook
from pisces.gates.hooks.firing import KEEPS_GUARDS, NARROWS
from pisces.gates.hooks.header_hooks import header_hooks, inside_agent
from pisces.gates.hooks.loaded_dialects import dialect_of, harness_export, known_dialects
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pisces.gates.trusted import Trust
    from pisces.places import Places
    from pisces.shapes.hook import Hook
    from pisces.shapes.package import Package

HOOK_DIALECT = Rule("hook-dialect", NOTE, "Hooks of a program whose hooks pisces does not run")
HOOK_UNTRUSTED = Rule("hook-untrusted", WARNING, "A hook of this project does not run, because nobody trusts it yet")
HOOK_UNREVIEWED = Rule("hook-unreviewed", WARNING, "A hook does not run, because nobody has reviewed it")
HOOK_STILL_ON = Rule("hook-still-on", NOTE, "A project switches off a hook that runs all the same")
HOOK_REFUSED = Rule("hook-refused", WARNING, "A program refuses a whole file; its hooks run here all the same")


class FoundHooks(Value):
    loaded: tuple[LoadedHook, ...]
    diagnostics: tuple[Diagnostic, ...]


def found_hooks(
    places: Places,
    trust: Trust,
    run: Run | None = None,
    switches: Switches = Switches(),  # noqa: B008  # a value
) -> FoundHooks:
    run = run or Run()
    discovered = discover(capabilities.HOOKS, places, switches, run=run)
    search = _Search(places, trust, run)
    for candidate in discovered.all:
        search.take(candidate)
    search.take_agents()
    damaged = search.damaged({each.path for each in discovered.diagnostics})
    for name in known_dialects():
        search.take_unread(name, damaged)
    return FoundHooks(tuple(search.loaded), (*discovered.diagnostics, *search.diagnostics()))


class _Search:
    def __init__(self, places: Places, trust: Trust, run: Run) -> None:
        self.places, self.trust, self.run = places, trust, run
        self.loaded: list[LoadedHook] = []
        self._found: list[Diagnostic] = []
        self._unknown: dict[str, Source] = {}
        self._untrusted: dict[str, list[str]] = {}
        self._folders: dict[str, str] | None = None
        self._off: dict[str, bool] = {}

    def take(self, candidate: Candidate[Hook]) -> None:
        hook, source = candidate.found.item, candidate.found.source
        if dialect_of(hook.dialect) is None:
            self._unknown.setdefault(source.label, source)
            return
        rule = self._rule(candidate)
        if rule is None:
            return
        is_narrowing = rule == KEEPS_GUARDS or self._only_narrows(hook.dialect)
        made = LoadedHook(hook, source, candidate.found.package, is_narrowing=is_narrowing, rule=rule)
        if candidate.found.package:
            made = made.replace(folder=self._folder_of(hook.path))
        self._add(made.replace(flaw=_flaw_of(hook, self.places, self.run)))

    def take_agents(self) -> None:
        """Hooks in the headers of agents, which fire inside them. Harnesses ignore those of packages."""
        for found in discover(capabilities.SUBAGENTS, self.places, run=self.run).items:
            dialect = found.source.harness
            if found.package or not found.item.fields.get("hooks") or self._is_off(dialect):
                continue
            for each in header_hooks(found.item, found.source, dialect):
                self._add(each, str(found.item.name))

    def damaged(self, paths: set[str]) -> list[Candidate[Package]]:
        """Packages that their harness refuses, or that something is wrong with: others need not be read again."""
        loads = [each for each in self._packages() if each.state in (ACTIVE, REFUSED)]
        return [
            each
            for each in loads
            if each.state == REFUSED or any(path.startswith(each.found.item.path + os.sep) for path in paths)
        ]

    def take_unread(self, dialect: str, packages: list[Candidate[Package]]) -> None:
        """Guards that cannot be read, in files of a harness that we know: they block what they would have judged."""
        if self._is_off(dialect):
            return
        unread: Callable[[Places, Run], Iterable[LoadedHook]] | None = harness_export(dialect, "unread_guards")
        for each in unread(self.places, self.run) if unread is not None else ():
            self._add(each)
        inside: Callable[[str], Iterable[LoadedHook]] = harness_export(dialect, "unread_in_package") or (lambda _: ())
        for package in packages:
            level, name = package.found.source.level, str(package.found.item.name)
            for each in inside(package.found.item.path):
                self._add(each.replace(package=name, source=each.source.replace(level=level)))

    def _add(self, loaded: LoadedHook, agent: str = "") -> None:
        agreed = as_agreed(loaded, self.trust, self.places)
        if agreed is None:
            self._untrusted.setdefault(loaded.hook.path, []).append(loaded.hook.event)
        else:
            self.loaded.append(inside_agent(agreed, agent) if agent else agreed)

    def diagnostics(self) -> Iterator[Diagnostic]:
        yield from dict.fromkeys(self._found)
        for label, source in self._unknown.items():
            yield HOOK_DIALECT.at(source.path, f"hooks of {label} do not run in pisces")
        for path, events in self._untrusted.items():
            yield hooks_untrusted(path, events)

    def _rule(self, candidate: Candidate[Hook]) -> int | None:
        """By which of our rules it fires, 0 if it is simply active; None if it does not fire."""
        source, held = candidate.found.source, candidate.held
        if self._is_off(candidate.found.item.dialect) and source.level != "managed":
            return None
        if candidate.state == ACTIVE:
            return None if self._waits(candidate) else 0
        if candidate.state == REFUSED:
            message = f"{candidate.reason}; its hooks run here, and cannot allow anything"
            place = (held.line, 1) if held and held.line else (0, 0)
            self._found.append(HOOK_REFUSED.at(held.path if held and held.path else source.path, message, place=place))
            return KEEPS_GUARDS
        if candidate.state in (UNTRUSTED, WAITING) and source.level == PROJECT:
            return 0  # our own trust decides
        if candidate.state == UNTRUSTED:
            return NARROWS  # a folder cannot keep the user's own guards from it
        if candidate.state == OFF and held and held.path and stays_inside(held.path, self.places.cwd):
            if source.level == PROJECT:
                return None
            message = f"{candidate.reason}; a project cannot switch off a hook, so it runs"
            self._found.append(HOOK_STILL_ON.at(held.path, message, place=(held.line, 1 if held.line else 0)))
            return NARROWS
        return None

    def _waits(self, candidate: Candidate[Hook]) -> bool:
        """Whether its harness asks for a review first, and nobody has given one. A package has our own consent."""
        hook, source = candidate.found.item, candidate.found.source
        waits: Callable[[Hook, Places, Run], str] | None = harness_export(hook.dialect, "waits")
        is_own = source.level == USER and not candidate.found.package
        reason = waits(hook, self.places, self.run) if waits is not None and is_own else ""
        if reason:
            self._found.append(HOOK_UNREVIEWED.at(hook.path, f"a hook for {hook.event} does not run: {reason}"))
        return bool(reason)

    def _is_off(self, dialect: str) -> bool:
        """Whether the user has switched off all hooks of a harness, whatever the project says."""
        if dialect not in self._off:
            self._off[dialect] = _off_by(dialect, self.places, self.run) not in ("", PROJECT)
        return self._off[dialect]

    def _only_narrows(self, dialect: str) -> bool:
        only_narrows: Callable[[Places, Run], bool] | None = harness_export(dialect, "only_narrows")
        return only_narrows is not None and only_narrows(self.places, self.run)

    def _packages(self) -> tuple[Candidate[Package], ...]:
        return discover(capabilities.PACKAGES, self.places, run=self.run).all

    def _folder_of(self, path: str) -> str:
        """The folder of the package that a file is part of."""
        if self._folders is None:
            self._folders = {each.found.item.path.rstrip(os.sep): "" for each in self._packages()}
        folder = os.path.dirname(path)
        while folder and folder not in self._folders:
            above = os.path.dirname(folder)
            folder = above if above != folder else ""
        return folder


def hooks_untrusted(path: str, events: Iterable[str]) -> Diagnostic:
    names = ", ".join(dict.fromkeys(events))
    hint = "`pisces trust` shows them and asks; read the files first"
    return HOOK_UNTRUSTED.at(path, f"this project is not trusted, so its hooks do not run: {names}", hint=hint)


def hooks_of_package(folder: str, places: Places) -> tuple[LoadedHook, ...]:
    """Of a package that the user named for this run, wherever it lies. One mistake in it does not cost the rest."""
    inspect = export_of("pisces.discovery", "inventory", "inspect")
    found: list[LoadedHook] = []
    for inventory in inspect(folder, places):
        name = str(inventory.package.name) if inventory.package else os.path.basename(folder)
        hooks = [each for each in inventory.of(capabilities.HOOKS) if dialect_of(each.item.dialect) is not None]
        off = {each.item.dialect: _off_by(each.item.dialect, places, Run()) for each in hooks}
        hooks = [each for each in hooks if off[each.item.dialect] in ("", PROJECT)]
        for each in hooks:
            is_refused = _is_refused(each.item.dialect, inventory.folder)
            rule = KEEPS_GUARDS if is_refused else NARROWS if off[each.item.dialect] else 0
            source = each.source.replace(level=USER)
            made = LoadedHook(each.item, source, name, inventory.folder, is_narrowing=is_refused, rule=rule)
            found.append(made.replace(flaw=_flaw_of(each.item, places, Run())))
        for dialect in dict.fromkeys(each.item.dialect for each in hooks) or known_dialects():
            unread = harness_export(dialect, "unread_in_package")
            found += [each.replace(package=name) for each in (unread(inventory.folder) if unread else ())]
    return tuple({(each.hook.path, each.hook.keys): each for each in found}.values())


def _flaw_of(hook: Hook, places: Places, run: Run) -> str:
    """Why a hook that was found cannot be used, by the settings of its harness."""
    flaw_of: Callable[[Hook, Places, Run], str] | None = harness_export(hook.dialect, "flaw_of")
    return "" if flaw_of is None else flaw_of(hook, places, run)


def _off_by(dialect: str, places: Places, run: Run) -> str:
    off_by: Callable[[Places, Run], str] | None = harness_export(dialect, "off_by")
    return "" if off_by is None else off_by(places, run)


def _is_refused(dialect: str, folder: str) -> bool:
    """Whether the harness refuses the package as a whole, so that nothing in it would run."""
    refused: Callable[[str], bool] | None = harness_export(dialect, "is_refused")
    return refused is not None and refused(folder)
