"""One run of the agent for one message: what the loop does to the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.agent.loop import CalledTool, LoopActions, StopLoop
from pisces.agent.tool_results import context_in, result_part, stop_in
from pisces.agent.transcript_entry import DIFFS, INTERRUPTED
from pisces.models.model import cost_of
from pisces.models.wire import CALLS, END, ModelAnswer, ModelAsk, ModelFailed
from pisces.session.answer_growth import AnswerGrowth
from pisces.session.call_failures import call_failure
from pisces.session.custom_messages import custom_message
from pisces.session.notes import HOOK_MESSAGE, shown_messages
from pisces.session.provider_events import provider_watch
from pisces.session.request_events import answer_past_all, request_past_all
from pisces.shapes.events.agent import BeforeAgentStart, MessageEnd, MessageStart
from pisces.shapes.events.session import SessionStop
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.events.tools import ToolBatch, ToolResult
from pisces.shapes.message import BY_USER, CallPart, ChatMessage, ImagePart, ResultPart, TextPart
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session

CUT_ANSWER = "(The user sees the answer above as far as it goes: it was interrupted.)"
_MOST_STOPS = 8  # that hooks and modules may refuse in one run


class PromptRun:
    """`begin` is first. `store_rest` is last, however the run ended."""

    def __init__(self, session: Session, message: ChatMessage, line: str) -> None:
        self._session, self._prompt = session, line or message.text
        self._first: list[tuple[ChatMessage, dict[str, Any]]] = [(message, {})]
        self._system = ""  # that a module wants for this run
        self._growth = AnswerGrowth(session)
        self._diffs: dict[str, str] = {}  # of files that calls have changed, by the ids of these
        self._stops = 0
        self._last = ""
        self.stored: list[ChatMessage] = []
        session.delegation.begin_run()

    @property
    def last_text(self) -> str:
        return self._last

    async def begin(self) -> None:
        """What hooks, modules and the editor add comes behind what the user wrote."""
        session, (message, facts) = self._session, self._first[0]
        texts = [*session.taken_notes(), await session.editor.text()]
        if any(texts):
            message = message.replace(parts=(*message.parts, *map(TextPart, filter(None, texts))))
            self._first[0] = message, facts
        event = BeforeAgentStart(self._prompt)
        if not session.host.hears(event):
            return
        images = [{"type": "image", "mimeType": each.mime, "data": each.data} for each in _images_in(message)]
        before = event.replace(images=images, system_prompt=session.system_prompt)
        after = await session.emit(before)
        if after.system_prompt != before.system_prompt:
            self._system = after.system_prompt
        self._first += map(custom_message, after.messages)

    def store_rest(self) -> None:
        """What the user wrote is stored even if the run was cancelled before its first request."""
        self._growth.end()
        while self._first:
            self._store(*self._first.pop(0))

    @property
    def actions(self) -> LoopActions:
        session = self._session
        return LoopActions(
            session.need_model,
            self._next_ask,
            self._append,
            self._call,
            self._steered,
            self._stopping,
            self._growth.emit,
            self._answered,
            self._batched,
            self._shortened,
            lambda: session.delegation.spent,
        )

    async def _next_ask(self) -> ModelAsk | ModelAnswer:
        session = self._session
        while self._first:
            await self._append_with(*self._first[0])
        if session.host.has_servers:
            await session.server_starts.wait()
        session.transcript.read_for(session.need_model().facts.window)
        if len(session.transcript.messages) > 2:  # a short conversation is never too long
            await session.compactor.before_request()
        system = self._system or session.system_prompt
        facts = session.need_model().facts
        ask = ModelAsk(
            facts.name, session.transcript.messages, system, session.offered_tools, thinking=session.thinking
        )
        made = await request_past_all(session.host, ask)
        return made.replace(model="", watch=provider_watch(session.host)) if isinstance(made, ModelAsk) else made

    async def _append(self, message: ChatMessage, answer: ModelAnswer | None) -> None:
        """Messages of the model have been shown while they grew."""
        if answer is None:
            results = [each.id for each in message.parts if isinstance(each, ResultPart)]
            diffs = {each: self._diffs.pop(each) for each in results if each in self._diffs}
            await self._append_with(message, {DIFFS: diffs} if diffs else {})
            return
        self._last = message.text or self._last
        model = self._session.need_model().facts
        facts: dict[str, Any] = {"model": model.name}
        if answer.stop == INTERRUPTED:
            self._session.add_context(CUT_ANSWER)
        else:
            self._session.spend(answer.usage, self._session.need_model())
            facts.update(usage=answer.usage.as_json(), cost=cost_of(answer.usage, model.prices))
        if answer.stop not in (END, CALLS):
            facts["stop"] = answer.stop
        self._store(message, facts)
        self._growth.end()

    async def _append_with(self, message: ChatMessage, facts: dict[str, Any]) -> None:
        """Stored even if it is cancelled while somebody looks at it."""
        is_first = bool(self._first) and self._first[0][0] is message
        try:
            await self._session.emit(MessageStart(message))
            message = (await self._session.emit(MessageEnd(message))).message
        finally:
            if is_first:
                self._first.pop(0)
            self._store(message, facts)

    def _store(self, message: ChatMessage, facts: dict[str, Any]) -> None:
        self.stored.append(message)
        self._session.transcript.append_message(message, facts)

    async def _call(self, call: CallPart) -> CalledTool:
        session = self._session
        failure = call_failure(call, session)
        if failure:
            content = ({"type": "text", "text": failure},)
            result = ToolResult(call.name, call.id, call.input, content, is_error=True)
        else:
            result = await session.host.call(call.name, arguments_of(call.input), call.id)
        if result.diff:
            self._diffs[call.id] = result.diff
        session.show(result)
        for each in shown_messages(result.notes):
            session.show(each)
        return CalledTool(result_part(call, result), stop_in(result.notes))

    def _steered(self) -> Sequence[ChatMessage]:
        session = self._session
        steered = [*session.pending.take_steered()]
        notes = session.taken_late()
        return [*steered, ChatMessage(BY_USER, tuple(map(TextPart, notes)))] if notes else steered

    async def _stopping(self, last: str) -> str:
        session = self._session
        event = SessionStop((), "", session.transcript.id, stop_hook_active=self._stops > 0)
        stopped = await session.emit(event.replace(last_message=last, prompt=self._prompt))
        self._stops += 1
        for each in shown_messages(stopped.notes):
            session.show(each)
        stop = stop_in(stopped.notes)
        if stop:
            session.show(Notification(stop, kind=HOOK_MESSAGE))
        if not (stopped.blocked or stopped.goes_on) or stop or self._stops > _MOST_STOPS:
            return ""
        return "\n\n".join(filter(None, (stopped.reason, *context_in(stopped.notes)))) or "Go on"

    async def _answered(self, ask: ModelAsk, answer: ModelAnswer) -> ModelAnswer:
        return await answer_past_all(self._session.host, ask, answer)

    async def _batched(self, calls: Sequence[CallPart], called: Sequence[CalledTool]) -> None:
        event = ToolBatch()
        if not self._session.host.hears(event):
            return
        pairs = zip(calls, called, strict=True)
        made = [
            {"tool": call.name, "call_id": call.id, "input": call.input, "result": each.result.text}
            for call, each in pairs
        ]
        after = await self._session.emit(event.replace(calls=made))
        self._session.hear_now(after.notes)
        stop = stop_in(after.notes)
        if after.blocked or stop:
            raise StopLoop(after.reason or stop or "a hook or an extension ended the run")

    async def _shortened(self, failed: ModelFailed) -> bool:
        return await self._session.compactor.shortened(failed)


def _images_in(message: ChatMessage) -> list[ImagePart]:
    return [part for part in message.parts if isinstance(part, ImagePart)]
