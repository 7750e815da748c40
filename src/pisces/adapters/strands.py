"""A host in Strands Agents: one provider of hooks brings instructions, tools, gates and session events.

    async with Host.open(".", approve) as host:
        agent = Agent(model, hooks=[PiscesHooks(host)])

Calls are judged after every other hook had its say, so what was judged is what runs. So are calls of the program,
`agent.tool.name()`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from strands import Agent
from strands._async import run_async
from strands.hooks import (
    AfterInvocationEvent,
    AfterToolCallEvent,
    AgentInitializedEvent,
    BeforeInvocationEvent,
    BeforeModelCallEvent,
    BeforeNodeCallEvent,
    BeforeToolCallEvent,
    HookOrder,
    HookProvider,
)
from strands.middleware import InvokeModelStage
from strands.multiagent.base import MultiAgentBase
from strands.tools.tools import PythonAgentTool

from pisces.adapters.blocked import without_prompt
from pisces.adapters.calls import AdaptedCall, calls_of, denial, running, text_for_model
from pisces.adapters.conversation import AgentRun, AgentStopped, PromptBlocked
from pisces.adapters.loop_thread import refuse_waiting
from pisces.adapters.server_names import spelled
from pisces.adapters.ungated import refuse_ungated
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pisces.host.host import Host
    from pisces.shapes.tool import Tool

_LAST = HookOrder.SDK_LAST + 1  # after an event the order is reversed, and this the first
_INSTEAD = "`await agent.invoke_async(...)`, or a host in a thread"


class StrandsTool(PythonAgentTool):
    """A tool of the host, which judges and runs it."""


class Known:
    """What is remembered of one agent."""

    def __init__(self, is_inner: bool) -> None:
        self.is_inner = is_inner
        self.run: AgentRun | None = None
        self.goes_on = ""  # the prompt with which a hook makes it go on, which is no prompt of the user
        self.calls: dict[str, list[AdaptedCall]] = {}  # that run, by their ids, of which a model may use one twice
        self.offered: dict[str, StrandsTool] = {}


class PiscesHooks(HookProvider):
    """Agents that are tools of the agent, and nodes of a graph or a swarm with these hooks, are gated with it.

    `ungated` names nodes that no gate sees, such as agents on other machines, and that the program accepts.
    """

    def __init__(self, host: Host, ungated: Collection[str] = ()) -> None:
        self._calls, self._ungated = calls_of(host), ungated
        self._agents: WeakKeyDictionary[Any, Known] = WeakKeyDictionary()
        self._orchestras: WeakKeyDictionary[Any, None] = WeakKeyDictionary()

    def register_hooks(self, registry: Any, **_: Any) -> None:
        registry.add_callback(AgentInitializedEvent, lambda event: self._known(event.agent) and None)
        registry.add_callback(BeforeInvocationEvent, self._prompted, order=_LAST)
        registry.add_callback(BeforeModelCallEvent, self._asked, order=_LAST)
        registry.add_callback(BeforeToolCallEvent, self._called, order=_LAST)
        registry.add_callback(AfterToolCallEvent, self._finished, order=_LAST)
        registry.add_callback(AfterInvocationEvent, self._stopping, order=_LAST)
        registry.add_callback(BeforeNodeCallEvent, self._node)

    def _known(self, agent: Any) -> Known:
        if agent not in self._agents:
            self._agents[agent] = Known(is_inner=False)
            agent.add_middleware(InvokeModelStage.Input, self._instructed)
        return self._agents[agent]

    def _gate(self, agent: Any) -> Known:
        """An agent that the program did not give these hooks."""
        if agent in self._agents:
            return self._agents[agent]
        agent.hooks.add_hook(self)
        return self._known(agent)

    def _reach(self, tool: Any) -> None:
        inner = getattr(tool, "agent", None)
        if isinstance(inner, Agent) and inner not in self._agents:
            self._gate(inner).is_inner = True

    async def _node(self, event: Any) -> None:
        """Of a graph or a swarm. What cannot be gated does not run."""
        executor = event.source.nodes[event.node_id].executor
        if isinstance(executor, Agent):
            self._gate(executor)
        elif isinstance(executor, MultiAgentBase) and hasattr(executor, "hooks"):
            if executor not in self._orchestras:
                self._orchestras[executor] = None
                executor.hooks.add_hook(self)
        else:
            refuse_ungated([event.node_id], self._ungated)

    async def _prompted(self, event: Any) -> None:
        refuse_waiting(self._calls, run_async.__code__, _INSTEAD)
        known, text = self._known(event.agent), _text_of(event.messages)
        if known.goes_on and known.goes_on == text:
            return
        known.run, known.goes_on = self._begun(known, event.agent), ""
        if not text:  # an interrupted agent is resumed
            return
        try:
            prompted = await known.run.prompted(text)
        except PromptBlocked as blocked:
            event.cancel, known.run = without_prompt(str(blocked), text), None
            return
        if prompted.text != text or prompted.context:
            event.messages = _with_text(event.messages, prompted.text, text, prompted.context)

    def _begun(self, known: Known, agent: Any) -> AgentRun:
        if not known.is_inner:
            return AgentRun(self._calls, agent.name)
        with running(AdaptedCall(agent.name, "", {})):
            return AgentRun(self._calls, agent.name)

    async def _asked(self, event: Any) -> None:
        """Before each request to the model: the host's tools may have changed."""
        known, registry = self._known(event.agent), event.agent.tool_registry
        try:
            (known.run or self._begun(known, event.agent)).check()
        except AgentStopped as stopped:
            event.cancel = str(stopped)
            return
        offered = {tool.name: self._offered(tool) for tool in await self._calls.offered()}
        for name in known.offered:
            if isinstance(registry.registry.get(name), StrandsTool):
                del registry.registry[name]
        known.offered = {name: tool for name, tool in offered.items() if name not in registry.registry}
        registry.registry.update(known.offered)

    def _offered(self, tool: Tool) -> StrandsTool:
        async def call(tool_use: Any, **_: Any) -> Any:
            result = await self._calls.called(tool.name, tool_use["input"], tool_use["toolUseId"])
            status = "error" if result.is_error else "success"
            return {"toolUseId": tool_use["toolUseId"], "status": status, "content": [{"text": text_for_model(result)}]}

        schema = {"json": arguments_of(tool.parameters)}
        return StrandsTool(tool.name, {"name": tool.name, "description": tool.description, "inputSchema": schema}, call)

    async def _instructed(self, context: Any) -> Any:
        instructions = await self._calls.instructed()
        prompt = context.system_prompt
        if isinstance(prompt, list):
            return context.replace(system_prompt=[*prompt, {"text": instructions}] if instructions else prompt)
        return context.replace(system_prompt="\n\n".join(filter(None, (prompt, instructions))) or None)

    async def _called(self, event: Any) -> None:
        """Never raises: what fails is a denial that the model reads."""
        tool = event.selected_tool
        if event.cancel_tool or (_is_harmless(tool) and tool.tool_name == event.tool_use["name"]):
            return
        try:
            refuse_waiting(self._calls, run_async.__code__, _INSTEAD)
            self._reach(tool)
            await self._judge(event)
        except Exception as error:  # noqa: BLE001  # nothing runs that could not be judged
            event.cancel_tool = denial("", f"{error or type(error).__name__}")

    async def _judge(self, event: Any) -> None:
        known, use = self._known(event.agent), event.tool_use
        run = known.run or AgentRun(self._calls, event.agent.name)  # none where the program calls a tool directly
        given = use["input"] if isinstance(use["input"], dict) else {"input": use["input"]}
        call = AdaptedCall(use["name"], use["toolUseId"], given)
        for server, name in _origins(event.selected_tool, use["name"]):
            call = await run.judged(call.replace(tool=spelled(server, name), server=server))
            if call.denied:
                event.cancel_tool = call.denied
                return
        known.calls.setdefault(use["toolUseId"], []).append(call)
        if call.input != given:
            event.tool_use = {**use, "input": call.input}
            state = event.invocation_state  # has the arguments of a direct call, too
            state.update({key: value for key, value in call.input.items() if key in state and key in given})

    async def _finished(self, event: Any) -> None:
        known, call_id = self._known(event.agent), event.tool_use["toolUseId"]
        calls = known.calls.get(call_id)
        if event.cancel_message is not None or not calls:
            return
        call = calls.pop(0)
        if not calls:
            del known.calls[call_id]
        content, failed = event.result["content"], event.result.get("status") == "error"
        texts = [part for part in content if "text" in part or "json" in part]
        text = "\n".join(part["text"] if "text" in part else json.dumps(part["json"]) for part in texts)
        run = known.run or AgentRun(self._calls, event.agent.name)
        left = await run.finished(call, text, is_error=failed)
        if left != text:
            event.result = {
                **event.result,
                "content": [{"text": left}, *(part for part in content if part not in texts)],
            }

    async def _stopping(self, event: Any) -> None:
        known = self._known(event.agent)
        if known.run is None or event.result is None or event.result.stop_reason != "end_turn":
            return
        known.goes_on = await known.run.stopping(str(event.result).strip())
        if known.goes_on:
            event.resume = known.goes_on


