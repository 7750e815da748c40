"""What modules may ask of a session. What cannot be done is said to the user, never ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.models.wire import HIGH, LOW, OFF, THINKING, ModelFailed
from pisces.modules.actions import FOLLOW_UP, NEXT_TURN, WARNING
from pisces.session.custom_messages import custom_message, user_content
from pisces.session.models import model_name, module_model
from pisces.session.pending import QueuedLine
from pisces.session.transcript_view import TranscriptView
from pisces.shapes.events.provider import ThinkingLevelSelect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.modules.actions import SessionView, Ui
    from pisces.session.session import Session
    from pisces.shapes.message import ChatMessage
    from pisces.shapes.tool import Tool

_LEVELS = {**{level: level for level in THINKING}, "minimal": LOW, "xhigh": HIGH, "": ""}


class SessionActions:
    """Implements `pisces.modules.actions.Actions`."""

    def __init__(self, session: Session, ui: Ui) -> None:
        self._session, self.ui = session, ui
        self.session: SessionView = TranscriptView(session)

    @property
    def cwd(self) -> str:
        return self._session.folder

    @property
    def is_idle(self) -> bool:
        return self._session.is_idle

    @property
    def model(self) -> Mapping[str, Any] | None:
        model = self._session.model
        return None if model is None else module_model(model.facts)

    @property
    def system_prompt(self) -> str:
        return self._session.system_prompt

    def send_message(self, message: Mapping[str, Any], *, deliver_as: str = "", trigger_turn: bool = False) -> None:
        """At rest it is stored, and read with the next request, unless it is to start one."""
        made, facts = custom_message(message)
        if deliver_as == NEXT_TURN:
            self._session.add_context(made.text)
        elif self._session.is_idle and not trigger_turn:
            self._session.transcript.append_message(made, facts)
        else:
            self._deliver(made, deliver_as)

    def send_user_message(self, content: Any, *, deliver_as: str = "") -> None:
        message = user_content(content)
        if deliver_as == NEXT_TURN:
            self._session.add_context(message.text)
        else:
            self._deliver(message, deliver_as)

    def _deliver(self, message: ChatMessage, deliver_as: str) -> None:
        if self._session.is_idle or deliver_as == FOLLOW_UP:
            self._session.enqueue(QueuedLine(message.text, message=message))
        else:
            self._session.pending.steer(message)

    def append_entry(self, kind: str, value: Any) -> None:
        self._session.transcript.append("custom", {"customType": kind, "data": value})

    async def set_model(self, model: Any) -> bool:
        name = model_name(model)
        try:
            problem = await self._session.models.switch(name)
        except PiscesError as error:
            problem = str(error)
        if problem:
            self._say(f"the model stays as it is: {problem}")
        return not problem

    def all_tools(self) -> Sequence[Tool]:
        return tuple(self._session.host.tools.values())

    def active_tools(self) -> Sequence[str]:
        return [tool.name for tool in self._session.offered_tools]

    def set_active_tools(self, names: Sequence[str]) -> None:
        """Names that no tool has now may come later, with a server or a module."""
        self._session.active_tools = tuple(names)

    def thinking_level(self) -> str:
        return self._session.thinking or OFF

    def set_thinking_level(self, level: str) -> None:
        if level not in _LEVELS:
            self._say(f"`{level}` is no level of thinking: one of {', '.join(THINKING)}")
            return
        before, self._session.thinking = self._session.thinking, _LEVELS[level]
        if before != self._session.thinking:
            self._session.transcript.append("thinking", {"thinkingLevel": self._session.thinking})
            self._session.announce(ThinkingLevelSelect(self._session.thinking, before))

    def context_usage(self) -> Mapping[str, Any] | None:
        """None where the window of the model is not known."""
        model = self._session.model
        if model is None or not model.facts.window:
            return None
        tokens = export_of("pisces.agent", "compaction", "used_tokens")(self._session.transcript)
        window = model.facts.window
        return {"tokens": tokens, "contextWindow": window, "percent": 100.0 * tokens / window}

    async def complete(
        self, model: Any, context: Mapping[str, Any], options: Mapping[str, Any]
    ) -> Mapping[str, Any] | None:
        if self._session.model is None:
            return None
        answer = export_of("pisces.session", "completing", "completed")
        try:
            made: Mapping[str, Any] = await answer(self._session, context, options, model_name(model))
        except ModelFailed as failed:
            self._say(f"the model gave no answer: {failed}")
            return None
        return made

    def abort(self) -> None:
        self._session.cancel()

    def shutdown(self) -> None:
        """The program decides how it ends: it hears of it as an event."""
        self._session.want_end()

    def compact(self, instructions: str = "") -> None:
        self._session.start_beside(self._compacted(instructions))

    async def _compacted(self, instructions: str) -> None:
        await self._session.wait_for_idle()
        try:
            problem = (await self._session.compact(instructions)).problem
        except PiscesError as error:
            problem = str(error)
        if problem:
            self._say(f"the conversation was not compacted: {problem}")

    async def control(self, action: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
        act = export_of("pisces.session", "control", "controlled")
        answer: Mapping[str, Any] = await act(self._session, action, options)
        if answer.get("reason"):
            self._say(str(answer["reason"]))
        return answer

    def _say(self, text: str) -> None:
        self.ui.notify(text, WARNING)
