"""What the sidecar knows of the session, and how little has to be said to keep it true.

Getters of pi and omp answer at once, so the sidecar has a copy. Before each call it gets what has changed since the
last one; entries as "keep so many, add these", because sessions only grow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pisces.modules.actions import Actions
from pisces.modules.api import Wiring
from pisces.shapes.tool import Tool

_UNSAID = object()


class Mirror:
    """One for each process that is started: it begins with nothing said."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self._said: dict[str, Any] = {}
        self._entries: list[Any] = []
        self._tools: Sequence[Tool] = ()
        self.appended = 0  # how many entries the sidecar appended through us

    def forget(self, name: str) -> None:
        """The sidecar has changed its own copy: say it again, the host may have decided otherwise."""
        self._said[name] = _UNSAID

    def change(self) -> dict[str, Any]:
        """What is new since the last time."""
        actions = self._wiring.actions
        if actions is None:
            return self._new({"bound": False, "cwd": self._wiring.cwd, "flags": dict(self._wiring.flag_values)})
        change = self._new(self._plain(actions))
        self._add_tools(change, actions)
        self._add_entries(change, actions)
        return change

    def _plain(self, actions: Actions) -> dict[str, Any]:
        session, ui = actions.session, actions.ui
        model = actions.model
        return {
            "bound": True,
            "cwd": actions.cwd,
            "flags": dict(self._wiring.flag_values),
            "hasUI": ui.is_available,
            "idle": actions.is_idle,
            "completes": model is not None,
            "model": model,
            "models": [model] if model else [],
            "systemPrompt": actions.system_prompt,
            "activeTools": list(actions.active_tools()),
            "thinkingLevel": actions.thinking_level(),
            "usage": actions.context_usage(),
            "session": {"id": session.id, "file": session.file, "name": session.name},
            "editorText": ui.editor_text(),
            "appended": self.appended,
        }

    def _new(self, now: Mapping[str, Any]) -> dict[str, Any]:
        said = self._said
        change = {name: value for name, value in now.items() if said.get(name, _UNSAID) != value}
        said.update(change)
        return change

    def _add_tools(self, change: dict[str, Any], actions: Actions) -> None:
        tools = actions.all_tools()
        if len(tools) == len(self._tools) and all(a is b for a, b in zip(tools, self._tools, strict=True)):
            return
        self._tools = tuple(tools)
        change["allTools"] = [
            {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
                "sourceInfo": {"path": tool.module, "source": tool.module or "builtin"},
            }
            for tool in tools
        ]

    def _add_entries(self, change: dict[str, Any], actions: Actions) -> None:
        entries, branch = actions.session.entries(), actions.session.branch()
        keep = _common(self._entries, entries)
        if keep != len(self._entries) or keep != len(entries):
            added = list(entries[keep:])
            change["entries"] = {"keep": keep, "add": added}
            self._entries[keep:] = added
        change.update(self._new({"branch": _positions(branch, entries)}))


def _common(said: Sequence[Any], now: Sequence[Any]) -> int:
    """How many entries at the start are the same. Where the last one said is still in its place, all before it are."""
    length = len(said)
    if not length:
        return 0
    if length <= len(now) and now[length - 1] is said[-1] and now[0] is said[0]:
        return length
    for position, (before, after) in enumerate(zip(said, now, strict=False)):
        if before is not after and before != after:
            return position
    return min(length, len(now))


def _positions(branch: Sequence[Any], entries: Sequence[Any]) -> list[int] | None:
    """Where the branch goes along; None where it is everything."""
    if len(branch) == len(entries):
        return None
    places = {_key(entry): position for position, entry in enumerate(entries)}
    return [places[_key(entry)] for entry in branch if _key(entry) in places]


def _key(entry: Mapping[str, Any]) -> Any:
    return entry.get("id") or id(entry)
