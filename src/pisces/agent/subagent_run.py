"""One subagent at work: the same loop as its parent's, with a conversation, tools and limits of its own.

Its messages are in a transcript of their own. Every call goes past the same gates as the parent's, under its name.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from pisces.agent.compaction import CompactionScene, Compactor
from pisces.agent.loop import TURNS, CalledTool, LoopActions, LoopEnd, LoopLimits, run
from pisces.agent.subagent_clock import SubagentClock
from pisces.agent.subagent_prompt import subagent_prompt
from pisces.agent.subagent_report import CANCELLED, FAILED, TIME, SubagentWork
from pisces.agent.tool_results import context_in, result_part, stop_in
from pisces.discovery.tool_names import SKILL, meaning_of
from pisces.models.wire import THINKING, ModelAnswer, ModelAsk, ModelFailed
from pisces.shapes.events.subagents import SubagentStart, SubagentStop
from pisces.shapes.message import BY_USER, CallPart, ChatMessage, ResultPart, TextPart
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from pisces.agent.subagent_scope import SubagentScope
    from pisces.agent.subagents import SubagentScene
    from pisces.agent.transcript import Transcript
    from pisces.models.model import Model
    from pisces.shapes.events.tools import ToolResult

MOST_TURNS, MOST_SECONDS = 30, 600.0  # where its file does not say
_LONGEST = 3_300.0  # a tool call may take an hour, and this is one
_MOST_STOPS = 3  # that hooks may refuse
_LAST_TURN = "You have no turns left. Answer now with your report: what you found or did so far. Call nothing."
_OVER = "This was not run: there are no turns left. Answer with your report"
_LONGEST_STEP = 120  # characters of what it does now


class SubagentRun:
    """`scope` says what it may call, `model` is its own or its parent's, `skills` are texts that it begins with."""

    def __init__(self, scene: SubagentScene, scope: SubagentScope, model: Model, context: Any) -> None:
        self._scene, self.scope, self._model, self._context = scene, scope, model, context
        self.id = f"agent-{os.urandom(6).hex()}"
        self.work = SubagentWork(scope.plan.name)
        seconds = scope.plan.timeout or MOST_SECONDS
        self.clock = SubagentClock(min(seconds, _LONGEST))
        self._system = ""
        self._stops = 0
        self._is_over = False
        self._began = time.monotonic()
        facts = {"id": self.id, "call": getattr(context, "call_id", ""), "model": model.facts.name}
        self.transcript: Transcript = scene.transcript().subagent(scope.plan.name, facts)
        quiet = CompactionScene(lambda: self.transcript, lambda: model, _unheard, scene.spent, _nothing, self._show)
        self._compactor = Compactor(quiet)

    async def report(self, prompt: str) -> dict[str, Any]:
        """What the tool returns. Raises `CancelledError`, and nothing else for what a model or a tool does."""
        work = self.work
        try:
            async with self.clock.running():
                await self._worked(prompt)
        except TimeoutError:
            work.ended, work.why = TIME, "its time was up"
        except ModelFailed as failed:
            work.ended, work.why = FAILED, f"the model failed: {failed}"
        except BaseException:
            work.ended = CANCELLED
            raise
        finally:
            await self._ended()
        result = {"content": [{"type": "text", "text": work.report}], "details": self.details}
        return {**result, "is_error": True} if work.ended == FAILED and not work.text else result

    @property
    def details(self) -> dict[str, Any]:
        facts = {"agent_id": self.id, "model": self._model.facts.name, "transcript": self.transcript.path}
        return {**self.work.counts, **facts, "seconds": round(time.monotonic() - self._began, 1)}

    async def _worked(self, prompt: str) -> None:
        plan = self.scope.plan
        started = await self._scene.emit(SubagentStart(self.id, plan.name, prompt))
        host = self._scene.host()
        skills = [text for name in plan.skills if (text := await self._skill(name))]
        self._system = subagent_prompt(plan.prompt, host.instructions, self.scope.names, skills, self._scene.places.cwd)
        self._scene.heard(started.notes)
        parts = (TextPart(prompt), *map(TextPart, context_in(started.notes)))
        await self._append(ChatMessage(BY_USER, parts), None)
        end = await run(self._actions, LoopLimits(plan.max_turns or MOST_TURNS, self._scene.cost_left()))
        if end.ended == TURNS:
            self._is_over = True
            await self._append(ChatMessage(BY_USER, (TextPart(_LAST_TURN),)), None)
            await run(self._actions, LoopLimits(1))
        self._take(end)

    def _take(self, end: LoopEnd) -> None:
        self.work.ended, self.work.why = end.ended, end.why
        if end.ended == TURNS:
            self.work.why = f"it had {self.scope.plan.max_turns or MOST_TURNS} turns, and they are used up"

    async def _skill(self, name: str) -> str:
        """Activated as the model would do it: past the gates, and audited."""
        host = self._scene.host()
        tool = next((each for each in host.tools if meaning_of(each) == SKILL), "")
        result = await self._called(tool, {"name": name}, f"skill-{name}") if tool else None
        if result is None or result.is_error:
            why = result.text if result else "there are no skills here"
            self._scene.say(self.scope.plan, f"its skill `{name}` is not there: {why}")
            return ""
        return result.text

    async def _ended(self) -> None:
        """Hooks hear of every end but the user's; one that is not done cannot be made to go on."""
        if not self._stops and self.work.ended != CANCELLED:
            await self._scene.emit(self._stop(self.work.text))
        self.transcript.close()
        if self._model is not self._scene.model():
            await self._model.close()

    @property
    def _actions(self) -> LoopActions:
        return LoopActions(
            lambda: self._model,
            self._next_ask,
            self._append,
            self._call,
            lambda: (),
            self._stopping,
            _unheard,
            shortened=self._compactor.shortened,
        )

    async def _next_ask(self) -> ModelAsk:
        if len(self.transcript.messages) > 2:
            await self._compactor.before_request()
        tools = tuple(tool for name, tool in self._scene.tools().items() if name in self.scope.names)
        effort = self.scope.plan.found.item.effort
        thinking = effort if effort in THINKING else self._scene.thinking()
        return ModelAsk("", self.transcript.messages, self._system, tools, thinking=thinking)

    async def _append(self, message: ChatMessage, answer: ModelAnswer | None) -> None:
        facts: dict[str, Any] = {}
        if answer is not None:
            self.work.answered(answer, self._model)
            self._scene.spent(answer.usage, self._model)
            facts = {"usage": answer.usage.as_json(), "model": self._model.facts.name}
            self._show(answer.message.text)
        self.transcript.append_message(message, facts)

    async def _call(self, call: CallPart) -> CalledTool:
        if call.malformed:
            return _failed(call, f"The arguments are no JSON object: {call.malformed[:200]}")
        if self._is_over:
            return _failed(call, _OVER)
        if call.name not in self.scope.names:
            there = ", ".join(sorted(self.scope.names)) or "none"
            return _failed(call, f"there is no tool `{call.name}` here. There are: {there}")
        self.work.tools[call.name] += 1
        given = arguments_of(call.input)
        self._show(" ".join((call.name, *(str(each) for each in given.values() if isinstance(each, str)))))
        result = await self._called(call.name, given, call.id)
        self._scene.heard(result.notes)
        return CalledTool(result_part(call, result), stop_in(result.notes))

    async def _called(self, name: str, given: Any, call_id: str) -> ToolResult:
        """Calls inside have an id that begins with that of the call of the subagent: a screen shows them below it."""
        outer = getattr(self._context, "call_id", "") or self.id
        return await self._scene.host().call(
            name, given, f"{outer}/{call_id}", agent=self.scope.plan.name, agent_id=self.id
        )

    async def _stopping(self, last: str) -> str:
        stopped = await self._scene.emit(self._stop(last))
        self._stops += 1
        self._scene.heard(stopped.notes)
        if not stopped.blocked or self._stops > _MOST_STOPS:
            return ""
        return "\n\n".join(filter(None, (stopped.reason, *context_in(stopped.notes))))

    def _stop(self, last: str) -> SubagentStop:
        return SubagentStop(self.id, self.scope.plan.name, last, self.transcript.path, self._stops > 0)

    def _show(self, step: str) -> None:
        """What it does now, for the screen."""
        line = " ".join(step.split())[:_LONGEST_STEP]
        if self._context is not None and line:
            self._context.update({"content": [{"type": "text", "text": line}], "details": self.details})


async def _unheard(event: Any) -> Any:
    """Deltas and turns of a subagent are not passed on: the screen and modules would take them for the parent's."""
    return event


async def _nothing() -> None: ...


def _failed(call: CallPart, text: str) -> CalledTool:
    return CalledTool(ResultPart(call.id, call.name, (TextPart(text),), is_error=True))
