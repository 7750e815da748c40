"""What waits for the agent: messages that it reads before its next request, and lines for when it is done."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pisces.shapes.message import BY_USER, ChatMessage, ImagePart, TextPart
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class QueuedLine(Value):
    """`message` is set for what a module sends: it is no line of the user, and no command in it is run."""

    text: str
    more: tuple[TextPart | ImagePart, ...] = ()
    message: ChatMessage | None = None


class Pending:
    """`changed` is called after each change."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._steered: deque[ChatMessage] = deque()
        self._lines: deque[QueuedLine] = deque()

    @property
    def steered(self) -> tuple[str, ...]:
        return tuple(each.text for each in self._steered)

    @property
    def queued(self) -> tuple[str, ...]:
        return tuple(each.text for each in self._lines)

    def steer(self, message: ChatMessage) -> None:
        self._steered.append(message)
        self._changed()

    def add(self, line: QueuedLine) -> None:
        self._lines.append(line)
        self._changed()

    def take_steered(self) -> Sequence[ChatMessage]:
        taken = tuple(self._steered)
        self._steered.clear()
        if taken:
            self._changed()
        return taken

    def take_line(self) -> QueuedLine | None:
        """The oldest."""
        return self._taken(self._lines.popleft) if self._lines else None

    def last_line(self) -> QueuedLine | None:
        """The newest, which the user wants to edit."""
        return self._taken(self._lines.pop) if self._lines else None

    def _taken(self, take: Callable[[], QueuedLine]) -> QueuedLine:
        taken = take()
        self._changed()
        return taken

    def requeue_steered(self) -> None:
        """The agent has ended before it read them: they come first when it works again."""
        if self._steered:
            lines = [QueuedLine(each.text, message=each) for each in self._steered]
            self._steered.clear()
            self._lines.extendleft(reversed(lines))
            self._changed()


def user_message(text: str, more: Sequence[TextPart | ImagePart] = ()) -> ChatMessage:
    return ChatMessage(BY_USER, ((TextPart(text),) if text else ()) + tuple(more))
