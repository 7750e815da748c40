"""Makes what a module registers in the sidecar into things of its `LoadedModule` whose calls go over the wire."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pisces.modules.loaded_module import LoadedModule, ModuleFlag, Provider, Renderer, Shortcut, SlashCommand
from pisces.modules.sidecar.link import Down, JavaScriptError
from pisces.modules.sidecar.wire import EVENTS, NEVER_SENT, camel, heard, said
from pisces.shapes.event import Event
from pisces.shapes.listener import Listener
from pisces.shapes.tool import Tool, ToolFailed

Ask = Callable[..., Awaitable[Mapping[str, Any]]]


class Unknown(Exception):
    """A module listens to an event that nobody sends."""


def register(kind: str, value: Mapping[str, Any], module: LoadedModule, ask: Ask) -> Any:
    """Puts the thing where it belongs and gives it back; `ask(what, args, update)` reaches the module."""
    return _KINDS[kind](value, module, ask)


def _listener(value: Mapping[str, Any], module: LoadedModule, ask: Ask) -> Any:
    name, number = str(value["event"]), value["handler"]
    kind = EVENTS.get(name)
    if kind is None:
        if name in NEVER_SENT:
            return None
        raise Unknown(f"listens to `{name}`, an event that does not exist here: it will never be called{_like(name)}")
    is_guard = kind.after_failure is not Event.after_failure

    async def call(event: Event) -> Event | None:
        try:
            answer = await ask("event", {"handler": number, "event": said(event, name), "guards": is_guard})
        except Down:
            if is_guard:
                raise
            return None  # that the sidecar is down has been reported once, by itself
        return heard(event, answer.get("value"), answer.get("changed") or {})

    listener = Listener(kind, call, module.path)
    module.handlers.append(listener)
    return listener


def _tool(value: Mapping[str, Any], module: LoadedModule, ask: Ask) -> Tool:
    name = str(value["name"])

    async def run(arguments: Mapping[str, Any], context: Any) -> Mapping[str, Any]:
        args = {"name": name, "call": getattr(context, "call_id", ""), "args": arguments}
        update = getattr(context, "update", None)
        try:
            answer = await ask("tool", args, (lambda part: update(_result(part))) if callable(update) else None)
        except JavaScriptError as error:  # throwing is how tools of pi and omp say that they failed
            raise ToolFailed(str(error)) from error
        return _result(answer.get("value"))

    parameters, hints = value.get("parameters") or {"type": "object"}, value.get("hints") or {}
    tool = Tool(name, str(value["description"]), parameters, run, module.path, str(value.get("label") or ""), hints)
    if value.get("prepares"):
        tool = tool.replace(prepare=_preparing(name, ask))
    module.add("tools", tool)
    drawn = ("call", "result")
    module.renderers[:] = [each for each in module.renderers if each.name != name or each.kind not in drawn]
    for kind in drawn:
        if value.get(kind):
            module.renderers.append(Renderer(kind, name, _draw(kind, {"name": name}, ask), module.path))
    return tool


def _preparing(name: str, ask: Ask) -> Callable[[Any], Awaitable[Any]]:
    async def prepare(arguments: Any) -> Any:
        try:
            return (await ask("prepare", {"name": name, "args": arguments})).get("value")
        except JavaScriptError as error:
            raise ToolFailed(str(error)) from error

    return prepare


def _like(name: str) -> str:
    letters = {"".join(filter(str.isalpha, each)): each for each in EVENTS}
    near = get_close_matches("".join(filter(str.isalpha, name.lower())), letters, 1)
    return f"; did you mean `{letters[near[0]]}`?" if near else ""


def _result(value: Any) -> Mapping[str, Any]:
    """What a tool gives back, in our spelling; a bare text is what it says."""
    if isinstance(value, str):
        return {"content": [{"type": "text", "text": value}], "details": None, "is_error": False}
    given = value if isinstance(value, dict) else {}
    is_error = bool(given.get("isError"))
    return {"content": given.get("content") or [], "details": given.get("details"), "is_error": is_error}


def _draw(kind: str, which: Mapping[str, Any], ask: Ask) -> Callable[..., Awaitable[Sequence[str] | None]]:
    async def draw(subject: Any, width: int = 80, **options: Any) -> Sequence[str] | None:
        """`options`: expanded, is_partial, is_error, call_id, args."""
        spelled = {camel(name): value for name, value in options.items()}
        args = {"kind": kind, **which, "subject": _as_theirs(kind, subject), "options": spelled, "width": width}
        async with asyncio.timeout(10):
            return (await ask("render", args)).get("value")

    return draw


def _as_theirs(kind: str, subject: Any) -> Any:
    if kind == "message" and isinstance(subject, dict):
        return {"role": "custom", "customType": subject.get("type", ""), **subject}
    if kind == "result" and isinstance(subject, dict) and "is_error" in subject:
        return {**subject, "isError": subject["is_error"]}
    return subject


def _command(value: Mapping[str, Any], module: LoadedModule, ask: Ask) -> SlashCommand:
    name = str(value["name"])

    async def run(args: str) -> Any:
        return (await ask("command", {"name": name, "args": args})).get("value")

    async def completions(prefix: str) -> Sequence[Any]:
        async with asyncio.timeout(10):
            return (await ask("complete", {"name": name, "prefix": prefix})).get("value") or ()

    completed = completions if value["completes"] else None
    return module.add("commands", SlashCommand(name, str(value["description"]), run, module.path, completed))


def _shortcut(value: Mapping[str, Any], module: LoadedModule, ask: Ask) -> Shortcut:
    key = str(value["key"])

    async def run() -> None:
        await ask("shortcut", {"key": key})

    return module.add("shortcuts", Shortcut(key.lower(), str(value["description"]), run, module.path))


def _flag(value: Mapping[str, Any], module: LoadedModule, _ask: Ask) -> ModuleFlag:
    flag = ModuleFlag(value["name"], value["description"], value["type"], value["default"], module.path)
    return module.add("flags", flag)


def _renderer(value: Mapping[str, Any], module: LoadedModule, ask: Ask) -> Renderer:
    draw = _draw(value["kind"], {"renderer": value["renderer"]}, ask)
    renderer = Renderer(value["kind"], value["name"], draw, module.path)
    module.renderers.append(renderer)
    return renderer


def _provider(value: Mapping[str, Any], module: LoadedModule, ask: Ask) -> Provider:
    """Functions of the config are functions here, too: `streamSimple` yields the events of the stream."""
    name, config = str(value["name"]), dict(value["config"])
    for path in value["functions"]:
        owner, _, method = path.rpartition(".")
        target = config
        if owner:
            target = config[owner] = dict(config.get(owner) or {})
        target[method] = _streaming(name, ask) if path == "streamSimple" else _calling(name, path, ask)
    return module.add("providers", Provider(name, config, module.path))


def _calling(name: str, path: str, ask: Ask) -> Callable[..., Awaitable[Any]]:
    async def call(*args: Any) -> Any:
        return (await ask("provider", {"name": name, "function": path, "args": args})).get("value")

    return call


def _streaming(name: str, ask: Ask) -> Callable[..., AsyncIterator[Any]]:
    async def stream(model: Any, context: Any, options: Mapping[str, Any] | None = None) -> AsyncIterator[Any]:
        events: asyncio.Queue[Any] = asyncio.Queue()
        end = object()
        args = {"name": name, "function": "streamSimple", "args": [model, context, dict(options or {})]}

        async def run() -> None:
            try:
                await ask("provider", args, events.put_nowait)
            finally:
                events.put_nowait(end)

        task = asyncio.create_task(run())
        try:
            while (event := await events.get()) is not end:
                yield event
            await task
        finally:
            task.cancel()

    return stream


def _no_provider(value: Mapping[str, Any], module: LoadedModule, _ask: Ask) -> None:
    module.providers.pop(value["name"], None)


def _label(value: Mapping[str, Any], module: LoadedModule, _ask: Ask) -> None:
    module.label = str(value["label"])


_KINDS: Mapping[str, Callable[[Mapping[str, Any], LoadedModule, Ask], Any]] = {
    "handler": _listener,
    "tool": _tool,
    "command": _command,
    "shortcut": _shortcut,
    "flag": _flag,
    "renderer": _renderer,
    "provider": _provider,
    "no-provider": _no_provider,
    "label": _label,
}
