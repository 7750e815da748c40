"""What the user says about Gemini CLI's hooks, and guards in its files that cannot be read."""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, JSONC, ConfigFile, config_at
from pisces.discovery.finders.event_hooks import FROM_CLAUDE, hook_flaw
from pisces.discovery.found import PROJECT, USER, Source
from pisces.discovery.harness import Run
from pisces.gates.hooks.unread import GuardShape, unread_in, unreadable
from pisces.harnesses.gemini import HARNESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.places import Places

_SETTINGS, _MANIFEST = "settings.json", "gemini-extension.json"
_GUARD = GuardShape(HARNESS.id, "BeforeTool", hook_flaw)


def off_by(places: Places, run: Run) -> str:
    """Who switches off all hooks: the level of a settings file. The user's word counts more than the project's."""
    for level, path in _files(places):
        file = config_at(path, JSONC, run)
        if isinstance(file, ConfigFile) and file.part(("hooksConfig", "enabled")) is False:
            return level
    return ""


def unread_guards(places: Places, run: Run) -> Iterator[LoadedHook]:
    for level, path in _files(places):
        yield from _unread_at(path, run, Source(HARNESS.id, HARNESS.label, path, level))


def unread_in_package(folder: str) -> Iterator[LoadedHook]:
    path = os.path.join(folder, "hooks", "hooks.json")
    source = Source(HARNESS.id, HARNESS.label, path, USER)
    if os.path.isfile(os.path.join(folder, _MANIFEST)):
        for each in unread_in(config_at(path, JSON, Run()), source, _GUARD):
            yield each.replace(folder=folder)


def _unread_at(path: str, run: Run, source: Source) -> Iterator[LoadedHook]:
    """In settings an event of Claude Code is a mistake. An extension may have it for Claude Code."""
    file = config_at(path, JSONC, run)
    yield from unread_in(file, source, _GUARD)
    events = file.part(("hooks",)) if isinstance(file, ConfigFile) else None
    for name in (name for name, own in FROM_CLAUDE.items() if own == _GUARD.event and isinstance(events, dict)):
        groups = events.get(name) if isinstance(events, dict) else None
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            matcher = group.get("matcher") if isinstance(group, dict) else None
            flaw = f"Gemini CLI has no event `{name}`; it calls it `{_GUARD.event}`"
            yield unreadable(source, _GUARD, ("hooks", name, number), flaw, matcher)


def _files(places: Places) -> tuple[tuple[str, str], ...]:
    own = os.path.join(HARNESS.user_path(places), _SETTINGS)
    return (USER, own), (PROJECT, os.path.join(places.cwd, ".gemini", _SETTINGS))
