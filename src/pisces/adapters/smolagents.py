"""A host in smolagents: an agent whose tools, and whose managed agents' tools, run past the gates.

    with host_in_thread(".", approve) as host:
        agent = gated(ToolCallingAgent(tools=[...], model=model), host)

smolagents has no place for a gate before a tool, so every tool is replaced by one that asks first. Code that a
`CodeAgent` runs is not a tool: it is refused unless the program accepts that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from smolagents import CodeAgent
from smolagents.models import MessageRole

from pisces.adapters.calls import AdaptedCall, calls_of, running
from pisces.adapters.conversation import AgentRun
from pisces.adapters.smolagents_tools import gated_mapping, gated_tool, new_id, offer_tools
from pisces.adapters.ungated import refuse_ungated

if TYPE_CHECKING:
    from pisces.adapters.calls import HostCalls
    from pisces.host.host import Host

CODE, REMOTE_CODE = "code", "remote code"


def gated(agent: Any, host: Host, ungated: Collection[str] = ()) -> Any:
    """The same agent, gated from now on, with all agents that it manages.

    `ungated` accepts what no gate sees: `code` for the Python code of a `CodeAgent`, whose tools are gated still, and
    `remote code` for one that runs elsewhere, tools included. Raises `UngatedTool` for what is not accepted.
    """
    return _gated(agent, calls_of(host), tuple(ungated))


def _gated(agent: Any, calls: HostCalls, ungated: Collection[str]) -> Any:
    if isinstance(agent, GatedAgent):
        return agent
    _refuse_code(agent, ungated)
    gate = AgentGate(calls, ungated)
    agent.__class__ = _gated_class(type(agent), gate)
    agent.tools, agent.managed_agents = agent.tools, agent.managed_agents  # which gates them
    agent.final_answer_checks = [*(agent.final_answer_checks or ()), gate.stop_check()]
    return agent


def _refuse_code(agent: Any, accepted: Collection[str]) -> None:
    """Before anything is changed."""
    if isinstance(agent, CodeAgent):
        is_local = getattr(agent, "executor_type", "local") == "local"
        refuse_ungated([CODE] if is_local else [CODE, REMOTE_CODE], accepted)
    for each in agent.managed_agents.values():
        _refuse_code(each, accepted)


class GatedAgent:
    """Every gated agent is one."""

    __slots__ = ()  # or its class could not take the place of the agent's own


def _gated_class(kind: Any, gate: AgentGate) -> Any:
    """The class of one agent. Code of a `CodeAgent` may read attributes of agents, so the gate is none of them."""

    class GatedKind(kind, GatedAgent):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, gate.owned(name, value))

        def run(self, task: str, stream: bool = False, *given: Any, **named: Any) -> Any:
            prompt = gate.begun(self, task)
            made = super().run(prompt, stream, *given, **named)
            return gate.streamed(made) if stream else gate.ended(made)

        def write_memory_to_messages(self, summary_mode: bool = False) -> list[Any]:
            """For each request to the model: with fresh instructions and the tools that the host has now."""
            messages: list[Any] = super().write_memory_to_messages(summary_mode)
            is_request = not summary_mode and bool(messages) and messages[0].role == MessageRole.SYSTEM
            return gate.instructed(self, messages) if is_request else messages

        def __call__(self, task: str, **named: Any) -> Any:
            """A managed agent is called by another one, as a tool."""
            begin = super().__call__
            return gate.called(self.name, task, lambda task: begin(task, **named))

    GatedKind.__name__, GatedKind.__qualname__, GatedKind.__module__ = kind.__name__, kind.__qualname__, kind.__module__
    return GatedKind


class AgentGate:
    """What happens around the calls of one agent."""

    def __init__(self, calls: HostCalls, ungated: Collection[str]) -> None:
        self._calls, self._ungated, self._run = calls, ungated, AgentRun(calls)

    def run_now(self) -> AgentRun:
        return self._run

    def owned(self, name: str, value: Any) -> Any:
        """An attribute as a gated agent has it: tools and agents that it gets later are gated as well."""
        if name == "tools":
            return gated_mapping(value, lambda tool: gated_tool(tool, self.run_now))
        if name == "managed_agents":
            return gated_mapping(value, lambda agent: _gated(agent, self._calls, self._ungated))
        return value

    def stop_check(self) -> Callable[..., bool]:
        def stop_hooks(answer: Any, *_given: Any, **_named: Any) -> bool:
            return self.may_stop(answer)

        return stop_hooks

    def begun(self, agent: Any, task: str) -> str:
        """The prompt as it may be sent."""
        self._run = AgentRun(self._calls, agent.name or "")
        prompted = self._calls.wait_for(self._run.prompted(task))
        offer_tools(agent.tools, self._calls, self.run_now)
        return prompted.whole

    def may_stop(self, answer: Any) -> bool:
        """Raises if a hook does not let the agent stop: it goes on, and the model reads why."""
        reason = self._calls.wait_for(self._run.stopping(str(answer)))
        if reason:
            raise ValueError(reason)
        return True

    def streamed(self, steps: Iterator[Any]) -> Iterator[Any]:
        last: Any = None
        for step in steps:
            last = step
            yield step
        self.ended(last)

    def ended(self, made: Any) -> Any:
        """An agent that ran out of steps has not been asked whether it may stop."""
        if not self._run.has_stopped:
            self._calls.wait_for(self._run.stopping(str(getattr(made, "output", made))))
        return made

    def instructed(self, agent: Any, messages: list[Any]) -> list[Any]:
        self._run.check()
        offer_tools(agent.tools, self._calls, self.run_now)
        instructions = self._calls.wait_for(self._calls.instructed())
        return [_instructed(messages[0], instructions), *messages[1:]] if instructions else messages

    def called(self, name: str | None, task: str, begin: Callable[[str], Any]) -> Any:
        wait_for, asking = self._calls.wait_for, AgentRun(self._calls)
        call = wait_for(asking.judged(AdaptedCall(name or "agent", new_id(), {"task": task})))
        if call.denied:
            return call.denied
        with running(call):
            answer = begin(str(call.input.get("task", "")))
        return wait_for(asking.finished(call, str(answer)))


def _instructed(message: Any, instructions: str) -> Any:
    if isinstance(message.content, str):
        return replace(message, content=f"{message.content}\n\n{instructions}")
    return replace(message, content=[*message.content, {"type": "text", "text": f"\n\n{instructions}"}])
