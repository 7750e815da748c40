"""Runs modules with no model and no screen: questions get prepared answers, else no; everything they do is recorded.

    host = Headless(cwd)
    async with open_headless(entries, host, report) as modules:
        await modules.runner.emit(SessionStart())

It implements the one protocol that modules act through (`pisces.modules.actions`), so what works here works in the
agent.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from pisces.events.emit import Report
from pisces.modules.actions import UiComponent
from pisces.modules.entry import ModuleEntry
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.module_set import ModuleOptions, ModuleSet, open_modules
from pisces.shapes.events.tools import ToolExecutionUpdate
from pisces.shapes.listener import Listener
from pisces.shapes.tool import Tool
from pisces.value import Value

WIDTH = 80
_MOST_KEYS = 10_000
_LAST = -1_000_000

SCRIPTED_MODEL = {"provider": "scripted", "id": "scripted-1", "name": "Scripted"}  # for modules that read its name


class Asked(Value):
    """One question to the user, and what was answered."""

    kind: str
    title: str
    about: Any
    answer: Any


class HeadlessUi:
    """`answers` are given in order: True or False to confirm, a text to select, input and editor, keys to custom."""

    def __init__(self, answers: Iterable[Any]) -> None:
        self._answers = iter(answers)
        self.is_available = True
        self.notices: list[tuple[str, str]] = []
        self.asked: list[Asked] = []
        self.statuses: dict[str, str] = {}
        self.widgets: dict[str, tuple[str, ...]] = {}
        self.titles: list[str] = []
        self.working_messages: list[str | None] = []
        self.text = ""
        self.drawn: list[tuple[str, ...]] = []

    def notify(self, message: str, level: str = "info") -> None:
        self.notices.append((level, message))

    async def confirm(self, title: str, message: str, timeout: float | None = None) -> bool:  # noqa: ARG002
        return bool(self._answered("confirm", title, message, default=False))

    async def select(self, title: str, options: Sequence[str], timeout: float | None = None) -> str | None:  # noqa: ARG002
        answer = self._answered("select", title, tuple(options))
        if isinstance(answer, int) and not isinstance(answer, bool):
            return options[answer]
        return answer if answer is None else str(answer)

    async def input(self, title: str, placeholder: str = "", timeout: float | None = None) -> str | None:  # noqa: ARG002
        answer = self._answered("input", title, placeholder)
        return answer if answer is None else str(answer)

    async def editor(self, title: str, text: str = "") -> str | None:
        answer = self._answered("editor", title, text)
        return answer if answer is None else str(answer)

    async def custom(self, component: UiComponent) -> Any:
        """Draws the component, types the keys of the next answer one after another, and gives back its result."""
        self.drawn.append(tuple(await component.render(WIDTH)))
        if component.is_done:
            return component.result
        keys = self._answered("custom", "", None) or ()
        for key in itertools.islice(keys, _MOST_KEYS):
            if component.is_done:
                break
            await component.key(key)
            self.drawn.append(tuple(await component.render(WIDTH)))
        return component.result if component.is_done else None

    def status(self, key: str, text: str | None) -> None:
        _put(self.statuses, key, text)

    def widget(self, key: str, lines: Sequence[str] | None, placement: str = "aboveEditor") -> None:  # noqa: ARG002
        _put(self.widgets, key, None if lines is None else tuple(lines))

    def title(self, text: str) -> None:
        self.titles.append(text)

    def working(self, message: str | None) -> None:
        self.working_messages.append(message)

    def editor_text(self) -> str:
        return self.text

    def set_editor_text(self, text: str) -> None:
        self.text = text

    def _answered(self, kind: str, title: str, about: Any, default: Any = None) -> Any:
        answer = next(self._answers, default)
        self.asked.append(Asked(kind, title, about, answer))
        return answer


class HeadlessTranscript:
    """Entries as they stand in a transcript: a type, an id, and what it holds."""

    def __init__(self, entries: Iterable[Mapping[str, Any]]) -> None:
        self._entries: list[Mapping[str, Any]] = list(entries)
        self.id = "headless"
        self.file = ""
        self.name = ""
        self.labels: dict[str, str | None] = {}

    def entries(self) -> Sequence[Mapping[str, Any]]:
        return tuple(self._entries)

    def branch(self) -> Sequence[Mapping[str, Any]]:
        return tuple(self._entries)

    def add(self, entry: Mapping[str, Any]) -> None:
        self._entries.append({"id": f"entry-{len(self._entries) + 1}", **entry})

    def set_name(self, name: str) -> None:
        self.name = name

    def label(self, entry_id: str, label: str | None) -> None:
        self.labels[entry_id] = label


class Headless:
    """What modules did is in `sent`, `typed`, `controls`, `updates` and in `ui` and `session`."""

    def __init__(self, cwd: str, answers: Iterable[Any] = (), entries: Iterable[Mapping[str, Any]] = ()) -> None:
        self.ui = HeadlessUi(answers)
        self.session = HeadlessTranscript(entries)
        self.cwd = cwd
        self.is_idle = True
        self.model: Mapping[str, Any] | None = None
        self.system_prompt = ""
        self.sent: list[Mapping[str, Any]] = []
        self.typed: list[Any] = []
        self.controls: list[tuple[str, Mapping[str, Any]]] = []
        self.updates: list[Any] = []
        self.tools: Callable[[], Sequence[Tool]] = tuple
        self._active: list[str] | None = None
        self._thinking = "off"

    def send_message(self, message: Mapping[str, Any], *, deliver_as: str = "", trigger_turn: bool = False) -> None:
        self.sent.append({**message, "deliver_as": deliver_as, "trigger_turn": trigger_turn})
        self.session.add({"type": "custom_message", **message})

    def send_user_message(self, content: Any, *, deliver_as: str = "") -> None:  # noqa: ARG002
        self.typed.append(content)
        self.session.add({"type": "message", "message": {"role": "user", "content": content}})

    def append_entry(self, kind: str, value: Any) -> None:
        self.session.add({"type": "custom", "customType": kind, "data": value})

    async def set_model(self, model: Any) -> bool:
        self.model = model if isinstance(model, dict) else {"id": str(model)}
        return True

    def all_tools(self) -> Sequence[Tool]:
        return self.tools()

    def active_tools(self) -> Sequence[str]:
        return [tool.name for tool in self.tools()] if self._active is None else list(self._active)

    def set_active_tools(self, names: Sequence[str]) -> None:
        self._active = list(names)

    def thinking_level(self) -> str:
        return self._thinking

    def set_thinking_level(self, level: str) -> None:
        self._thinking = level

    def context_usage(self) -> Mapping[str, Any] | None:
        return {"tokens": 0, "contextWindow": 100_000, "percent": 0.0}

    async def complete(
        self,
        model: Any,  # noqa: ARG002
        context: Mapping[str, Any],  # noqa: ARG002
        options: Mapping[str, Any],  # noqa: ARG002
    ) -> Mapping[str, Any] | None:
        return None

    def abort(self) -> None:
        self.controls.append(("abort", {}))

    def shutdown(self) -> None:
        self.controls.append(("shutdown", {}))

    def compact(self, instructions: str = "") -> None:
        self.controls.append(("compact", {"instructions": instructions}))

    async def control(self, action: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
        self.controls.append((action, dict(options)))
        return {"cancelled": False}


@asynccontextmanager
async def open_headless(
    entries: Iterable[ModuleEntry], host: Headless, report: Report, options: ModuleOptions | None = None
) -> AsyncIterator[ModuleSet]:
    """The modules of these entries, loaded and bound to `host`. Whether an entry may run was decided before."""
    async with open_modules(entries, host, report, options) as modules:
        record_in(host, modules)
        yield modules


def record_in(host: Headless, modules: ModuleSet) -> None:
    """From now on `host` lists the tools of these modules and has the updates of their calls."""
    host.tools = lambda: tuple(modules.runner.tools.values())
    modules.runner.add([_recorder(host.updates)])


def _recorder(updates: list[Any]) -> LoadedModule:
    recorder = LoadedModule("", "headless", 0)
    recorder.handlers.append(
        Listener(ToolExecutionUpdate, lambda event: updates.append(event.partial_result), "", _LAST)
    )
    return recorder


def _put(recorded: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        recorded.pop(key, None)
    else:
        recorded[key] = value
