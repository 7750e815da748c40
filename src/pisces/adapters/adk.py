"""A host in Google's Agent Development Kit: one plugin brings instructions, tools, gates and session events.

    async with Host.open(".", approve) as host:
        app = App(name="boat", root_agent=agent, plugins=[PiscesPlugin(host)])

A plugin sees every agent of a run, inner ones and those that take over included. Callbacks of agents and of other
plugins may change a call after this plugin has seen it. So calls are judged where the tool runs: requests to the model
have copies of the tools that ask first. A tool that comes from elsewhere is judged in the callback.
"""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.runners import Runner
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_tool import BaseTool
from google.genai import types

from pisces.adapters.blocked import without_prompt
from pisces.adapters.calls import AdaptedCall, calls_of, running, text_for_model
from pisces.adapters.conversation import AgentRun, AgentStopped, PromptBlocked
from pisces.adapters.loop_thread import refuse_waiting
from pisces.adapters.server_names import spelled
from pisces.adapters.ungated import refuse_ungated
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from pisces.host.host import Host
    from pisces.shapes.tool import Tool

_MOST_RUNS = 1_000  # that are remembered: one that fails may not say so
_ELSEWHERE = ("LangGraphAgent", "ManagedAgent", "RemoteA2aAgent")  # agents whose tools no callback sees
_BLOCKED = "(This prompt was blocked.)"
_INSTEAD = "`runner.run_async(...)`, or a host in a thread"


class AdkTool(BaseTool):
    """A tool of the host, which judges and runs it."""

    def __init__(self, plugin: PiscesPlugin, tool: Tool) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._plugin, self._tool = plugin, tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        schema = arguments_of(self._tool.parameters)
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> Any:
        result = await self._plugin.calls.called(self.name, args, tool_context.function_call_id or "")
        self._plugin.run_of(tool_context.invocation_id).note(result.notes)
        return {"error" if result.is_error else "result": text_for_model(result)}


class PiscesPlugin(BasePlugin):
    """`ungated` names what no gate sees and the program accepts: tools that run at the provider, `code_executor`, an
    agent on another machine, an `AgentTool` without plugins. Anything else of that kind is refused.
    """

    def __init__(self, host: Host, ungated: Collection[str] = (), name: str = "pisces") -> None:
        super().__init__(name=name)
        self.calls, self._ungated = calls_of(host), ungated
        self._runs: dict[str, AgentRun] = {}
        self._blocked: dict[str, str] = {}
        self._denied: set[int] = set()  # contexts of calls that did not run, until the framework has said so

    def run_of(self, invocation_id: str, agent: str = "") -> AgentRun:
        if invocation_id not in self._runs:
            for old in list(self._runs)[: max(0, len(self._runs) - _MOST_RUNS)]:
                del self._runs[old]
            self._runs[invocation_id] = AgentRun(self.calls, agent)
        return self._runs[invocation_id]

    async def on_user_message_callback(self, *, invocation_context: Any, user_message: Any) -> Any:
        refuse_waiting(self.calls, Runner.run.__code__, _INSTEAD)
        texts = [part.text for part in user_message.parts or () if part.text]
        if not texts:  # the answer to a question of a tool
            return None
        text = "\n".join(texts)
        run = self.run_of(invocation_context.invocation_id, invocation_context.agent.name)
        try:
            prompted = await run.prompted(text)
        except PromptBlocked as blocked:
            self._blocked[invocation_context.invocation_id] = without_prompt(str(blocked), text)
            del self._runs[invocation_context.invocation_id]
            return _content("user", _BLOCKED)  # or the next request would have it
        if prompted.text == text and not prompted.context:
            return None
        parts = list(user_message.parts)
        if prompted.text != text:
            parts = [types.Part(text=prompted.text), *(part for part in parts if not part.text)]
        parts += [types.Part(text=each) for each in prompted.context]
        return types.Content(role=user_message.role, parts=parts)

    async def before_run_callback(self, *, invocation_context: Any) -> Any:
        """A value ends the run before it begins."""
        reason = self._blocked.pop(invocation_context.invocation_id, "")
        return _content("model", reason) if reason else None

    async def before_agent_callback(self, *, agent: Any, callback_context: Any) -> None:  # noqa: ARG002
        if getattr(agent, "code_executor", None) is not None:
            refuse_ungated(["code_executor"], self._ungated)
        if any(kind.__name__ in _ELSEWHERE for kind in type(agent).__mro__):
            refuse_ungated([agent.name], self._ungated)

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> Any:
        """For each request: the host's instructions and tools as they are now, and every tool gated."""
        try:
            self.run_of(callback_context.invocation_id, callback_context.agent_name).check()
        except AgentStopped as stopped:
            return LlmResponse(content=_content("model", str(stopped)))
        instructions = await self.calls.instructed()
        if instructions:
            _instruct(llm_request, instructions)
        refuse_ungated(_at_the_provider(llm_request.config.tools or ()), self._ungated)
        tools = llm_request.tools_dict
        hidden = [tool.name for tool in tools.values() if isinstance(tool, AgentTool) and not tool.include_plugins]
        refuse_ungated(hidden, self._ungated)
        if callback_context._invocation_context.live_request_queue is None:  # a live call may bypass `run_async`
            tools.update({name: self._gated(tool) for name, tool in tools.items()})
        offered = [AdkTool(self, each) for each in await self.calls.offered() if each.name not in tools]
        llm_request.append_tools(offered)
        return None

    def _gated(self, tool: Any) -> Any:
        """A copy: the program may use its tool elsewhere."""
        if isinstance(tool, AdkTool) or isinstance(getattr(tool, "run_async", None), _GatedRun):
            return tool
        made = copy.copy(tool)
        made.run_async = _GatedRun(self, tool)
        return made

    async def before_tool_callback(self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any) -> Any:
        if isinstance(tool, AdkTool) or isinstance(tool.run_async, _GatedRun):
            return None
        call = await self.judged(tool, tool_args, tool_context)
        if call.denied:
            self._denied.add(id(tool_context))
            return {"error": call.denied}
        tool_args.clear()  # the framework runs the tool with this very object
        tool_args.update(call.input)
        return None

    async def after_tool_callback(self, *, tool: Any, tool_args: Any, tool_context: Any, result: Any) -> Any:
        if isinstance(tool, AdkTool) or isinstance(tool.run_async, _GatedRun):
            return None
        if id(tool_context) in self._denied:
            self._denied.remove(id(tool_context))
            return None
        call = _call_of(tool, tool_args, tool_context)
        left = await self.finished(call, tool_context, result)
        return None if left is result else left if isinstance(left, dict) else {"result": left}

    async def judged(self, tool: Any, args: dict[str, Any], tool_context: Any) -> AdaptedCall:
        return await self.run_of(tool_context.invocation_id).judged(_call_of(tool, args, tool_context))

    async def finished(self, call: AdaptedCall, tool_context: Any, result: Any) -> Any:
        """The tool's own value where nobody changes it."""
        shown = _shown(result)
        left = await self.run_of(tool_context.invocation_id).finished(call, shown)
        if left == shown:
            return result
        return {"result": left} if isinstance(result, dict) else left

    async def after_run_callback(self, *, invocation_context: Any) -> None:
        """The framework cannot go on from here: hooks hear of the end, and cannot put it off."""
        run = self._runs.pop(invocation_context.invocation_id, None)
        if run is not None:
            await run.stopping(_last_text(invocation_context.session.events))

    async def on_run_error_callback(self, *, invocation_context: Any, error: Exception) -> None:  # noqa: ARG002
        self._runs.pop(invocation_context.invocation_id, None)


