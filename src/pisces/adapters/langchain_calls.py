"""One call of a tool in LangChain: judged, checked again where it runs, its messages past the hooks."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import ToolMessage
from langchain_core.runnables.config import merge_configs
from langchain_core.tools import StructuredTool, ToolException
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from pisces.adapters.calls import AdaptedCall, running, running_call, text_for_model
from pisces.adapters.server_names import is_of_server, spelled
from pisces.formats.json_copy import same_json
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from pisces.adapters.calls import HostCalls
    from pisces.adapters.conversation import AgentRun
    from pisces.shapes.tool import Tool

_CHANGED = "Blocked by the host: another middleware changed the input after it was judged. List PiscesMiddleware last"
_REWRITTEN = "a hook changed the input, and inside of another tool that cannot be done"


class InnerCallDenied(Exception):
    """A tool inside of a tool may not run. The text is for the model."""


class HostTool(StructuredTool):
    """A tool of the host, which judges its calls itself."""


def host_tool(calls: HostCalls, tool: Tool) -> HostTool:
    async def run(**given: Any) -> str:
        result = await calls.called(tool.name, given)
        text = text_for_model(result)
        if result.is_error:
            raise ToolException(text)
        return text

    def run_now(**given: Any) -> str:
        return calls.wait_for(run(**given))

    return HostTool(
        name=tool.name,
        description=tool.description or tool.name,
        args_schema=arguments_of(tool.parameters),
        func=run_now,
        coroutine=run,
        handle_tool_error=True,
    )


def message_for(call: Any, text: str, status: str = "error") -> ToolMessage:
    return ToolMessage(text, tool_call_id=call["id"] or "", name=call["name"], status=status)


class GatedCall:
    """`request` is that of the tool node; after `judged` it has the input that may run."""

    def __init__(self, run: AgentRun, request: Any) -> None:
        self.request = request
        self._run = run
        call, tool = request.tool_call, request.tool
        runs = getattr(tool, "coroutine", None) or getattr(tool, "func", None)
        server = "server" if is_of_server(tool) or is_of_server(runs) else ""
        self._call = AdaptedCall(spelled(server, call["name"]), call["id"] or "", call["args"], server=server)

    async def judged(self) -> ToolMessage | None:
        """The denial for the model; None if the call may run."""
        self._call = await self._run.judged(self._call)
        if self._call.denied:
            return message_for(self.request.tool_call, self._call.denied)
        call = {**self.request.tool_call, "args": dict(self._call.input)}
        self.request = self.request.override(tool_call=call, tool=self._watched(self.request.tool))
        return None

    def running(self) -> AbstractContextManager[None]:
        return running(self._call)

    async def failed(self, error: Exception) -> ToolMessage:
        """Raises the error again, unless it is a denial inside of the tool."""
        if isinstance(error, GraphBubbleUp):
            raise error  # no failure: the graph waits for somebody
        text = await self._run.finished(self._call, str(error) or type(error).__name__, is_error=True)
        if isinstance(error, InnerCallDenied):
            return message_for(self.request.tool_call, text)
        raise error

    async def finished(self, made: Any) -> Any:
        """A message, a `Command` that has some, or a list of both."""
        if isinstance(made, list):
            return [await self.finished(each) for each in made]
        if isinstance(made, ToolMessage):
            return await self._message(made)
        if isinstance(made, Command) and isinstance(made.update, dict):
            messages = made.update.get("messages")
            if isinstance(messages, list):
                return _with_messages(made, [await self.finished(each) for each in messages])
        return made

    async def _message(self, message: ToolMessage) -> ToolMessage:
        if message.tool_call_id != self._call.call_id:
            return message  # that of another call, which a tool hands on
        text = await self._run.finished(self._call, message.text, is_error=message.status == "error")
        return message if text == message.text else message.model_copy(update={"content": text})

    def _watched(self, tool: Any) -> Any:
        """A copy of the tool that runs only what was judged, whatever other middleware does in between."""
        watched, call_id = tool.model_copy(), self._call.call_id or self._call.tool

        def guarded(config: Any) -> Any:
            return merge_configs(config, {"callbacks": [InnerGuard(self._run, call_id)]})

        def invoke(given: Any, config: Any = None, **kwargs: Any) -> Any:
            if not self._is_judged(tool, given):
                return message_for(self.request.tool_call, _CHANGED)
            return tool.invoke(given, guarded(config), **kwargs)

        async def ainvoke(given: Any, config: Any = None, **kwargs: Any) -> Any:
            if not self._is_judged(tool, given):
                return message_for(self.request.tool_call, _CHANGED)
            return await tool.ainvoke(given, guarded(config), **kwargs)

        object.__setattr__(watched, "invoke", invoke)
        object.__setattr__(watched, "ainvoke", ainvoke)
        return watched

    def _is_judged(self, tool: Any, given: Any) -> bool:
        """The graph may add arguments that the model does not see."""
        arguments, judged = given["args"], self._call.input
        names = (arguments.keys() | judged.keys()) - _hidden(tool)
        return given["name"] == self.request.tool_call["name"] and all(
            name in arguments and name in judged and same_json(arguments[name], judged[name]) for name in names
        )


def _hidden(tool: Any) -> set[str]:
    """The arguments that the model is not told of: by the schema, or because the function alone names them."""
    visible, injected = tool.tool_call_schema, set(getattr(tool, "_injected_args_keys", ()))
    if isinstance(visible, dict):
        return injected
    return injected | set(tool.args_schema.model_fields) - set(visible.model_fields)


def _with_messages(command: Any, messages: list[Any]) -> Any:
    return Command(
        graph=command.graph, update={**command.update, "messages": messages}, resume=command.resume, goto=command.goto
    )


class InnerGuard(BaseCallbackHandler):
    """Hears of every tool that starts inside of a call, also in agents that have no middleware of ours.

    One that was judged already is left alone. Any other may be denied, but not changed, and its result is not read.
    """

    raise_error = True

    def __init__(self, run: AgentRun, call_id: str) -> None:
        self._run, self._call_id = run, call_id
        self._is_inside = False

    def on_tool_start(self, serialized: Any, input_str: str, *, inputs: Any = None, **kwargs: Any) -> None:
        if not self._is_inside or running_call() != self._call_id:
            self._is_inside = True  # the first one is the call itself
            return
        name = str((serialized or {}).get("name") or kwargs.get("name") or "tool")
        given = inputs if isinstance(inputs, dict) else {"input": input_str}
        call = AdaptedCall(name, str(kwargs.get("run_id") or ""), given)
        try:
            judged = self._run.calls.wait_for(self._run.judged(call))
        except Exception as error:
            raise InnerCallDenied(f"the gate failed, so nothing runs: {error}") from error
        if judged.denied:
            raise InnerCallDenied(judged.denied)
        if not same_json(judged.input, given):
            raise InnerCallDenied(f"Blocked by the host: {_REWRITTEN}")
