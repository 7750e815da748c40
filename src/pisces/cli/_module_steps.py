"""What `pisces modules test` is asked to do, one step after another, and what the module did at each."""

from __future__ import annotations

import asyncio
import json
from difflib import get_close_matches

from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.gates.tool_calls import ToolGates, allows_tools
from pisces.modules.module_set import ModuleSet, NotRegistered
from pisces.shapes.events import EVENTS, SessionStart, event_named
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.gates.judge import Record
    from pisces.modules.headless import Headless
    from pisces.shapes.event import Event

EVENT = "event"
TOOL = "tool"
COMMAND = "command"
_USUAL = {"call_id": "call-1"}
_ROUNDS = 5  # passes of the event loop after each step, for what modules start and do not wait for
_WORDS = {"yes": True, "no": False}


class Done(Value):
    """One step: what was given, what came of it, and what else the module did. `error` where it could not be done."""

    kind: str
    name: str
    given: Any
    outcome: Mapping[str, Any]
    did: Mapping[str, Any]
    error: str = ""


class Driven:
    """Takes steps one after another and says what came of each, and what else the module did meanwhile."""

    def __init__(self, modules: ModuleSet, host: Headless, record: Record | None = None) -> None:
        self._modules = modules
        self._host = host
        asked_for = allows_tools("modules test", "you asked for the call")
        self._judge = ToolGates(modules.runner, [asked_for], record=record)

    async def start(self) -> Done:
        return await self._watched(EVENT, SessionStart.NAME, SessionStart())

    async def take(self, kind: str, text: str) -> Done:
        """`text` as it stands behind the option."""
        if kind == EVENT:
            event = event_in(text)
            return await self._watched(EVENT, event.NAME, event)
        if kind == TOOL:
            name, _, given = text.partition("=")
            return await self._watched(TOOL, name, fields_in(given, text))
        return await self._watched(kind, text, None)

    async def _watched(self, kind: str, name: str, given: Any) -> Done:
        before = _state(self._host)
        shown = {each: getattr(given, each) for each in given.__fields__} if kind == EVENT else given
        try:
            outcome, error = await self._outcome(kind, name, given), ""
        except NotRegistered as unknown:
            outcome, error = {}, str(unknown)
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)
        return Done(kind, name, shown, outcome, _news(before, _state(self._host)), error)

    async def _outcome(self, kind: str, name: str, given: Any) -> dict[str, Any]:
        if kind == EVENT:
            return changes(given, await self._modules.runner.emit(given))
        if kind == TOOL:
            result = await self._modules.call_tool(name, given, self._judge)
            details = {} if result.details is None else {"details": result.details}
            return {"text": result.text, "is_error": result.is_error, **details}
        answer = await (self._modules.run_command(name) if kind == COMMAND else self._modules.press(name))
        return {} if answer is None else {"returned": answer}


def event_in(text: str) -> Event:
    """`tool_call={"tool": "bash", ...}`, in the names of pi or in ours."""
    name, _, given = text.partition("=")
    kind = event_named(name)
    if kind is None:
        raise _refused(f"there is no event `{name}`", _like(name))
    fields = fields_in(given, text)
    usual = {field: value for field, value in _USUAL.items() if field in kind.__fields__}
    try:
        return kind(**{**usual, **fields})
    except TypeError as error:
        raise _refused(str(error), f"its fields: {', '.join(kind.__fields__)}") from error


def _like(name: str) -> str:
    every = [each.NAME for each in EVENTS]
    near = get_close_matches(name, [*every, *(each.__name__ for each in EVENTS)], 1)
    return f"did you mean `{near[0]}`?" if near else f"one of: {', '.join(sorted(every))}"


def fields_in(given: str, text: str) -> dict[str, Any]:
    try:
        fields = json.loads(given) if given else {}
    except ValueError as error:
        raise _refused(f"`{text}` is not NAME=JSON: {error}", _EXAMPLE) from error
    if not isinstance(fields, dict):
        raise _refused(f"`{text}` needs a JSON object", _EXAMPLE)
    return fields


def answer_in(text: str) -> Any:
    """yes and no, numbers and lists as JSON writes them, anything else as the text that it is."""
    if text in _WORDS:
        return _WORDS[text]
    try:
        return json.loads(text)
    except ValueError:
        return text


def flags_in(texts: Iterable[str]) -> dict[str, bool | str]:
    named = [text.partition("=") for text in texts]
    return {name.lstrip("-"): value if mark else True for name, mark, value in named}


def changes(before: Event, after: Event) -> dict[str, Any]:
    """Each field that handlers changed; of a mapping only the keys that differ."""
    found: dict[str, Any] = {}
    for field in before.__fields__:
        old, new = getattr(before, field), getattr(after, field)
        if isinstance(old, dict) and isinstance(new, dict):
            keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
            found.update({f"{field}.{key}": [old.get(key), new.get(key)] for key in keys})
        elif old != new:
            found[field] = [old, new]
    return found


def _state(host: Headless) -> dict[str, Any]:
    ui = host.ui
    return {
        "notices": [{"level": level, "text": text} for level, text in ui.notices],
        "asked": [{"kind": each.kind, "title": each.title, "answer": each.answer} for each in ui.asked],
        "drawn": [list(lines) for lines in ui.drawn],
        "titles": list(ui.titles),
        "statuses": dict(ui.statuses),
        "widgets": {key: list(lines) for key, lines in ui.widgets.items()},
        "sent": list(host.sent),
        "typed": list(host.typed),
        "entries": [entry for entry in host.session.entries() if entry.get("type") == "custom"],
        "controls": [{"action": action, **options} for action, options in host.controls],
        "updates": list(host.updates),
    }


def _news(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    news: dict[str, Any] = {}
    for name, now in after.items():
        then = before[name]
        if isinstance(now, dict):
            news[name] = {key: now.get(key) for key in {**then, **now} if then.get(key) != now.get(key)}
        else:
            news[name] = now[len(then) :]
    return {name: new for name, new in news.items() if new}


def _refused(message: str, hint: str) -> PiscesError:
    return PiscesError(Diagnostic("bad-step", ERROR, message, hint=hint))


_EXAMPLE = 'as in \'tool_call={"tool": "bash", "input": {"command": "ls"}}\''
