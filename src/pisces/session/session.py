"""`Session`: our own agent. A line goes in, the agent works until it is done, and every event is heard by readers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from pisces.agent.loop import LoopEnd
from pisces.agent.prompt import system_prompt
from pisces.agent.tool_results import context_in
from pisces.agent.transcript import new_transcript
from pisces.agent.transcript_entry import SPENT
from pisces.by_name import export_of
from pisces.diagnostics import ERROR
from pisces.host.host import Host
from pisces.models.model import cost_of
from pisces.models.wire import Usage
from pisces.session.delegation import Delegation
from pisces.session.editor import EditorLink
from pisces.session.event_messages import heard_by_modules, said_to_modules
from pisces.session.hosting import opened_host
from pisces.session.models import SessionModels
from pisces.session.notes import shown_messages
from pisces.session.options import options_for
from pisces.session.pending import Pending, QueuedLine, user_message
from pisces.session.prompt_run import CUT_ANSWER
from pisces.session.readers import COMPACTION_NOTICE, END_NOTICE, ERROR_NOTICE, Readers
from pisces.session.usage import UsageCount
from pisces.session.work import Answered as Answered, SessionWork
from pisces.shapes.events.agent import QueueUpdate
from pisces.shapes.events.session import SessionStart
from pisces.shapes.events.surroundings import CwdChanged, Notification
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.message import ChatMessage, ImagePart, TextPart

if TYPE_CHECKING:
    from pisces.agent.compaction import Compacted, Compactor
    from pisces.agent.transcript import Transcript
    from pisces.diagnostics import Diagnostic
    from pisces.gates.hooks.run_callback import ModelQuestion
    from pisces.host.options import Approve
    from pisces.models.model import Model
    from pisces.places import Places
    from pisces.session.options import OpenSession, SessionOptions
    from pisces.session.server_starts import ServerStarts
    from pisces.session.usage import ModelUsage
    from pisces.shapes.event import Event
    from pisces.shapes.note import Note
    from pisces.shapes.tool import Tool

E = TypeVar("E", bound="Event")


class Session:
    """Made by `Session.open`. One message is worked on at a time; `steer` reaches the running agent, `queue` waits for
    its end.
    """

    def __init__(self, places: Places, options: SessionOptions) -> None:
        self.places, self.options = places, options
        self.model: Model | None = options.model
        self.transcript: Transcript = options.transcript or new_transcript(places)
        self.thinking = options.thinking
        self.folder = places.cwd
        self.began = time.time()
        self.editor = EditorLink(places, self.emit)
        self.pending = Pending(self._show_pending)
        self.active_tools: tuple[str, ...] | None = None  # all of them
        self.models = SessionModels(self)
        self._counted = UsageCount()
        self._notes: list[str] = []  # for the model, with the next message of the user
        self._late: list[str] = []  # with the next request
        self._work = SessionWork(self)
        self.delegation = Delegation(self)
        self._beside: set[asyncio.Task[Any]] = set()
        self._compactor: Compactor | None = None
        self._server_starts: ServerStarts | None = None
        self.wants_end = False  # a module has asked for it
        self._readers = Readers(options.readers)
        self.transcript.report_to(self._say)
        self.host: Host  # set by `open_session`, because a host needs its tools first

    @classmethod
    def open(
        cls, where: str | Places, approve: Approve, **options: Unpack[OpenSession]
    ) -> AbstractAsyncContextManager[Session]:
        """An open session for the time of an `async with` block. `where` is the workspace: a folder, or Places.

        `approve(request, questions)` is asked last about what nobody decided, as in `Host.open`. `model` is a name such
        as `anthropic/claude-sonnet-4-5`, a model of yours, or left out for the first whose key is there.
        `SessionOptions` says what the other options mean. Raises `PiscesError` for an unknown model, and what
        `Host.open` raises.
        """
        places, made = options_for(where, approve, options)
        opening = open_session(places, made)
        return opening if made.model is options.get("model") else _closing(opening, made.model)

    @property
    def is_idle(self) -> bool:
        """Whether the agent works on no message. A command may be under way all the same."""
        return self._work.is_idle

    async def wait_for_idle(self) -> None:
        await self._work.wait_for_idle()

    def cancel(self) -> bool:
        """Ends what is under way; whether there was something. What is queued stays."""
        return self._work.cancel()

    @property
    def usage(self) -> Usage:
        return self._counted.total.usage

    @property
    def cost(self) -> float | None:
        """Dollars; None if the prices of one of the models are not known."""
        return self._counted.total.cost

    @property
    def usage_by_model(self) -> tuple[ModelUsage, ...]:
        return self._counted.by_model

    def spend(self, usage: Usage, model: Model) -> None:
        """Counts what was asked of a model."""
        self._counted.add(model.facts, usage)

    def spend_beside(self, usage: Usage, model: Model) -> None:
        """The same for what is no message of the conversation: summaries, subagents, questions of hooks."""
        self.spend(usage, model)
        cost = cost_of(usage, model.facts.prices)
        self.transcript.append(SPENT, {"usage": usage.as_json(), "cost": cost, "model": model.facts.name})

    @property
    def system_prompt(self) -> str:
        """Its date is that of the start of the session, so that providers can cache it."""
        instructions = (part.text for part in self.host.instructions)
        return system_prompt(instructions, self.places.cwd, time.strftime("%Y-%m-%d", time.localtime(self.began)))

    @property
    def offered_tools(self) -> tuple[Tool, ...]:
        """What the model may call now, in a stable order: our own first, then those of modules and servers."""
        return self.delegation.offered({name: each for name, each in self.host.tools.items() if self.is_active(name)})

    def is_active(self, tool: str) -> bool:
        return self.active_tools is None or tool in self.active_tools

    async def emit(self, event: E) -> E:
        """Past everybody who may have a say, then to the readers, who hear of it even if this is cancelled."""
        try:
            if self.host.hears(event):
                event = heard_by_modules(event, await self.host.emit(said_to_modules(event)))
        finally:
            self.show(event)
        return event

    def show(self, event: Event) -> None:
        self._readers.show(event)

    def announce(self, event: Event) -> None:
        """The same for what happens outside of any task: readers hear of it at once, the others soon."""
        self.show(event)
        if self.host.hears(event):
            self.start_beside(self.host.emit(said_to_modules(event)))

    def start_beside(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """A task that ends with the session."""
        task = asyncio.get_running_loop().create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    async def start(self, cause: str = "startup", previous: str = "") -> None:
        started = await self.emit(SessionStart(cause, previous))
        self.hear(started.notes)

    async def submit(self, line: str, more: Sequence[TextPart | ImagePart] = ()) -> Answered:
        """`more` goes to the model behind the line as it is: images, piped text. What is queued meanwhile is worked on,
        too. Raises `PiscesError` for a command that does not exist and where there is no model, `ModelFailed` where it
        gave no answer. Cancelling it ends the work; the conversation stays whole.
        """
        return await self._work.line(QueuedLine(line, tuple(more)))

    async def prompt(self, message: ChatMessage, line: str = "") -> LoopEnd:
        """The agent works on a message, after what it works on now."""
        return await self._work.message(message, line)

    async def run(self, line: str, more: Sequence[TextPart | ImagePart] = ()) -> AsyncIterator[Event]:
        """The same as the events that happen meanwhile. Closing the iterator ends the work."""
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._readers.add(events.put_nowait)
        task = asyncio.ensure_future(self.submit(line, more))
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            task.result()
        finally:
            self._readers.remove(events.put_nowait)
            task.cancel()
            await asyncio.wait([task])

    def steer(self, text: str, more: Sequence[TextPart | ImagePart] = ()) -> None:
        """A message for the running agent: it reads it before its next request. Where none runs, it is queued."""
        if self.is_idle:
            self.queue(text, more)
        elif text.strip() or more:
            self.pending.steer(user_message(text, more))

    def queue(self, text: str, more: Sequence[TextPart | ImagePart] = ()) -> None:
        """A line for when the agent is done; at once if nothing is under way."""
        if not text.strip() and not more:
            return
        self.enqueue(QueuedLine(text, tuple(more)))

    def enqueue(self, line: QueuedLine) -> None:
        self.pending.add(line)
        self._work.start_queued()

    @property
    def queued(self) -> tuple[str, ...]:
        return self.pending.queued

    def unqueue(self) -> str | None:
        """Takes back the line that was queued last, for editing; None if there is none."""
        line = self.pending.last_line()
        return None if line is None else line.text

    def _show_pending(self) -> None:
        self.announce(QueueUpdate(self.pending.steered, self.pending.queued))

    def _say(self, problem: Diagnostic) -> None:
        about = f"{self.places.shown(problem.path)} " if problem.path else ""
        kind = ERROR_NOTICE if problem.severity == ERROR else ""
        self.show(Notification(f"{about}{problem.message}", kind=kind))

    async def stop_agent(self) -> None:
        """The agent, and no command that may be what asks for it."""
        self._work.cancel_agent()
        await self.wait_for_idle()

    def _note(self, text: str) -> None:
        self.show(Notification(text, kind=COMPACTION_NOTICE))

    def want_end(self) -> None:
        """A module wants the program to end. What is under way ends; the program sees `wants_end` and leaves."""
        self.wants_end = True
        self.cancel()
        self.show(Notification("an extension wants the session to end", kind=END_NOTICE))

    async def move_to(self, folder: str) -> None:
        """The current folder is another one. The workspace stays."""
        old, self.folder = self.folder, folder
        await self.emit(CwdChanged(old, folder))

    def add_context(self, text: str) -> None:
        """For the model, with the next message of the user."""
        self._notes.append(text)

    def hear(self, notes: Sequence[Note]) -> None:
        """Context is for the model, with the next message of the user; messages are for the user."""
        self._notes.extend(context_in(notes))
        for each in shown_messages(notes):
            self.show(each)

    def taken_notes(self) -> tuple[str, ...]:
        taken = (*self._notes, *self.taken_late())
        self._notes.clear()
        return taken

    def hear_now(self, notes: Sequence[Note]) -> None:
        """The same for the next request to the model."""
        self._late.extend(context_in(notes))
        for each in shown_messages(notes):
            self.show(each)

    def taken_late(self) -> tuple[str, ...]:
        """With what hooks in the background have said since the last request."""
        self.hear_now(self.host.late_notes())
        taken = tuple(self._late)
        self._late.clear()
        return taken

    def take(self, transcript: Transcript) -> None:
        """Goes on with another conversation, of which the model has read nothing yet."""
        self.transcript.close()
        self.transcript = transcript
        transcript.report_to(self._say)
        self.host.renew_facts(id=transcript.id, transcript=transcript.path)
        self._notes.clear()
        self._say_if_interrupted()
        self.editor.restart()

    async def walk(self, entry_id: str) -> str:
        """The conversation goes on behind an earlier entry; why not, or an empty text. What was said since stays."""
        await self.stop_agent()
        walk = export_of("pisces.session", "control", "walk_to")
        reason: str = await walk(self, {"target_id": entry_id})
        return reason

    def need_model(self) -> Model:
        """Raises `PiscesError` where there is none."""
        if self.model is None:
            raise export_of("pisces.session", "no_model", "no_model")(self.options.no_model)
        return self.model

    @property
    def server_starts(self) -> ServerStarts:
        """Loaded where there are servers."""
        if self._server_starts is None:
            self._server_starts = export_of("pisces.session", "server_starts", "ServerStarts")(self)
        return self._server_starts

    @property
    def compactor(self) -> Compactor:
        """Loaded when a conversation is long enough to need it."""
        if self._compactor is None:
            scene = export_of("pisces.agent", "compaction", "CompactionScene")(
                lambda: self.transcript, self.need_model, self.emit, self.spend_beside, self._compacted, self._note
            )
            self._compactor = export_of("pisces.agent", "compaction", "Compactor")(scene)
        return self._compactor

    async def compact(self, instructions: str = "") -> Compacted:
        """Makes the conversation shorter. `problem` of what comes back says why it did not, and then nothing changed.

        Raises `PiscesError` where there is no model.
        """
        self.need_model()
        return await self.compactor.compact(instructions)

    async def _compacted(self) -> None:
        self.editor.restart()
        await self.start("compact")

    async def complete(self, question: ModelQuestion) -> str:
        """One answer of a model, for hooks and servers. Raises `PiscesError` and `ModelFailed`."""
        answer = export_of("pisces.session", "completing", "answer_to_question")
        text: str = await answer(self, question)
        return text

    def may_read(self, path: str) -> bool:
        """Whether no rule denies or asks about it: a search leaves out what a rule hides."""
        return self.host.rule_against(ToolCall("read", "", {"path": path})) is None

    async def begin(self) -> None:
        if self.options.uses_editor:
            await self.editor.open()
        given = self.options.transcript
        self._say_if_interrupted()
        await self.start("resume" if given is not None and given.is_begun else "startup")

    def _say_if_interrupted(self) -> None:
        """To the model, which would take its last answer for whole."""
        if self.transcript.is_interrupted:
            self.add_context(CUT_ANSWER)

    async def close(self) -> None:
        """Ends what is under way."""
        await self._work.close()
        tasks = [each for each in self._beside if each is not asyncio.current_task()]
        for each in tasks:
            each.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self.editor.close()
        await self.models.close()


@asynccontextmanager
async def _closing(opening: AbstractAsyncContextManager[Session], model: Model | None) -> AsyncIterator[Session]:
    """With a model that was made for this session."""
    try:
        async with opening as session:
            yield session
    finally:
        if model is not None:
            await model.close()


@asynccontextmanager
async def open_session(places: Places, options: SessionOptions) -> AsyncIterator[Session]:
    """Raises what `Host.open` raises. Emits `SessionStart` and, at the end, `SessionShutdown`."""
    session = Session(places, options)
    try:
        async with opened_host(session) as session.host:
            try:
                await session.begin()
                yield session
            finally:
                await session.close()
    finally:
        session.transcript.close()
