"""The subagents of a session: which there are, starting them, and the gate that holds each to its own file."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pisces.agent.subagent_run import SubagentRun
from pisces.agent.subagent_scope import NEVER_ASKS, SubagentScope, scope_of
from pisces.diagnostics import WARNING, PiscesError, Rule
from pisces.discovery.found import PROJECT
from pisces.shapes.request import ToolRequest
from pisces.shapes.session_facts import MODE_ALL, MODE_EDITS
from pisces.shapes.tool import ToolFailed
from pisces.shapes.verdict import DENY, Verdict
from pisces.tools.own.agent import agent_names
from pisces.tools.workbench import seeing_apart
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pisces.agent.loop import Emit
    from pisces.agent.transcript import Transcript
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.host.host import Host
    from pisces.host.options import Approve
    from pisces.instructions.subagents import AgentPlan
    from pisces.models.model import Model
    from pisces.models.wire import Usage
    from pisces.places import Places
    from pisces.shapes.note import Note
    from pisces.shapes.request import Request
    from pisces.shapes.subagent import Subagent
    from pisces.shapes.tool import Tool

SUBAGENT_WISH = Rule("subagent-wish", WARNING, "A subagent asks for something that it does not get")

_MOST_AT_ONCE = 8
_NOT_GIVEN = ("isolation", "memory")
_INHERITED = ("", "inherit", "default")
_WIDER = {"acceptEdits": MODE_EDITS, "autoEdit": MODE_EDITS, "bypassPermissions": MODE_ALL, "yolo": MODE_ALL}


class SubagentScene(Value):
    """What a session lends its subagents. `chosen` makes another model and raises `PiscesError` if it cannot.

    `tools` are those that the parent may call now. `spent` counts what they cost, `cost_left` are the dollars that are
    left, 0 for no limit. `report` hears of wishes that cannot be met, `heard` what hooks say beside.
    """

    places: Places
    host: Callable[[], Host]
    tools: Callable[[], Mapping[str, Tool]]
    model: Callable[[], Model]
    chosen: Callable[[str], Model | None]
    transcript: Callable[[], Transcript]
    thinking: Callable[[], str]
    emit: Emit
    spent: Callable[[Usage, Model], None]
    cost_left: Callable[[], float]
    report: Callable[[Diagnostic], None]
    heard: Callable[[Sequence[Note]], None]

    def say(self, plan: AgentPlan, message: str) -> None:
        text = f"the subagent `{plan.name}` goes without something: {message}"
        self.report(SUBAGENT_WISH.at(plan.found.item.path, text, about=plan.name))


class Subagents:
    def __init__(self, scene: SubagentScene) -> None:
        self._scene = scene
        self._running: dict[str, SubagentRun] = {}
        self._room = asyncio.Semaphore(_MOST_AT_ONCE)

    @property
    def found(self) -> Mapping[str, Found[Subagent]]:
        every = {each.item.name: each for each in self._scene.host().subagents}
        return {name: every[name] for name in agent_names(every.values())}

    async def run(self, name: str, prompt: str, context: Any = None) -> dict[str, Any]:
        """What the tool `agent` returns. Raises `ToolFailed` for a name that nobody has."""
        found = self.found.get(name)
        if found is None:
            names = ", ".join(sorted(self.found)) or "none"
            raise ToolFailed(f"there is no subagent `{name}`. There are: {names}")
        async with self._room:
            return await self._ran(found, prompt, context)

    async def _ran(self, found: Found[Subagent], prompt: str, context: Any) -> dict[str, Any]:
        host = self._scene.host()
        servers = [each for each in found.item.mcp_servers if each in host.servers]
        if servers:
            await host.connect(*servers)
        scope = scope_of(found, self._scene.tools(), host.servers, self._scene.places)
        running = SubagentRun(self._scene, scope, self._model_of(scope), context)
        self._say_wishes(scope)
        host.use_subagent(found)
        self._running[running.id] = running
        try:
            with seeing_apart():
                return await running.report(prompt)
        finally:
            del self._running[running.id]

    def _model_of(self, scope: SubagentScope) -> Model:
        """A project chooses among the models of the user's own provider: it sends the conversation to nobody else."""
        own, wanted = self._scene.model(), scope.plan.model
        if wanted in _INHERITED or wanted in (own.facts.id, own.facts.name):
            return own
        try:
            model = self._scene.chosen(wanted)
        except PiscesError as error:
            self._scene.say(scope.plan, f"its model `{wanted}` cannot be used: {error}")
            return own
        if model is None:
            return own
        if scope.plan.found.source.level == PROJECT and model.facts.provider != own.facts.provider:
            self._scene.say(scope.plan, f"a project does not choose the provider, so its model is not `{wanted}`")
            return own
        return model

    def _say_wishes(self, scope: SubagentScope) -> None:
        plan, host = scope.plan, self._scene.host()
        for each in plan.diagnostics:
            self._scene.report(each)
        wider = _WIDER.get(plan.permission_mode)
        if wider and host.mode not in (wider, MODE_ALL):
            self._scene.say(plan, f"its `{plan.permission_mode}` is more than the mode `{host.mode}` that you chose")
        for name, config in plan.mcp_servers.items():
            if name not in host.servers:
                why = "only servers of the session can be used" if config else "there is no server of that name"
                self._scene.say(plan, f"its server `{name}` is not started: {why}")
        for field in _NOT_GIVEN:
            if getattr(plan.found.item, field):
                self._scene.say(plan, f"`{field}: {getattr(plan.found.item, field)}` means nothing here")
        if plan.hooks and plan.found.package:
            self._scene.say(plan, "its hooks do not fire: those in agents of packages never do")

    def judged(self, request: Request) -> Verdict | None:
        """The gate. A call of a subagent that does not run any more is denied."""
        if not isinstance(request, ToolRequest) or not request.agent_id:
            return None
        running = self._running.get(request.agent_id)
        return Verdict(DENY, "subagents", "it has ended") if running is None else running.scope.judged(request)

    async def asked(self, request: Request, questions: tuple[Verdict, ...], approve: Approve) -> Any:
        """The user's answer about a call of a subagent: its time does not run meanwhile."""
        running = self._running.get(request.agent_id) if isinstance(request, ToolRequest) else None
        if running is None:
            answer: Any = approve(request, questions)
            return await answer if hasattr(answer, "__await__") else answer
        if running.scope.plan.permission_mode == NEVER_ASKS:
            return Verdict(DENY, running.scope.who, "it never asks, as its file says")
        with running.clock.stopped():
            answer = approve(request, questions)
            return await answer if hasattr(answer, "__await__") else answer
