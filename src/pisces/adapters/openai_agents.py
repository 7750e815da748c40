"""The OpenAI Agents SDK: `gated(agent, host)` is the agent with everything that it can reach behind the host's gates.

The SDK has no hook of a run that can deny a call or change its input. So the gated agent is of a subclass whose tools,
handoffs and guardrails are gated where they are read, and whoever copies or clones it gets a gated one.
"""

from __future__ import annotations

import copy
import weakref
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from agents import Agent, GuardrailFunctionOutput, Handoff, InputGuardrail, OutputGuardrail, handoff

from pisces.adapters.calls import AdaptedCall, calls_of, denial, running
from pisces.adapters.conversation import AgentRun, PromptBlocked
from pisces.adapters.openai_tools import gated_tool, object_in, of_server, offered_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from pisces.adapters.calls import HostCalls
    from pisces.host.host import Host
    from pisces.shapes.tool import Tool

_DENIED = "_pisces_denied"
_CONTEXT, _RUN = "_pisces_context", "_pisces_run"
_INPUT, _OUTPUT = "pisces: prompt", "pisces: stop"

# The gates of the tool call in which an agent runs that is somebody's tool.
_calling: ContextVar[AgentGates | None] = ContextVar("pisces_openai_calling", default=None)


def gated(agent: Agent[Any], host: Host, *, ungated: Collection[str] = ()) -> Agent[Any]:
    """A copy of the agent whose calls pass the host's gates, with the host's tools and instructions.

    Handoff targets and agents as tools are gated, too. `ungated` names tools that may run without being judged,
    because the provider runs them. Raises `UngatedTool` for others of that kind.
    """
    if not isinstance(agent, Agent):
        raise TypeError(f"an Agent can be gated, and not a {type(agent).__name__}")
    made = AgentGates(calls_of(host), frozenset(ungated)).agent(agent)
    _ = made.tools, made.handoffs  # what cannot be guarded is refused now, not in the middle of a run
    return made


