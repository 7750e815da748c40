"""What the user says about Codex' hooks, and guards in its files that cannot be read."""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.found import PROJECT, USER, Source
from pisces.discovery.state import WAITING
from pisces.gates.hooks.unread import GuardShape, unread_in, unreadable
from pisces.harnesses.codex import HARNESS, MANIFEST
from pisces.harnesses.codex.hook_files import EVENTS, handler_flaw
from pisces.harnesses.codex.layers import CONFIG, Layers
from pisces.harnesses.codex.states import review

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.discovery.harness import Run
    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.places import Places
    from pisces.shapes.hook import Hook

_HOOKS = "hooks.json"


def off_by(places: Places, run: Run) -> str:
    """Who switches off all hooks: the level of a config.toml. The user's word counts more than the project's."""
    layers = Layers(HARNESS, places, run)
    if layers.user and layers.user.part(("features", "hooks")) is False:
        return USER
    files = [layers.config(os.path.join(folder, ".codex", CONFIG)) for folder in layers.folders]
    return PROJECT if any(file and file.part(("features", "hooks")) is False for file in files) else ""


def waits(hook: Hook, places: Places, run: Run) -> str:
    """Why a hook of the user's waits for a review; empty if it does not. Codex asks for one before it runs a hook."""
    held = review(hook, run.once(("codex-hook-layers",), lambda: Layers(HARNESS, places, run)))
    return f"{held.reason}; {held.change}" if held is not None and held.name == WAITING else ""


def unread_guards(places: Places, run: Run) -> Iterator[LoadedHook]:
    """Of the user's `hooks.json`, and of those of the project: what those start is for our own trust to decide."""
    layers = Layers(HARNESS, places, run)
    files = [(USER, os.path.join(os.path.dirname(layers.user_path), _HOOKS))]
    files += [(PROJECT, os.path.join(layers.checked_out(folder), ".codex", _HOOKS)) for folder in layers.folders]
    for level, path in dict.fromkeys(files):
        yield from _unread_at(path, run, Source(HARNESS.id, HARNESS.label, path, level))


def unread_in_package(folder: str) -> Iterator[LoadedHook]:
    from pisces.discovery.harness import Run  # only here at run time

    path = os.path.join(folder, "hooks", _HOOKS)
    if not os.path.isfile(os.path.join(folder, *MANIFEST.split("/"))):
        return
    for each in _unread_at(path, Run(), Source(HARNESS.id, HARNESS.label, path, USER)):
        yield each.replace(folder=folder)


def _unread_at(path: str, run: Run, source: Source) -> Iterator[LoadedHook]:
    file = config_at(path, JSON, run)
    shape = GuardShape(HARNESS.id, EVENTS[0], _unrunnable)
    yield from unread_in(file, source, shape)
    bare = file.value.get(shape.event) if isinstance(file, ConfigFile) and isinstance(file.value, dict) else None
    for number, group in enumerate(bare if isinstance(bare, list) else ()):
        matcher = group.get("matcher") if isinstance(group, dict) else None
        flaw = f"`{shape.event}` must be inside `hooks`"
        yield unreadable(source, shape, (shape.event, number), flaw, matcher)


def _unrunnable(handler: Any) -> str:
    """A mistake by which nobody knows what to run. A bad time limit is none, and neither are types that run here."""
    kind = handler.get("type") if isinstance(handler, dict) else None
    if kind in ("http", "prompt", "agent"):
        return ""
    spoken = {"command": "command", "mcp_tool": "tool"}.get(str(kind), "")
    is_runnable = bool(spoken) and isinstance(handler.get(spoken), str) and bool(handler[spoken])
    return "" if is_runnable else handler_flaw(handler) or f"`{spoken}` is empty"