def _text_of(messages: Sequence[Any] | None) -> str:
    """What the user says in the messages of an invocation."""
    parts = [part for message in messages or () if message["role"] == "user" for part in message["content"]]
    return "\n".join(part["text"] for part in parts if "text" in part)


def _with_text(messages: Sequence[Any], text: str, before: str, context: Sequence[str]) -> list[Any]:
    """A prompt that was rewritten takes the place of all text, and what hooks add stands after it."""
    *earlier, last = messages
    content = list(last["content"])
    if text != before:
        earlier = [{**each, "content": [part for part in each["content"] if "text" not in part]} for each in earlier]
        content = [{"text": text}, *(part for part in content if "text" not in part)]
    return [
        *(each for each in earlier if each["content"]),
        {**last, "content": [*content, *({"text": each} for each in context)]},
    ]


def _is_harmless(tool: Any) -> bool:
    """One that the host judges itself, or one that runs nothing: its input is the answer."""
    return isinstance(tool, StrandsTool) or getattr(tool, "tool_type", "") == "structured_output"


def _origins(tool: Any, name: str) -> list[tuple[str, str]]:
    """By which names a call is judged, each with its MCP server: another hook may have chosen another tool."""
    server = getattr(getattr(tool, "mcp_client", None), "_prefix", None) or "server"
    inner = getattr(tool, "mcp_tool", None)
    own = getattr(tool, "tool_name", name)
    chosen = (server, inner.name) if inner is not None else ("", own)
    return [chosen] if own == name else [("", name), chosen]
