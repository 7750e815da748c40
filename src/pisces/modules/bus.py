"""How modules talk to each other: a topic and any value, delivered to everybody who listens, in order."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from pisces.events.emit import Report, error_text
from pisces.events.time_limit import acting_as, is_failure
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.tasks import Tasks
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.value import Value


class Bus:
    """A listener that breaks is reported and loses nobody else the message; one that waits goes on by itself."""

    __slots__ = ("_depth", "_listeners", "_report", "_tasks")

    def __init__(self, report: Report, tasks: Tasks) -> None:
        self._listeners: dict[str, list[_Listening]] = {}
        self._depth = 0  # messages that were sent by listeners to messages
        self._report = report
        self._tasks = tasks

    def on(self, topic: str, listener: Callable[[Any], Any], owner: LoadedModule | None = None) -> Callable[[], None]:
        """Gives back the function that ends it."""
        listeners = self._listeners.setdefault(topic, [])
        listening = _Listening(listener, owner)
        listeners.append(listening)

        def end() -> None:
            listeners[:] = [each for each in listeners if each is not listening]

        return end

    def emit(self, topic: str, value: Any = None) -> None:
        self._depth += 1
        try:
            for each in tuple(self._listeners.get(topic, ())):
                with acting_as(each.path, self._report):
                    self._deliver(topic, value, each)
        finally:
            self._depth -= 1

    def of(self, module: LoadedModule) -> BusOf:
        return BusOf(self, module)

    def sweep(self, generations: Mapping[str, int]) -> None:
        """What was left here by modules that do not live any more is gone."""
        for listeners in self._listeners.values():
            listeners[:] = [each for each in listeners if each.is_alive(generations)]

    def clear(self) -> None:
        self._listeners.clear()

    def _deliver(self, topic: str, value: Any, to: _Listening) -> None:
        try:
            answer = to.listener(value)
        except BaseException as error:  # the border with a module's own code
            is_endless = isinstance(error, RecursionError) and self._depth > 1  # reported once, by the first message
            if is_endless or not is_failure(error):
                raise
            self._report(ModuleFailed(to.path, f"bus {topic}", error_text(error)))
        else:
            if inspect.isawaitable(answer):
                self._tasks.start(answer, to.path or f"bus {topic}")


class BusOf:
    """The bus in the hands of one module: what it leaves there goes with it."""

    __slots__ = ("_bus", "_module")

    def __init__(self, bus: Bus, module: LoadedModule) -> None:
        self._bus = bus
        self._module = module

    def on(self, topic: str, listener: Callable[[Any], Any]) -> Callable[[], None]:
        return self._bus.on(topic, listener, self._module)

    def emit(self, topic: str, value: Any = None) -> None:
        self._bus.emit(topic, value)


class _Listening(Value):
    listener: Callable[[Any], Any]
    owner: LoadedModule | None

    @property
    def path(self) -> str:
        return self.owner.path if self.owner else ""

    def is_alive(self, generations: Mapping[str, int]) -> bool:
        return self.owner is None or generations.get(self.owner.path) == self.owner.generation
