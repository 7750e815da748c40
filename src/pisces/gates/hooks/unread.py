"""Guards in a file that cannot be read: they block what they would have judged, until they are mended."""

from __future__ import annotations

from pisces.discovery.config_file import ConfigFile
from pisces.gates.hooks.dialect import LoadedHook
from pisces.shapes.hook import Hook
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Source
    from pisces.shapes.field import Keys

_RULE = 4  # our rule (docs/conformance.md): a mistake in a guard keeps the guard


class GuardShape(Value):
    """How a harness writes guards: `event` is its event before a tool, `handler_flaw` why a handler cannot be read."""

    dialect: str
    event: str
    handler_flaw: Callable[[Any], str]


def unread_in(file: ConfigFile | Diagnostic | None, source: Source, shape: GuardShape) -> Iterator[LoadedHook]:
    """Below `hooks` and the event: groups with a list `hooks`, or what should be one."""
    events = file.part(("hooks",)) if isinstance(file, ConfigFile) else None
    groups = events.get(shape.event) if isinstance(events, dict) else None
    keys: Keys = ("hooks", shape.event)
    if groups is None:
        return
    if not isinstance(groups, list):
        yield unreadable(source, shape, keys, f"`{shape.event}` must be a list of groups")
        return
    for number, group in enumerate(groups):
        yield from _in_group(group, source, shape, (*keys, number))


def _in_group(group: Any, source: Source, shape: GuardShape, keys: Keys) -> Iterator[LoadedHook]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    matcher = group.get("matcher") if isinstance(group, dict) else None
    if not isinstance(handlers, list):
        yield unreadable(source, shape, keys, "a group must be an object with a list `hooks`", matcher)
        return
    for index, handler in enumerate(handlers):
        if flaw := shape.handler_flaw(handler):
            yield unreadable(source, shape, (*keys, "hooks", index), flaw, matcher)


def unreadable(source: Source, shape: GuardShape, keys: Keys, flaw: str, matcher: Any = None) -> LoadedHook:
    hook = Hook(shape.event, matcher, "", source.path, shape.dialect, {}, {}, keys, type="unreadable")
    return LoadedHook(hook, source, is_narrowing=True, flaw=f"this guard cannot be read: {flaw}", rule=_RULE)
