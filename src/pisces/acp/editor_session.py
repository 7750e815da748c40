"""One session of an editor. It is opened and closed by one task of its own, and its updates go out in their order."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from acp.helpers import update_agent_message_text, update_available_commands
from acp.schema import AvailableCommand, AvailableCommandInput, UnstructuredCommandInput

from pisces.acp.permissions import EditorConsent
from pisces.acp.updates import replayed, updates_of
from pisces.agent.loop import CUT, DONE, REFUSAL, TURNS
from pisces.session.options import SessionOptions
from pisces.session.session import Session, open_session
from pisces.shapes.events.surroundings import Notification
from pisces.ui.quiet_ui import QuietUi

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.agent.loop import LoopEnd
    from pisces.agent.transcript import Transcript
    from pisces.host.submitting import Submitted
    from pisces.models.model import Model
    from pisces.places import Places
    from pisces.session.session import Answered
    from pisces.shapes.event import Event
    from pisces.shapes.mcp_server import McpServer
    from pisces.shapes.message import ImagePart, TextPart

_STOPS = {CUT: "max_tokens", TURNS: "max_turn_requests", REFUSAL: "refusal"}
_MOST_COMMANDS = 200


class EditorSession:
    """`await editor.start()` opens it. `prompt` answers with the protocol's word for why it ended."""

    def __init__(self, connection: Any, places: Places, model: Model | None) -> None:
        self._connection, self._places, self._model = connection, places, model
        self._updates: asyncio.Queue[Any] = asyncio.Queue()
        self._ready: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        self._closing = asyncio.Event()
        self._tasks: list[asyncio.Task[Any]] = []
        self._prompting: asyncio.Future[Answered] | None = None

    @property
    def id(self) -> str:
        return self._ready.result().transcript.id

    @property
    def session(self) -> Session:
        return self._ready.result()

    async def start(self, servers: Sequence[McpServer], transcript: Transcript | None = None) -> None:
        """Raises what opening a session raises."""
        consent = EditorConsent(self._connection, self._places.cwd, lambda: self.id, self.sent)
        options = SessionOptions(consent, _nobody, QuietUi(self._noted), self._model, (self._heard,), transcript)
        options = options.replace(servers=servers, uses_editor=False)  # what is open there comes with the prompt
        self._tasks = [asyncio.create_task(self._own(options)), asyncio.create_task(self._send())]
        try:
            await self._ready
        except BaseException:
            await self.close()
            raise
        if transcript is not None:
            for each in transcript.messages:
                self._put(*replayed(each, self._places.cwd))
        self._put(update_available_commands(_commands(self.session)))

    async def _own(self, options: SessionOptions) -> None:
        try:
            async with open_session(self._places, options) as session:
                self._ready.set_result(session)
                await self._closing.wait()
        except BaseException as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)

    async def _send(self) -> None:
        while True:
            update = await self._updates.get()
            try:
                await self._connection.session_update(self.id, update)
            except ConnectionError:  # the editor is gone
                return
            finally:
                self._updates.task_done()

    def _put(self, *updates: Any) -> None:
        for each in updates:
            self._updates.put_nowait(each)

    def _heard(self, event: Event) -> None:
        self._put(*updates_of(event, self._places.cwd))

    def _noted(self, text: str) -> None:
        """What a module says to the user."""
        self._heard(Notification(text))

    async def prompt(self, line: str, more: Sequence[TextPart | ImagePart]) -> str:
        """The reason for which it ended. Raises `PiscesError` and `ModelFailed`."""
        self._prompting = asyncio.ensure_future(self.session.submit(line, more))
        try:
            answered = await self._prompting
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():  # the editor is gone, and nobody waits for an answer
                raise
            return "cancelled"
        finally:
            self._prompting = None
            await self.sent()
        said = said_by(answered.submitted) if answered.end is None else _why(answered.end)
        if said:
            self._put(update_agent_message_text(said))
            await self.sent()
        return _STOPS.get(answered.end.ended, "end_turn") if answered.end else "end_turn"

    async def sent(self) -> None:
        """When every update so far has gone out."""
        sender = self._tasks[1]
        waiting = asyncio.ensure_future(self._updates.join())
        await asyncio.wait((waiting, sender), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    def cancel(self) -> None:
        if self._prompting is not None:
            self._prompting.cancel()

    async def close(self) -> None:
        self.cancel()
        self._closing.set()
        if self._tasks:
            await asyncio.wait(self._tasks[:1])
            self._tasks[1].cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._tasks[1]
        if self._model is not None:
            await self._model.close()


def said_by(submitted: Submitted) -> str:
    """What the user reads of a line that no model was asked about."""
    if submitted.output is not None:
        problem = submitted.output.problem
        failed = f"\n{problem.message}" if problem else ""
        return f"```\n{submitted.output.stdout}{submitted.output.stderr}```{failed}"
    if submitted.blocked:
        return f"It was blocked: {submitted.blocked}"
    return "" if submitted.answer is None else str(submitted.answer)


def _why(end: LoopEnd) -> str:
    """Why the agent stopped before it was done; the protocol has words for some reasons only."""
    return "" if end.ended == DONE else f"\n\nIt ended here: {end.why or end.ended}"


def _commands(session: Session) -> list[AvailableCommand]:
    host = session.host
    found = {entry.name: entry.command.description for entry in host.commands.entries}
    found |= {name: command.description for name, command in host.module_commands.items()}
    hint = AvailableCommandInput(UnstructuredCommandInput(hint="arguments"))
    names = sorted(found.items())[:_MOST_COMMANDS]
    return [AvailableCommand(name=name, description=about or name, input=hint) for name, about in names]


async def _nobody(_question: str, _answers: object) -> None:
    return None
