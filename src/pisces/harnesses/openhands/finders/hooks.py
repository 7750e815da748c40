"""Hooks of OpenHands: events with groups of handlers, below `hooks` or at the top of the file, in either spelling.

A handler without a type is a command. Of the project's and the user's file only the first that exists counts: the
hooks of the other are shadowed. One thing wrong in a file takes every hook of it away: they are refused.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import JSON, ConfigFile, read_object
from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.hook_switch import all_or_none
from pisces.discovery.state import SHADOWED, State
from pisces.shapes.field import Keys
from pisces.shapes.hook import Hook, in_seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

OPENHANDS_HOOKS = Rule("openhands-hooks", ERROR, "A flaw makes OpenHands drop all hooks of a file")

_EVENTS = frozenset(("pretooluse", "posttooluse", "userpromptsubmit", "sessionstart", "sessionend", "stop"))
_SPEAKS = {"command": "command", "prompt": "prompt", "agent": "system_prompt"}


def find(where: Where) -> FinderResults:
    if where.package:
        yield from _file(where, where.path)
        return
    harness = where.harness
    folders = [(PROJECT, where.places.absolute(".openhands"))]
    folders += [(USER, harness.user_path(where.places))] if harness else []
    held: State | None = None
    for level, folder in folders:
        path = os.path.join(folder, "hooks.json")
        if os.path.lexists(path):
            found = _file(where.replace(level=level, held=held), path)
            yield from found if held is None else (each for each in found if not isinstance(each, Diagnostic))
            held = State(SHADOWED, "the hooks file of the project takes the place of the user's", path, 1)


def _file(where: Where, path: str) -> FinderResults:
    return all_or_none(read_object(path, JSON, where.run, lambda file: _events(file, where)), where.label)


def _events(file: ConfigFile, where: Where) -> FinderResults:
    keys: Keys = ("hooks",) if "hooks" in file.value else ()
    events = file.part(keys)
    if not isinstance(events, dict):
        yield file.not_object(keys)
        return
    for event, groups in events.items():
        at = (*keys, event)
        if str(event).replace("_", "").lower() not in _EVENTS:
            yield _flaw(file, at, f"there is no event `{event}`")
        elif not isinstance(groups, list):
            yield _flaw(file, at, f"`{event}` must be a list of groups")
        else:
            for index, group in enumerate(groups):
                yield from _group(file, (*at, index), group, where)


def _group(file: ConfigFile, at: Keys, group: Any, where: Where) -> FinderResults:
    handlers = group.get("hooks", []) if isinstance(group, dict) else None
    if not isinstance(handlers, list):
        yield _flaw(file, at, "a group must be an object with a list `hooks`")
        return
    for index, handler in enumerate(handlers):
        yield from _handler(file, (*at, "hooks", index), (group, handler), where)


def _handler(file: ConfigFile, at: Keys, pair: tuple[Any, Any], where: Where) -> Iterator[Any]:
    group, handler = pair
    kind = handler.get("type", "command") if isinstance(handler, dict) else None
    text = handler.get(_SPEAKS[kind]) if isinstance(kind, str) and kind in _SPEAKS else None
    if not isinstance(kind, str) or kind not in _SPEAKS or (kind != "agent" and not (isinstance(text, str) and text)):
        yield _flaw(file, at, "a handler must be an object with a text `command`, or `prompt` for the type `prompt`")
        return
    yield where.found(
        Hook(
            event=str(at[-4]),
            matcher=group.get("matcher"),
            command=str(text or handler.get("name") or kind),
            path=file.path,
            dialect="openhands",
            fields=handler,
            group=group,
            keys=at,
            name=str(handler.get("name") or ""),
            type=kind,
            timeout=handler.get("timeout"),
            seconds=in_seconds(handler.get("timeout")),
        )
    )


def _flaw(file: ConfigFile, at: Keys, message: str) -> Diagnostic:
    about = next((str(key) for key in reversed(at) if isinstance(key, str) and key != "hooks"), "")
    hint = "mend it: OpenHands drops every hook of this file"
    return OPENHANDS_HOOKS.at(file.path, message, place=file.place(*at), hint=hint, about=about)