class AgentGates:
    """What the agents of one host ask. `run` is set for an agent that is another one's tool."""

    def __init__(self, calls: HostCalls, ungated: frozenset[str], run: AgentRun | None = None) -> None:
        self.calls, self.ungated, self.run = calls, ungated, run
        self._gated: dict[int, tuple[Any, Any]] = {}  # by the id of the original, which is held so that it stays one

    def agent(self, agent: Agent[Any]) -> Agent[Any]:
        present = getattr(agent, "own_gates", None)
        if present is not None and present.calls is self.calls:
            return agent
        return self._once(agent, self._copied)

    def _copied(self, agent: Agent[Any]) -> Agent[Any]:
        made: Any = copy.copy(agent)
        made.__class__ = _gated_class(type(agent), self)
        for field in ("tools", "handoffs", "input_guardrails", "output_guardrails"):
            vars(made)[field] = list(vars(agent)[field])
        return made

    def _once(self, original: Any, make: Callable[[Any], Any]) -> Any:
        if id(original) not in self._gated:
            self._gated[id(original)] = (original, make(original))
        return self._gated[id(original)][1]

    def tool(self, tool: Any) -> Any:
        inner = getattr(tool, "_agent_instance", None)
        if isinstance(inner, Agent) and not hasattr(inner, "own_gates"):
            inner.__class__ = _gated_class(type(inner), None)
        return gated_tool(self, tool)

    def tools(self, tools: list[Any], _owner: Any) -> list[Any]:
        return [self._once(each, self.tool) if self.run else self.tool(each) for each in tools]

    def handoffs(self, handoffs: list[Any], owner: Any) -> list[Any]:
        return [self._handoff(each, owner) for each in handoffs]

    def _handoff(self, given: Any, owner: Any) -> Any:
        if isinstance(getattr(given, "on_invoke_handoff", None), _GatedHandoff):
            return given
        made = copy.copy(given) if isinstance(given, Handoff) else handoff(self.agent(given))
        target = made._agent_ref() if made._agent_ref is not None else None
        if target is not None:
            made._agent_ref = weakref.ref(self.agent(target))
        spoken = made.get_transfer_message
        made.on_invoke_handoff = _GatedHandoff(self, made, owner)
        made.get_transfer_message = lambda agent: vars(agent).get(_DENIED) or spoken(agent)
        return made

    def input_guardrails(self, guardrails: list[Any], _owner: Any) -> list[Any]:
        if any(each.name == _INPUT for each in guardrails):
            return guardrails
        return [*guardrails, InputGuardrail(self._prompted, name=_INPUT, run_in_parallel=False)]

    def output_guardrails(self, guardrails: list[Any], _owner: Any) -> list[Any]:
        if any(each.name == _OUTPUT for each in guardrails):
            return guardrails
        return [*guardrails, OutputGuardrail(self._stopped, name=_OUTPUT)]

    async def _prompted(self, context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
        """A tripwire is the SDK's way to say that a prompt is not sent. It has none to send another prompt instead."""
        run, text = self.run or AgentRun(self.calls, agent.name), text_of(given)
        try:
            prompted = await run.prompted(text)
        except PromptBlocked as blocked:
            return GuardrailFunctionOutput(str(blocked), tripwire_triggered=True)
        if prompted.text != text:
            return GuardrailFunctionOutput("an extension rewrote the prompt", tripwire_triggered=True)
        setattr(context, _RUN, run)
        setattr(context, _CONTEXT, "\n\n".join(prompted.context))
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    async def _stopped(self, context: Any, agent: Any, output: Any) -> GuardrailFunctionOutput:
        """The SDK cannot go on after the last answer: hooks hear of the end, and cannot put it off."""
        run = self.run or getattr(context, _RUN, None) or AgentRun(self.calls, agent.name)
        await run.stopping(str(output))
        return GuardrailFunctionOutput(None, tripwire_triggered=False)

    async def judged(self, call: AdaptedCall) -> AdaptedCall:
        return await (self.run or self.calls).judged(call)

    @contextmanager
    def inside(self, call: AdaptedCall, agent: Agent[Any] | None) -> Iterator[None]:
        """While a tool runs. If it is an agent, that agent asks the same gates, in its own name."""
        with running(call):
            inner = AgentGates(self.calls, self.ungated, AgentRun(self.calls, agent.name)) if agent else _calling.get()
            token = _calling.set(inner)
            try:
                yield
            finally:
                _calling.reset(token)


class _GatedHandoff:
    """Judged as the call of a tool. If it is denied, the agent stays, and its model reads why."""

    def __init__(self, gates: AgentGates, made: Any, owner: Any) -> None:
        self._gates, self._tool, self._owner = gates, made.tool_name, owner
        self._inner, self._ref = made.on_invoke_handoff, made._agent_ref

    async def __call__(self, context: Any, raw: str) -> Any:
        given = object_in(raw) or ({"input": raw} if raw else {})
        call = await self._gates.judged(AdaptedCall(self._tool, "", given))
        if call.denied or dict(call.input) != given:
            stays = copy.copy(self._owner)
            vars(stays)[_DENIED] = call.denied or denial("", "a hook changed a handoff")
            return stays
        agent = await self._inner(context, raw)
        return self._gates.agent(agent)


def _gated_field(name: str) -> property:
    """Reads a list of the agent with everything in it gated. What is appended to it later is gated when it is read."""

    def read(agent: Any) -> Any:
        found, gates = vars(agent).get(name), gates_of(agent)
        if gates is None or not isinstance(found, list):
            return found
        made = getattr(gates, name)(found, agent)
        if agent.own_gates is None:
            return made
        if len(found) != len(made) or any(old is not new for old, new in zip(found, made, strict=True)):
            found[:] = made
        return found

    def write(agent: Any, value: Any) -> None:
        vars(agent)[name] = value

    return property(read, write)


def gates_of(agent: Any) -> AgentGates | None:
    """Those that the agent was gated with. An agent that is somebody's tool has those of the call."""
    return getattr(agent, "own_gates", None) or _calling.get()


def _gated_class(of: Any, gates: AgentGates | None) -> Any:
    """A subclass without fields of its own, so that an agent can become one: its class is assigned."""
    plain = getattr(of, "plain_class", of)

    class AskingAgent(plain):  # type: ignore[misc, valid-type]  # the class is only known now
        own_gates = gates
        plain_class = plain
        tools = _gated_field("tools")
        handoffs = _gated_field("handoffs")
        input_guardrails = _gated_field("input_guardrails")
        output_guardrails = _gated_field("output_guardrails")

        async def get_mcp_tools(self, run_context: Any) -> list[Any]:
            return [of_server(each) for each in await super().get_mcp_tools(run_context)]

        async def get_all_tools(self, run_context: Any) -> list[Any]:
            tools, asked = await super().get_all_tools(run_context), gates_of(self)
            return all_tools(asked, tools, await asked.calls.offered()) if asked else tools

        async def get_system_prompt(self, run_context: Any) -> str | None:
            prompt, asked = await super().get_system_prompt(run_context), gates_of(self)
            if getattr(run_context, _RUN, None):
                getattr(run_context, _RUN).check()
            instructions = await asked.calls.instructed() if asked else ""
            return "\n\n".join(filter(None, (prompt, instructions, getattr(run_context, _CONTEXT, "")))) or None

    AskingAgent.__name__ = AskingAgent.__qualname__ = plain.__name__
    return AskingAgent


def all_tools(gates: AgentGates, tools: list[Any], offered: Sequence[Tool]) -> list[Any]:
    """With the host's. Those of the framework's own MCP servers are new each time, and not gated yet."""
    tools = [gates.tool(each) for each in tools]
    taken = {each.name for each in tools}
    return [*tools, *(offered_tool(gates, each) for each in offered if each.name not in taken)]


def text_of(given: str | list[Any]) -> str:
    """What the user says in the input of a run: the last message."""
    last = given if isinstance(given, str) or not given else given[-1]
    content = last.get("content", "") if isinstance(last, dict) else last
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content if isinstance(part, dict) and "text" in part)