class _GatedRun:
    """Takes the place of a tool's `run_async`."""

    def __init__(self, plugin: PiscesPlugin, tool: Any) -> None:
        self._plugin, self._tool = plugin, tool

    async def __call__(self, *, args: dict[str, Any], tool_context: Any) -> Any:
        plugin = self._plugin
        call = await plugin.judged(self._tool, args, tool_context)
        if call.denied:
            return {"error": call.denied}
        try:
            with running(call):
                result = await self._tool.run_async(args=call.input, tool_context=tool_context)
        except Exception as error:
            run = plugin.run_of(tool_context.invocation_id)
            await run.finished(call, str(error) or type(error).__name__, is_error=True)
            raise
        if result is None and (self._tool.is_long_running or self._tool._defers_response):
            return None  # the result comes later
        return await plugin.finished(call, tool_context, result)


def _instruct(llm_request: Any, instructions: str) -> None:
    """The framework drops instructions, with a line in a log, where those of the program are not a text."""
    own = llm_request.config.system_instruction
    if own is None or isinstance(own, str):
        llm_request.append_instructions([instructions])
    else:
        parts = own if isinstance(own, list) else [own]
        llm_request.config.system_instruction = [*parts, types.Part(text=instructions)]


def _at_the_provider(tools: Any) -> list[str]:
    """The tools in a request that are no functions."""
    found: list[str] = []
    for tool in tools:
        fields = tool.model_dump(exclude_none=True) if isinstance(tool, types.Tool) else {type(tool).__name__: tool}
        found += [name for name in fields if name != "function_declarations"]
    return found


def _call_of(tool: Any, args: dict[str, Any], tool_context: Any) -> AdaptedCall:
    """A tool of an MCP server has a name for it, so that it does not pass as a built-in one."""
    server = "server" if any(kind.__name__ in ("McpTool", "MCPTool") for kind in type(tool).__mro__) else ""
    return AdaptedCall(spelled(server, tool.name), tool_context.function_call_id or "", args, server=server)


def _content(role: str, text: str) -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text)])


def _shown(result: Any) -> str:
    """What hooks read of a result. The framework puts a bare value into `{"result": ...}` for the model."""
    value = result["result"] if isinstance(result, dict) and set(result) == {"result"} else result
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _last_text(events: Any) -> str:
    for event in reversed(events):
        texts = [part.text for part in (event.content.parts if event.content else None) or () if part.text]
        if texts and event.author != "user":
            return "".join(texts)
    return ""
