"""What Claude Code makes of hooks: entry by entry, but a guard that cannot be loaded costs the whole plugin.

Guards are the hooks of PreToolUse and PermissionRequest. A broken one may be what protects the rest, so Claude Code
refuses everything that it came with. A broken hook of another event, or an event that it does not know, is left out.
"""

from __future__ import annotations

from pisces.discovery.finders.grouped_hooks import EVENTS
from pisces.formats.fit import ANYTHING, FLAG, TABLE, TEXT, Listed, Mapped, Record, misfits, noun_of, one_of
from pisces.harnesses.claude.manifest_shape import ABOVE_ZERO, FILLED, JSON_PATH, URL
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.field import Keys

GUARDS = ("PreToolUse", "PermissionRequest")
_DEEPEST = 3  # levels below an entry that are searched for guards at the wrong place

_ALWAYS = {"if": TEXT, "timeout": ABOVE_ZERO, "statusMessage": TEXT, "once": FLAG}
_FAILING = {"onFailure": one_of("continue", "block")}
_MODEL = {**_ALWAYS, "model": TEXT}
_HANDLERS = {
    "command": Record(
        {"command": TEXT},
        {
            **_ALWAYS,
            **_FAILING,
            "args": Listed(TEXT),
            "shell": one_of("bash", "powershell"),
            "async": FLAG,
            "asyncRewake": FLAG,
            "rewakeMessage": FILLED,
            "rewakeSummary": FILLED,
        },
    ),
    "prompt": Record({"prompt": TEXT}, {**_MODEL, "continueOnBlock": FLAG}),
    "agent": Record({"prompt": TEXT}, _MODEL),
    "http": Record({"url": URL}, {**_ALWAYS, **_FAILING, "headers": Mapped(TEXT), "allowedEnvVars": Listed(TEXT)}),
    "mcp_tool": Record({"server": TEXT, "tool": TEXT}, {**_ALWAYS, "input": TABLE}),
}
_GROUP = Record({}, {"matcher": TEXT, "hooks": ANYTHING})


class HookFlaw(Value):
    """`whole`: the plugin is refused, or the settings file is; else only this entry is left out."""

    keys: Keys
    message: str
    whole: bool


def hook_flaws(events: Any) -> Iterator[HookFlaw]:
    """Of an object of events. An event that does not exist is no flaw unless guards hide in it."""
    if not isinstance(events, dict) or _is_group(events):
        noun = "a group" if isinstance(events, dict) else noun_of(events)
        yield HookFlaw((), f"`hooks` must be an object of events, not {noun}", _holds_groups(events))
        return
    for event, groups in events.items():
        if event in EVENTS:
            yield from _event_flaws(event, groups)
        elif _holds_guards(groups):
            yield HookFlaw((event,), f"`{event}` is no event, and holds guards", whole=True)


def _event_flaws(event: str, groups: Any) -> Iterator[HookFlaw]:
    if isinstance(groups, list):
        for index, group in enumerate(groups):
            for keys, message in _group_flaws(group):
                yield HookFlaw((event, index, *keys), message, event in GUARDS)
    elif groups is not None or event not in GUARDS:
        yield HookFlaw((event,), f"`{event}` must be a list of groups", event in GUARDS)


def manifest_hook_flaws(value: Any) -> Iterator[HookFlaw]:
    """Of `hooks` in a manifest: the path of a file, an object of events, or a list of either."""
    for keys, each in each_of(value):
        if isinstance(each, str):
            yield from (HookFlaw(keys, f"`hooks` {flaw.message}", whole=True) for flaw in misfits(each, JSON_PATH))
        elif not isinstance(each, dict):
            yield HookFlaw(keys, f"`hooks` must be a path or an object, not {noun_of(each)}", whole=True)
        else:
            yield from (flaw.replace(keys=(*keys, *flaw.keys)) for flaw in hook_flaws(each))
            if isinstance(each.get("hooks"), dict):
                yield HookFlaw((*keys, "hooks"), "hooks in a manifest stand without a `hooks` around them", whole=False)


def each_of(value: Any) -> list[tuple[Keys, Any]]:
    """The value alone, or each of a list, with its keys."""
    return [((index,), each) for index, each in enumerate(value)] if isinstance(value, list) else [((), value)]


def guards_outside(values: dict[str, Any]) -> str:
    """A guard event at the top of a file, beside or instead of `hooks`."""
    return next((key for key in GUARDS if values.get(key)), "")


def _group_flaws(group: Any) -> Iterator[tuple[Keys, str]]:
    if not isinstance(group, dict):
        yield (), f"a group must be an object, not {noun_of(group)}"
        return
    handlers = group.get("hooks")
    if not isinstance(handlers, list):
        yield (), "a group must have a list `hooks`"
        return
    for misfit in misfits(group, _GROUP):
        yield misfit.path, f"`{misfit.path[0]}` {misfit.message}"
    for index, handler in enumerate(handlers):
        for keys, message in _handler_flaws(handler):
            yield ("hooks", index, *keys), message


def _handler_flaws(handler: Any) -> Iterator[tuple[Keys, str]]:
    if not isinstance(handler, dict):
        yield (), f"a hook must be an object, not {noun_of(handler)}"
        return
    kind = handler.get("type")
    shape = _HANDLERS.get(kind) if isinstance(kind, str) else None
    if shape is None:
        yield (), f"a hook needs a `type`: one of {', '.join(f'`{each}`' for each in _HANDLERS)}"
        return
    for misfit in misfits(handler, shape):
        field = f"`{'.'.join(map(str, misfit.path))}` " if misfit.path else "it "
        yield misfit.path, f"{field}{misfit.message}"


def _holds_groups(value: Any) -> bool:
    return _is_group(value) or (isinstance(value, list) and any(isinstance(each, dict) for each in value))


def _is_group(value: Any) -> bool:
    """A group where events should be: Claude Code cannot say which event it is for, and takes it for a guard."""
    hooks = value.get("hooks") if isinstance(value, dict) else None
    if isinstance(hooks, list):
        return bool(hooks) and not any(key in EVENTS for key in value)
    return isinstance(hooks, dict) and ("matcher" in value or isinstance(hooks.get("type"), str))


def _holds_guards(value: Any, levels: int = _DEEPEST) -> bool:
    if isinstance(value, dict):
        if any(value.get(guard) for guard in GUARDS):
            return True
        inner = list(value.values())
    else:
        inner = value if isinstance(value, list) else []
    return levels > 0 and any(_holds_guards(each, levels - 1) for each in inner)
