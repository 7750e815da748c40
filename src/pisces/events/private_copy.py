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

    __slots__ = ("_event", "_given", "_parts", "_references")

    def __init__(self) -> None:
        self._event: Any = None
        self._given: Any = None
        self._parts: list[Any] = []
        self._references = 0

    def of(self, event: Event) -> Any:
        """Raises `NotJson` for what cannot be copied."""
        if event is not self._event or (self._parts and sum(map(getrefcount, self._parts)) != self._references):
            self._event = self._given = None
            self._given = event.detached()
            self._parts = [self._given, *_containers(self._given.input)] if self._given is not event else []
            self._references = sum(map(getrefcount, self._parts))
            self._event = event
        return self._given


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for each in value.values() if isinstance(value, dict) else value:
            if isinstance(each, dict | list):
                yield from _containers(each)
