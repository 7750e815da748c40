"""The three formats of `pisces -p`. Each hears every event of the session, and how it ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.formats.visible import visible
from pisces.models.wire import TextDelta
from pisces.processes.clean import Cleaner, cleaned
from pisces.shapes.events.agent import AgentStart, MessageEnd, MessageUpdate
from pisces.shapes.events.provider import AutoRetryStart
from pisces.shapes.events.surroundings import ModuleFailed, Notification
from pisces.shapes.events.tools import ToolExecutionEnd, ToolExecutionStart
from pisces.ui.module_failures import ModuleFailures
from pisces.ui.width import cut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.shapes.event import Event
    from pisces.ui.print.denials import Denial
    from pisces.ui.print.outcome import PrintOutcome
    from pisces.ui.screen import Screen


class TextPrinter:
    """The last answer, at the end. In a terminal everything that the model says, as it comes."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._cleaner = Cleaner()
        self._is_open = False  # a line without its end
        self._has_said = False

    def begin(self, facts: Mapping[str, Any]) -> None: ...

    def heard(self, event: Event) -> None:
        if not self._screen.is_terminal:
            return
        if isinstance(event, MessageUpdate) and isinstance(event.delta, TextDelta):
            self._say(self._cleaner.clean(event.delta.text.encode("utf-8", "replace")).decode())
        elif isinstance(event, MessageEnd | AutoRetryStart | Notification):
            self._end_line()

    def _say(self, text: str) -> None:
        if text:
            self._screen.piece(text)
            self._is_open, self._has_said = not text.endswith("\n"), True

    def _end_line(self) -> None:
        self._say(self._cleaner.end().decode())
        if self._is_open:
            self._say("\n")

    def end(self, outcome: PrintOutcome, _denied: tuple[Denial, ...]) -> None:
        self._end_line()
        if not self._has_said and outcome.end.text:
            text = cleaned(outcome.end.text)
            self._screen.piece(text if text.endswith("\n") else f"{text}\n")


class JsonPrinter:
    """One object at the end."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def begin(self, facts: Mapping[str, Any]) -> None: ...
    def heard(self, event: Event) -> None: ...

    def end(self, outcome: PrintOutcome, denied: tuple[Denial, ...]) -> None:
        self._screen.json(outcome.as_json(denied))


class LinesPrinter:
    """Each event as one line, at once. The session comes first: what happens while it is opened waits for it."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._early: list[Event] | None = []
        self._event_json = export_of("pisces.ui.print", "event_json", "event_json")

    def begin(self, facts: Mapping[str, Any]) -> None:
        self._line({"type": "session", **facts})
        early, self._early = self._early or (), None
        for event in early:
            self.heard(event)

    def heard(self, event: Event) -> None:
        if self._early is not None:
            self._early.append(event)
            return
        value = self._event_json(event)
        if value is not None:
            self._line(value)

    def end(self, outcome: PrintOutcome, denied: tuple[Denial, ...]) -> None:
        self._line(outcome.as_json(denied))

    def _line(self, value: Mapping[str, Any]) -> None:
        self._screen.piece(json.dumps(value, separators=(",", ":"), default=str) + "\n")


class ProgressLine:
    """On stderr, if that is a terminal: what runs now. What hooks and modules say to the user goes there always.

    `command` is the one that was typed: why it failed is the end of the run, and said there.
    """

    def __init__(self, screen: Screen, model: str, command: str) -> None:
        self._screen, self._model, self._command = screen, model, command
        self._running: dict[str, str] = {}
        self._failures = ModuleFailures()

    def heard(self, event: Event) -> None:
        if isinstance(event, Notification):
            self._screen.note(visible(event.message))
        elif isinstance(event, ModuleFailed):
            words = self._failures.words(event)
            if words and event.event != self._command:
                self._screen.note(words)
        elif isinstance(event, AutoRetryStart):
            self._screen.note(f"{visible(event.error)}; trying again in {event.delay:.1f} s")
        if not self._screen.err_is_terminal:
            return
        if isinstance(event, ToolExecutionStart):
            self._running[event.call_id] = visible(" ".join((event.tool, *map(str, event.args.values()))))
        elif isinstance(event, ToolExecutionEnd):
            self._running.pop(event.call_id, None)
        elif not isinstance(event, AgentStart):
            return
        self._show(" · ".join(self._running.values()) or f"{self._model} works")

    def _show(self, text: str) -> None:
        self._screen.progress(cut(text, self._screen.err_width - 1) if self._screen.err_width else text)

    def end(self) -> None:
        if self._screen.err_is_terminal:
            self._screen.progress("")
