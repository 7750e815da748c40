"""Who hears every event at last: the screen, the output for programs. One that fails is said and breaks nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.events.surroundings import Notification

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.session.options import Reader
    from pisces.shapes.event import Event

ERROR_NOTICE, END_NOTICE, COMPACTION_NOTICE = "error", "shutdown", "compaction"  # the `kind` of a notification


class Readers:
    def __init__(self, readers: Iterable[Reader]) -> None:
        self._readers = list(readers)
        self._failed: list[Reader] = []

    def add(self, reader: Reader) -> None:
        self._readers.append(reader)

    def remove(self, reader: Reader) -> None:
        self._readers.remove(reader)

    def show(self, event: Event) -> None:
        for reader in tuple(self._readers):
            try:
                reader(event)
            except Exception as error:  # noqa: BLE001  # a reader is code of the embedding program
                self._say(reader, f"a reader failed at {type(event).__name__}: {type(error).__name__}: {error}")

    def _say(self, reader: Reader, text: str) -> None:
        """Once for each: one that fails at each word would fill the others."""
        if reader not in self._failed:
            self._failed.append(reader)
            self.show(Notification(text, kind=ERROR_NOTICE))
