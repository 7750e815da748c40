"""What a session works on: one message at a time, and what is queued meanwhile behind it."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

from pisces.agent.failures import kind_of
from pisces.agent.loop import COST, STOPPED, TURNS, LoopEnd, run
from pisces.agent.tool_results import stop_in
from pisces.agent.transcript_entry import NOTICE
from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.models.wire import ModelFailed
from pisces.session.mentioned_files import with_files
from pisces.session.prompt_run import PromptRun
from pisces.session.readers import ERROR_NOTICE
from pisces.shapes.events.agent import AgentEnd, AgentSettled, AgentStart
from pisces.shapes.events.session import Interrupted, StopFailed
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.message import BY_USER, ChatMessage, ImagePart, TextPart
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.host.submitting import Submitted
    from pisces.session.pending import QueuedLine
    from pisces.session.session import Session
    from pisces.shapes.prompt import Part

_ENDS_ALL = (TURNS, COST, STOPPED)  # after these, what is queued waits for the user


class Answered(Value):
    """What came of a line. `submitted` is what the host made of it; `end` how the last run of the agent ended, if there
    was one: what modules queued meanwhile is answered, too.
    """

    submitted: Submitted
    end: LoopEnd | None = None


class SessionWork:
    """The agent is idle while it works on no message; a command may be under way all the same."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._one_at_a_time = asyncio.Lock()
        self._idle = asyncio.Event()
        self._idle.set()
        self._agent: asyncio.Task[Any] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._has_worked = False
        self._notices: list[str] = []  # for the transcript, once there is a conversation

    @property
    def is_idle(self) -> bool:
        return self._idle.is_set()

    async def wait_for_idle(self) -> None:
        await self._idle.wait()

    def cancel_agent(self) -> bool:
        return self._agent is not None and self._agent.cancel()

    def cancel(self) -> bool:
        """Ends what is under way; whether there was something. What is queued stays."""
        if self._agent is not None:
            return self.cancel_agent()
        cancelled = [each.cancel() for each in self._tasks]
        return any(cancelled)

    async def line(self, line: QueuedLine) -> Answered:
        """The line, then what was queued meanwhile."""
        task = asyncio.current_task()
        assert task is not None, "it is awaited"
        self._tasks.add(task)
        try:
            answered = await self._answered(line)
            while self.is_idle and not (answered.end and answered.end.ended in _ENDS_ALL):
                following = self._session.pending.take_line()
                if following is None:
                    break
                answered = answered.replace(end=await self._followed(following) or answered.end)
            return answered
        finally:
            self._tasks.discard(task)
            if self.is_idle and self._has_worked:
                self._has_worked = False
                await self._session.emit(AgentSettled())

    def start_queued(self) -> None:
        """Starts at once if nothing is running; otherwise the running task takes it next."""
        if self.is_idle and not self._tasks:
            self._session.start_beside(self._drained())

    async def _drained(self) -> None:
        """Nobody waits for these, so what fails is said to the readers."""
        line = self._session.pending.take_line()
        try:
            if line is not None:
                await self.line(line)
        except (PiscesError, ModelFailed) as error:
            self._session.show(Notification(str(error), kind=ERROR_NOTICE))

    async def _followed(self, line: QueuedLine) -> LoopEnd | None:
        """A queued line that cannot be done is said, and does not keep the next one from its work."""
        try:
            return (await self._answered(line)).end
        except PiscesError as error:
            self._session.show(Notification(str(error), kind=ERROR_NOTICE))
            return None

    async def _answered(self, line: QueuedLine) -> Answered:
        session = self._session
        if line.message is not None:
            nothing: Submitted = export_of("pisces.host", "submitting", "Submitted")()
            return Answered(nothing, await self.message(line.message))
        submitted = await session.host.submit(line.text)
        session.hear(submitted.notes)
        if submitted.prompt is None:
            self._notices.extend(filter(None, (_notice(line.text, submitted),)))
            if session.transcript.messages:
                self._store_notices()
            return Answered(submitted)
        stop = stop_in(submitted.notes)
        if stop:
            return Answered(submitted, LoopEnd(STOPPED, why=stop))
        prompt = await with_files(submitted.prompt, line.text, session.places)
        parts = (*map(message_part, prompt.parts), *line.more)
        said = tuple(part for part in parts if not isinstance(part, TextPart) or part.text.strip())
        submitted = submitted.replace(prompt=prompt)
        if not said:  # providers refuse a message without a word
            return Answered(submitted)
        note = session.delegation.note(line.text)
        if note:
            session.add_context(note)
        return Answered(submitted, await self.message(ChatMessage(BY_USER, said), line.text))

    def _store_notices(self) -> None:
        """What commands said to the user. A session that has run nothing but commands is not stored."""
        while self._notices:
            self._session.transcript.append(NOTICE, {"text": self._notices.pop(0)})

    async def message(self, message: ChatMessage, line: str = "") -> LoopEnd:
        """The agent works on a message, after what it works on now."""
        self._session.need_model()
        async with self._one_at_a_time:
            self._agent, self._has_worked = asyncio.current_task(), True
            self._idle.clear()
            self._store_notices()
            try:
                return await self._worked(PromptRun(self._session, message, line))
            finally:
                self._agent = None
                self._idle.set()

    async def _worked(self, prompt: PromptRun) -> LoopEnd:
        """However it ends, `AgentEnd` says so."""
        session = self._session
        try:
            await prompt.begin()
            await session.emit(AgentStart())
            return await run(prompt.actions, session.options.limits)
        except asyncio.CancelledError:
            await session.emit(Interrupted())
            raise
        except ModelFailed as failed:
            await session.emit(StopFailed(kind_of(failed), str(failed), prompt.last_text))
            raise
        finally:
            prompt.store_rest()
            session.pending.requeue_steered()
            await session.emit(AgentEnd(tuple(prompt.stored), will_continue=bool(session.pending.queued)))

    async def close(self) -> None:
        tasks = [each for each in self._tasks if each is not asyncio.current_task()]
        for each in tasks:
            each.cancel()
        if tasks:
            await asyncio.wait(tasks)


def _notice(line: str, submitted: Submitted) -> str:
    """What came of a command that needs no model; empty where it said nothing."""
    output, answer = submitted.output, submitted.answer
    said = output.stdout + output.stderr if output is not None else answer if isinstance(answer, str) else ""
    said = f"blocked: {submitted.blocked}" if submitted.blocked else said
    return f"{line}\n{said.rstrip()}" if said.strip() else ""


def message_part(part: Part) -> TextPart | ImagePart:
    """A part of a prompt as a model gets it."""
    if not part.data:
        return TextPart(part.text)
    return ImagePart(part.mime, base64.b64encode(part.data).decode())
