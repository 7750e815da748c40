"""Hooks in the header of a skill or an agent: they fire from its use on, those of an agent inside it only."""

from __future__ import annotations

from pisces.discovery.found import PROJECT
from pisces.gates.hooks.dialect import LoadedHook
from pisces.gates.hooks.loaded_dialects import dialect_of, harness_export
from pisces.shapes.hook import Hook, in_seconds
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.discovery.found import Source


def header_hooks(item: Any, source: Source, dialect: str) -> tuple[LoadedHook, ...]:
    """`item` is a skill or a subagent. Whoever uses them asks `as_agreed` for each first.

    Harnesses ignore the hooks of agents that packages bring, so callers do not ask for them.
    """
    events = item.fields.get("hooks")
    if not isinstance(events, dict) or dialect_of(dialect) is None:
        return ()
    made = (_header_hook(keys, group, handler, item.path, dialect) for keys, group, handler in _handlers(events))
    return tuple(LoadedHook(each, source, is_narrowing=source.level == PROJECT) for each in made)


def inside_agent(loaded: LoadedHook, agent: str) -> LoadedHook:
    """The hook as it fires inside this agent only. The harness may have other names for its events there."""
    names: Mapping[str, str] = harness_export(loaded.hook.dialect, "AGENT_EVENTS") or EMPTY
    event = names.get(loaded.hook.event, loaded.hook.event)
    return loaded.replace(hook=loaded.hook.replace(event=event), agent=agent)


def _handlers(events: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any], Any]]:
    for event, groups in events.items():
        for number, group in enumerate(_list(groups)):
            handlers = _list(group.get("hooks")) if isinstance(group, dict) else []
            keyed = (
                (("hooks", str(event), number, "hooks", index), group, each) for index, each in enumerate(handlers)
            )
            yield from (each for each in keyed if isinstance(each[2], dict))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _header_hook(
    keys: tuple[str | int, ...], group: Mapping[str, Any], handler: Mapping[str, Any], path: str, dialect: str
) -> Hook:
    kind = str(handler.get("type") or "command")
    spoken = next((handler[key] for key in ("command", "url", "prompt", "tool") if handler.get(key)), "")
    return Hook(
        event=str(keys[1]),
        matcher=group.get("matcher"),
        command=str(spoken),
        path=path,
        dialect=dialect,
        fields=handler,
        group=group,
        keys=keys,
        type=kind,
        timeout=handler.get("timeout"),
        seconds=in_seconds(handler.get("timeout")),
    )
