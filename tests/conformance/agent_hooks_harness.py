"""An agent on a scripted model that embeds `Host`, driven by the vectors of the agent hooks contract (AGENT-HOOKS-0.1).

Each interceptor of a vector is a gate before a tool, and a handler everywhere else. The points of the contract are
events of ours: agent_startup is SessionStart (a denial is a wish to stop), input is Input, the model's points are
BeforeModel and AfterModel, post_tool_call is ToolResult, agent_shutdown is SessionShutdown. `output` is the AfterModel
of the last answer. A denial that approval may lift is our `ask`; its resolver is `approve`.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any

from pisces import Gate, Request, ToolCall, ToolRequest, Verdict
from pisces.events import AfterModel, BeforeModel, Event, Input, SessionShutdown, SessionStart, ToolResult
from pisces.modules.loaded_module import LoadedModule
from pisces.shapes.listener import Listener
from pisces.shapes.note import STOP, Note
from pisces.testing import AsyncDrivenHost, async_host


class Blocked(Exception):
    """The run ends here."""


class HostHarness:
    """What the kit of the contract wants: `setup`, `run`, `teardown`."""

    name = "pisces-host"
    tool_seam_host_error = "continue"

    def __init__(self) -> None:
        kit = importlib.import_module("agent_hooks.ctk.harness")
        self.capabilities = {kit.Capability.MODEL_CALLS, kit.Capability.TOOL_CALLS}
        self._record, self._outcomes = kit.RunRecord, kit.RunOutcome
        self._invoked: list[dict[str, Any]] = []

    def setup(self, *given: Any) -> None:
        self._scenario, self._interceptors, self._resolver, mode = given[:4]
        self._is_enforced = mode.value == "enforce"
        builder = importlib.import_module("agent_hooks").AgentContextBuilder
        self._contexts = builder(agent_id="a", framework="pisces", session_id="s")

    async def run(self) -> Any:
        gates = [Gate(f"interceptor {number}", self._gate(each)) for number, each in enumerate(self._interceptors)]
        gates.append(Gate("contract", lambda _request: Verdict.allow("what nobody denies is allowed")))
        outcome, final = self._outcomes.COMPLETED, None
        async with async_host(approve=self._approve, gates=gates) as host:
            host.host.modules.runner.add([self._handlers()])
            try:
                final = await self._talk(host)
            except Blocked:
                outcome = self._outcomes.BLOCKED
            self._reason = "completed" if outcome is self._outcomes.COMPLETED else "error"
            _ = host.errors, host.diagnostics  # interceptors that fail are what the vectors are about
        return self._record(outcome=outcome, final_output=final, tool_invocations=self._invoked)

    def teardown(self) -> None:
        """Nothing is left of a host that is closed."""

    async def _talk(self, host: AsyncDrivenHost) -> Any:
        start = await host.emit(SessionStart())
        if any(note.kind == STOP for note in start.notes):
            raise Blocked
        submitted = await host.submit(self._scenario.input["content"])
        if submitted.prompt is None:
            raise Blocked
        messages = [{"role": "user", "content": submitted.prompt.text}]
        for response in self._scenario.model_script:
            if (await host.emit(BeforeModel({"messages": messages}))).blocked:
                raise Blocked
            answer = {"content": response.content, "tool_calls": response.tool_calls, "finish": response.finish_reason}
            after = await host.emit(AfterModel({"messages": messages}, answer))
            if after.blocked:
                raise Blocked
            if not response.tool_calls:
                return response.content
            messages += [await self._call(host, call) for call in response.tool_calls]
        return None

    async def _call(self, host: AsyncDrivenHost, call: dict[str, Any]) -> dict[str, Any]:
        """One tool of the agent's own: judged, run, its result shown to everybody."""
        judged = await host.host.judge(ToolCall(call["name"], call["id"], call["args"]))
        assert isinstance(judged.request, ToolRequest)
        given = judged.request.call if self._is_enforced else ToolCall(call["name"], call["id"], call["args"])
        if not judged.verdict.is_allowed and self._is_enforced:
            return {"role": "tool", "content": f"blocked: {judged.verdict.why}"}
        arguments = json.loads(json.dumps(given.input))
        value, is_error = self._scenario.tools[given.tool].invoke(arguments)
        self._invoked.append({"name": given.tool, "args": arguments})
        content = ({"type": "text", "text": json.dumps(value)},)
        result = await host.emit(ToolResult(given.tool, given.call_id, given.input, content, value, is_error))
        return {"role": "tool", "content": result.text}

    def _gate(self, interceptor: Any) -> Callable[[Any], Any]:
        def judged(request: ToolRequest) -> Any:
            call = request.call
            arguments = json.loads(json.dumps(call.input))
            context = self._contexts.pre_tool_call(call_id=call.call_id, name=call.tool, args=arguments)
            said = interceptor.intercept(context)
            decision, reason = said.get("decision"), said.get("reason", "")
            if decision == "transform" and isinstance(said.get("transform"), dict):
                return request.replace(call=call.replace(input=_transformed(context, said["transform"])))
            if decision == "deny":
                return Verdict.ask(reason) if "approval" in said else Verdict.deny(reason)
            return Verdict.allow(reason) if decision == "allow" else said  # nonsense is passed on as it is

        return judged

    def _handlers(self) -> LoadedModule:
        """Of every interceptor, for every point but the one before a tool."""
        module = LoadedModule("interceptors.py", "interceptors", 0)
        points: dict[type[Event], Callable[[Any, Any], Any]] = {
            SessionStart: self._at_start,
            Input: self._at_input,
            BeforeModel: self._before_model,
            AfterModel: self._after_model,
            ToolResult: self._after_tool,
            SessionShutdown: self._at_end,
        }
        for interceptor in self._interceptors:
            for event, handler in points.items():
                call = _with(handler, interceptor)
                module.handlers.append(Listener(event, call, "interceptors.py"))
        return module

    def _at_start(self, interceptor: Any, event: SessionStart) -> Any:
        said = interceptor.intercept(self._contexts.agent_startup(tools_registered=sorted(self._scenario.tools)))
        return event.replace(notes=(Note(STOP, said["reason"]),)) if said["decision"] == "deny" else None

    def _at_input(self, interceptor: Any, event: Input) -> Any:
        return _blocked(interceptor.intercept(self._contexts.input(content=event.text)), event)

    def _before_model(self, interceptor: Any, event: BeforeModel) -> Any:
        messages = json.loads(json.dumps(event.request["messages"]))
        return _blocked(interceptor.intercept(self._contexts.pre_model_call(model_id="m", messages=messages)), event)

    def _after_model(self, interceptor: Any, event: AfterModel) -> Any:
        answer = json.loads(json.dumps(event.response))
        given = {"tool_calls": answer["tool_calls"], "finish_reason": answer["finish"]}
        context = self._contexts.post_model_call(model_id="m", content=answer["content"], **given)
        blocked = _blocked(interceptor.intercept(context), event)
        if blocked is not None or answer["tool_calls"]:
            return blocked
        return _blocked(interceptor.intercept(self._contexts.output(content=answer["content"])), event)

    def _after_tool(self, interceptor: Any, event: ToolResult) -> Any:
        arguments, value = (json.loads(json.dumps(each)) for each in (event.input, event.details))
        named = {"call_id": event.call_id, "name": event.tool, "args": arguments}
        context = self._contexts.post_tool_call(**named, value=value, is_error=event.is_error)
        said = interceptor.intercept(context)
        return event.with_text(f"withheld: {said['reason']}") if said["decision"] == "deny" else None

    def _at_end(self, interceptor: Any, _event: SessionShutdown) -> None:
        interceptor.intercept(self._contexts.agent_shutdown(reason=self._reason))

    def _approve(self, request: Request, questions: tuple[Verdict, ...]) -> Any:
        """Whatever the resolver answers, for the host to make sense of."""
        if self._resolver is None:
            return False
        assert isinstance(request, ToolRequest)
        kit, call = importlib.import_module("agent_hooks"), request.call
        arguments = json.loads(json.dumps(call.input))
        context = self._contexts.pre_tool_call(call_id=call.call_id, name=call.tool, args=arguments)
        denied = kit.Verdict.from_wire({"decision": "deny", "reason": questions[0].why, "approval": {}})
        asked = kit.ApprovalRequest(None, kit.InterceptionPoint.PRE_TOOL_CALL, denied, context)
        resolution = self._resolver.resolve(asked)
        said = resolution.verdict
        if said is not None and said.decision.value in ("allow", "deny"):
            return Verdict(said.decision.value, why=said.reason or "")
        return resolution


def _with(handler: Callable[[Any, Any], Any], interceptor: Any) -> Callable[[Any], Any]:
    return lambda event: handler(interceptor, event)


def _blocked(said: Any, event: Any) -> Any:
    return event.replace(blocked=True, reason=said.get("reason", "")) if said["decision"] == "deny" else None


def _transformed(context: Any, transform: Any) -> Any:
    core = importlib.import_module("agent_hooks._core")
    value = json.dumps(transform["value"])
    changed = core.apply_transform_ctx(json.dumps(context), transform["path"], value)
    return json.loads(changed)["tool_call"]["args"]
