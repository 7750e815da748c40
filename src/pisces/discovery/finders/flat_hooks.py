"""Hooks in the flat shape of Cursor and GitHub Copilot: each event holds a list of handlers, without groups.

Groups in the manner of Claude Code are understood too where `groups` says so. A broken handler is reported and the
others stay. The path may be a folder: then each of its JSON files counts.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import ConfigFile, read_object
from pisces.discovery.found import Found
from pisces.discovery.harness import Where
from pisces.discovery.options import FlatHooks
from pisces.files import entries
from pisces.shapes.field import Keys
from pisces.shapes.hook import Hook, in_seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


FLAT_HOOK_EVENT = Rule("flat-hook-event", WARNING, "A hook waits for an event that its harness does not have")
FLAT_HOOK_SHAPE = Rule("flat-hook-shape", ERROR, "A hook does not have the shape that its harness reads")

_SPEAKS = {"prompt": ("prompt",), "http": ("url",)}  # other types of handlers, and the field that stands for each


def find(where: Where[FlatHooks]) -> Iterator[Found | Diagnostic]:
    if not os.path.isdir(where.path):
        yield from _file(where, where.path)
        return
    for entry in entries(where.path):
        if entry.name.endswith(".json"):
            yield from _file(where, entry.path)


def hooks_in(file: ConfigFile, keys: tuple[str, ...], where: Where[FlatHooks]) -> Iterator[Found | Diagnostic]:
    """The hooks below a key path of a file that is already read."""
    events = file.part(keys)
    if events is None:
        return
    if not isinstance(events, dict):
        yield file.not_object(keys)
        return
    known = where.options.events
    for event, handlers in events.items():
        at = (*keys, event)
        if known is not None and event not in known:
            yield FLAT_HOOK_EVENT.at(file.path, f"there is no event `{event}`", place=file.place(*at), about=event)
        elif not isinstance(handlers, list):
            yield _misshapen(file, at, event, f"`{event}` must hold a list")
        else:
            yield from _handlers(file, at, handlers, where)


def _file(where: Where[FlatHooks], path: str) -> Iterator[Found | Diagnostic]:
    return read_object(path, where.options.syntax, where.run, lambda file: hooks_in(file, ("hooks",), where))


def _handlers(file: ConfigFile, at: Keys, listed: list[Any], where: Where[FlatHooks]) -> Iterator[Found | Diagnostic]:
    for index, handler in enumerate(listed):
        inner = handler.get("hooks") if isinstance(handler, dict) and where.options.groups else None
        if not isinstance(inner, list):
            yield _handler(file, (*at, index), {}, handler, where)
            continue
        for number, each in enumerate(inner):
            yield _handler(file, (*at, index, "hooks", number), handler, each, where)


def _handler(file: ConfigFile, at: Keys, group: Any, handler: Any, where: Where[FlatHooks]) -> Found[Hook] | Diagnostic:
    event = str(at[-4 if group else -2])
    if not isinstance(handler, dict):
        return _misshapen(file, at, event, "a hook must be an object")
    kind = str(handler.get("type") or "command")
    fields = _SPEAKS.get(kind, where.options.commands)
    command = next((handler[field] for field in fields if isinstance(handler.get(field), str) and handler[field]), "")
    if not command:
        needed = " or ".join(f"`{field}`" for field in fields)
        return _misshapen(file, at, event, f"a hook of type `{kind}` needs a text {needed}")
    timeout = handler.get("timeoutSec", handler.get("timeout"))
    return where.found(
        Hook(
            event=event,
            matcher=handler.get("matcher", group.get("matcher")),
            command=command,
            path=file.path,
            dialect=where.options.dialect or where.harness_id,
            fields=handler,
            group=group,
            keys=at,
            type=kind,
            timeout=timeout,
            seconds=in_seconds(timeout),
        )
    )


def _misshapen(file: ConfigFile, at: Keys, event: str, message: str) -> Diagnostic:
    return FLAT_HOOK_SHAPE.at(file.path, message, place=file.place(*at), about=event)
