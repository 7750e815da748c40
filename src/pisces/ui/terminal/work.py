"""Lines of the user, one after the other: the one that is worked on, and those that wait for it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from pisces.agent.failures import hint_of
from pisces.agent.loop import DONE
from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.models.wire import ModelFailed
from pisces.ui.terminal.pastes import SentLine

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pisces.session.session import Answered, Session
    from pisces.ui.terminal.conversation import Conversation

_WHY = {
    "turns": "the limit of turns is met",
    "cost": "the limit of costs is met",
    "length": "the answer was cut: it got too long",
}


class Work:
    """`run_own` runs a line that is not for the agent (`/name` of the program, `!command`) and says whether it was one.

    Lines wait until there is a session.
    """

    def __init__(self, conversation: Conversation, run_own: Callable[[Session, str], Awaitable[bool]]) -> None:
        self._conversation, self._run_own = conversation, run_own
        self._queue: deque[SentLine] = deque()
        self._session: Session | None = None
        self._task: asyncio.Task[None] | None = None
        self.changed: Callable[[], object] = tuple
        self.typed: Callable[[str], None] = conversation.typed

    @property
    def is_working(self) -> bool:
        return self._task is not None

    @property
    def waits(self) -> tuple[str, ...]:
        return tuple(line.shown or line.text for line in self._queue)

    def begin(self, session: Session) -> None:
        self._session = session
        self._next()

    def submit(self, line: SentLine) -> None:
        """At once, or when what is worked on has ended."""
        self._queue.append(line)
        self._next()
        self.changed()

    def steer(self, line: SentLine) -> None:
        """To the running agent, before its next request."""
        if self._session is None or self._session.is_idle or line.text.startswith(("/", "!")):
            self.submit(line)
            return
        self._conversation.steered(line.text)
        self._session.steer(line.text, line.images)

    def take_back(self) -> SentLine | None:
        """The line that was queued last, to be edited."""
        line = self._queue.pop() if self._queue else None
        self.changed()
        return line

    def interrupt(self) -> bool:
        """Ends what is under way; whether there was something."""
        return self._task is not None and self._task.cancel()

    async def finished(self) -> None:
        """All lines have been worked on."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def end(self) -> None:
        self._queue.clear()
        task = self._task
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    def _next(self) -> None:
        if self._task is None and self._session is not None and self._queue:
            self._task = asyncio.ensure_future(self._worked(self._session, self._queue.popleft()))

    async def _worked(self, session: Session, line: SentLine) -> None:
        conversation = self._conversation
        self.typed(line.shown or line.text)
        try:
            if not await self._run_own(session, line.text):
                self._show(await session.submit(line.text, line.images))
        except asyncio.CancelledError:
            conversation.stopped()
        except ModelFailed as failed:
            again = "nothing is lost: send a line to try again" if failed.is_passing else ""
            conversation.problem(str(failed), hint_of(failed) or again)
        except PiscesError as error:
            at_screen = export_of("pisces.ui.terminal", "unknown_name", "at_screen")
            conversation.failure(at_screen(error.diagnostic, line.text), session.places)
        except Exception as error:  # noqa: BLE001  # commands of modules run in it: none may take the screen down
            conversation.problem(f"{type(error).__name__}: {error}")
        finally:
            conversation.settled()
            self._task = None
            self._next()
            self.changed()

    def _show(self, answered: Answered) -> None:
        submitted, end, conversation = answered.submitted, answered.end, self._conversation
        if submitted.blocked:
            conversation.problem(f"blocked: {submitted.blocked}")
        if submitted.output is not None:
            conversation.output(submitted.output.stdout)
            conversation.output(submitted.output.stderr)
            if submitted.output.problem is not None:
                conversation.problem(submitted.output.problem.message, submitted.output.problem.hint)
        if isinstance(submitted.answer, str):
            conversation.output(submitted.answer)
        if end is not None and end.ended != DONE:
            conversation.note(f"ended: {end.why or _WHY.get(end.ended, end.ended)}", "warn")
