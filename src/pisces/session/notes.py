"""What hooks say to the user beside their decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.events.surroundings import Notification
from pisces.shapes.note import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.shapes.note import Note

HOOK_MESSAGE = "hook_message"


def shown_messages(notes: Iterable[Note]) -> tuple[Notification, ...]:
    """For readers alone: hooks that fire at a notification are for questions, not for what other hooks say."""
    found = (note for note in notes if note.kind == MESSAGE and note.text)
    return tuple(Notification(note.text, note.who, HOOK_MESSAGE) for note in found)
