"""Antigravity's hooks: names, each with its events. `enabled: false` switches a name off; one error drops the file.

Events of tools hold groups with a matcher, the others plain handlers.
"""

from __future__ import annotations

from pisces.discovery.config_file import JSON, ConfigFile, read_object
from pisces.discovery.finders.flat_hooks import FLAT_HOOK_SHAPE, hooks_in
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.hook_switch import all_or_none, hook_held, hook_off
from pisces.discovery.options import FlatHooks

_EVENTS = frozenset(("PreToolUse", "PostToolUse", "PreInvocation", "PostInvocation", "SessionStart", "Stop"))


def find(where: Where) -> FinderResults:
    return all_or_none(read_object(where.path, JSON, where.run, lambda file: _named(file, where)), where.label)


def _named(file: ConfigFile, where: Where) -> FinderResults:
    inside = where.given(FlatHooks(_EVENTS, groups=True, dialect=where.harness_id), where.path)
    for name, definition in file.value.items():
        if not isinstance(definition, dict):
            message = f"`{name}` must be an object of events"
            yield FLAT_HOOK_SHAPE.at(file.path, message, place=file.place(name), about=name)
            continue
        own = inside
        if definition.get("enabled") is False:
            yield hook_off(file, (name,), name)
            own = inside.replace(held=hook_held(file, (name,), "enabled"))
        events = {event: handlers for event, handlers in definition.items() if event != "enabled"}
        yield from hooks_in(file.replace(value={name: events}), (name,), own)
