"""What happens around the calls of an agent: a session starts, a prompt comes in, the agent is about to stop."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pisces.adapters.calls import AdaptedCall, HostCalls, context_in, running_call, stop_in, text_for_model
from pisces.shapes.events.agent import Input
from pisces.shapes.events.session import SessionStart, SessionStop
from pisces.shapes.events.subagents import SubagentStart, SubagentStop
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.shapes.note import Note

MOST_STOPS = 3  # that hooks may refuse in one run


class PromptBlocked(Exception):
    """A hook or a module does not let this prompt reach a model. The text is its reason."""


class AgentStopped(Exception):
    """A hook or a module ended the run. The text is its reason."""


class Prompted(Value):
    """A prompt as it may be sent. `context` are texts that hooks add for the model."""

    text: str
    context: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        return "\n\n".join((self.text, *self.context))


class AgentRun:
    """One run of an agent. One that starts inside a gated tool call is that of an inner agent, a subagent here."""

    def __init__(self, calls: HostCalls, agent: str = "") -> None:
        self.calls, self.prompt, self.has_stopped = calls, "", False
        self.is_inner = bool(running_call())
        self.agent = (agent or "agent") if self.is_inner else ""
        self.id = f"agent-{os.urandom(6).hex()}"
        self.agent_id = self.id if self.is_inner else ""
        self._stops = 0
        self._reason = ""

    async def prompted(self, text: str) -> Prompted:
        """The prompt past hooks and modules, after the start of the session. Raises `PromptBlocked`."""
        if self.is_inner:
            started = await self.calls.emitted(SubagentStart(self.agent_id, self.agent, text))
            self.prompt = text
            return Prompted(text, context_in(started.notes))
        context: tuple[str, ...] = ()
        if not self.calls.is_started:
            self.calls.is_started = True
            context = context_in((await self.calls.emitted(SessionStart())).notes)
        event = await self.calls.emitted(Input(text))
        self.prompt = event.text
        self.note(event.notes)
        if event.blocked or event.handled:
            raise PromptBlocked(event.reason or ("a module took care of it" if event.handled else "it was blocked"))
        return Prompted(event.text, (*context, *context_in(event.notes)))

    async def judged(self, call: AdaptedCall) -> AdaptedCall:
        """As `HostCalls.judged`, in the name of this agent."""
        judged = await self.calls.judged(call, self.agent, self.agent_id)
        self.note(judged.notes)
        return judged

    async def finished(self, call: AdaptedCall, text: str, *, is_error: bool = False) -> str:
        """The result as the model gets it: as hooks leave it, with what they add."""
        result = await self.calls.finished(call, text, is_error=is_error)
        self.note(result.notes)
        return text_for_model(result, call.notes)

    def note(self, notes: Iterable[Note]) -> None:
        """A wish to stop is heeded before the next request to the model."""
        self._reason = self._reason or stop_in(notes)

    def check(self) -> None:
        """Raises `AgentStopped` if somebody wanted the agent to stop."""
        if self._reason:
            raise AgentStopped(self._reason)

    async def stopping(self, last_message: str) -> str:
        """The agent is about to stop: why it has to go on, or an empty text."""
        active = self._stops > 0
        if self.is_inner:
            inner = SubagentStop(self.agent_id, self.agent, last_message, stop_hook_active=active)
            event: SubagentStop | SessionStop = await self.calls.emitted(inner)
            goes_on = event.blocked
        else:
            outer = SessionStop(stop_hook_active=active, last_message=last_message, prompt=self.prompt)
            event = stopped = await self.calls.emitted(outer)
            goes_on = stopped.blocked or stopped.goes_on
        self._stops += 1
        self.has_stopped = not goes_on or self._stops > MOST_STOPS or bool(stop_in(event.notes))
        return "" if self.has_stopped else "\n\n".join(filter(None, (event.reason, *context_in(event.notes))))
