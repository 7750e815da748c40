"""Gives each handler a copy of an event that nobody else has. One that a handler has not kept serves the next as well.

Whether it was kept shows in the number of references to it and to the containers in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from sys import getrefcount
from typing import Any

from pisces.shapes.event import Event


class PrivateCopies:
    """The copies of one event after another. A call that is under way elsewhere holds its copy, and so keeps it."""

    __slots__ = ("_event", "_given", "_input", "_nested", "_references")

    def __init__(self) -> None:
        self._event: Any = None
        self._given: Any = None
        self._input: Any = None
        self._nested: list[Any] = []
        self._references = 0

    def of(self, event: Event) -> Any:
        """Raises `NotJson` for what cannot be copied."""
        if event is not self._event or (self._given is not event and self._counted() != self._references):
            self._event = self._given = self._input = None
            self._nested = []
            self._given = event.detached()
            if self._given is not event:
                self._input = self._given.input
                self._nested = [*_containers(self._input)]
                self._references = self._counted()
            self._event = event
        return self._given

    def _counted(self) -> int:
        """References to the copy and its containers. Most inputs have no containers in them, and so cost no list."""
        found = getrefcount(self._given) + getrefcount(self._input)
        return found + sum(map(getrefcount, self._nested)) if self._nested else found


def _containers(outer: Any) -> Iterator[Any]:
    for each in outer.values() if isinstance(outer, dict) else outer:
        if isinstance(each, dict | list):
            yield each
            yield from _containers(each)
