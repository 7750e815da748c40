"""A host in LangChain and LangGraph: a middleware for `create_agent`, and a node for graphs of one's own.

async with Host.open(".", approve) as host:
    agent = create_agent(model, tools, middleware=[PiscesMiddleware(host)])

node = gated_tool_node(host, [*tools, *host_tools(host)])
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import AgentState, PrivateStateAttr, hook_config
from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.config import get_config
from langgraph.prebuilt import ToolNode

from pisces.adapters.calls import calls_of, text_for_model
from pisces.adapters.conversation import AgentRun
from pisces.adapters.langchain_calls import GatedCall, HostTool, host_tool, message_for
from pisces.adapters.ungated import refuse_ungated

if TYPE_CHECKING:
    from pisces.host.host import Host

_MOST_RUNS = 1000  # that are remembered: one that was interrupted may never end


class PiscesState(AgentState[Any]):
    """Which run of the middleware this is."""

    pisces_run: NotRequired[Annotated[str, PrivateStateAttr]]  # type: ignore[valid-type]


class PiscesMiddleware(AgentMiddleware[Any, Any, Any]):
    """For `invoke` and `ainvoke`, `stream` and `astream`. The synchronous ones need a host in another thread
    (`host_in_thread`), because they would block the event loop of the host.

    `ungated` names tools that run at the provider and that the program accepts, such as `web_search`. Any other tool
    that cannot be gated is refused before the model is asked.
    """

    state_schema = PiscesState
    tools: Sequence[Any] = ()

    def __init__(self, host: Host, ungated: Collection[str] = ()) -> None:
        super().__init__()
        self._calls, self._ungated = calls_of(host), ungated
        self._runs: OrderedDict[str, AgentRun] = OrderedDict()

    def _run(self, state: Any) -> AgentRun:
        """That of an earlier process, whose state was stored, begins anew."""
        key = state.get("pisces_run", "") if isinstance(state, dict) else ""
        return self._runs.get(key) or AgentRun(self._calls)

    # The session

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:  # noqa: ARG002
        run = AgentRun(self._calls, _agent_name())
        self._runs[run.id] = run
        while len(self._runs) > _MOST_RUNS:
            self._runs.popitem(last=False)
        message = next((each for each in reversed(state["messages"]) if isinstance(each, HumanMessage)), None)
        if message is None:
            return {"pisces_run": run.id}
        prompted = await run.prompted(message.text)
        changed = message.model_copy(update={"content": _prompt_content(message, prompted)})
        return {"pisces_run": run.id, "messages": [changed]}

    def before_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        return self._calls.wait_for(self.abefore_agent(state, runtime))

    @hook_config(can_jump_to=["model"])
    async def aafter_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002
        run = self._run(state)
        reason = await run.stopping(state["messages"][-1].text if state["messages"] else "")
        if reason:
            return {"messages": [HumanMessage(reason)], "jump_to": "model"}
        self._runs.pop(run.id, None)
        return None

    @hook_config(can_jump_to=["model"])
    def after_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        return self._calls.wait_for(self.aafter_agent(state, runtime))

    # Requests to the model

    async def _prepared(self, request: Any) -> Any:
        self._run(request.state).check()
        provided = [each for each in request.tools if isinstance(each, dict)]
        refuse_ungated((str(each.get("name") or each.get("type")) for each in provided), self._ungated)
        names = {each.name for each in request.tools if not isinstance(each, dict)}
        offered = [host_tool(self._calls, tool) for tool in await self._calls.offered() if tool.name not in names]
        system = _system_message(request.system_message, await self._calls.instructed())
        return request.override(tools=[*request.tools, *offered], system_message=system)

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return await handler(await self._prepared(request))

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return handler(self._calls.wait_for(self._prepared(request)))

    # Calls of tools

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        run = self._run(request.state)
        if request.tool is None:
            return await _called(run, request)
        return await _gated(run, request, handler)

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        run = self._run(request.state)
        if request.tool is None:
            return self._calls.wait_for(_called(run, request))
        return _gated_now(run, request, handler)


def gated_tool_node(host: Host, tools: Sequence[Any], **options: Any) -> ToolNode:
    """The node of a graph that runs tools, each call past the gates. `options` are those of `ToolNode`."""
    calls = calls_of(host)

    async def later(request: Any, handler: Callable[[Any], Any]) -> Any:
        return await _gated(AgentRun(calls), request, handler)

    def now(request: Any, handler: Callable[[Any], Any]) -> Any:
        return _gated_now(AgentRun(calls), request, handler)

    return ToolNode(tools, wrap_tool_call=now, awrap_tool_call=later, **options)


def host_tools(host: Host) -> list[HostTool]:
    """The tools of the host as they are now, to be bound to a model and given to `gated_tool_node`."""
    calls = calls_of(host)
    return [host_tool(calls, tool) for tool in calls.tools]


async def instructions_of(host: Host) -> SystemMessage:
    """For graphs of one's own: the first message of a request."""
    return SystemMessage(await calls_of(host).instructed())


async def _called(run: AgentRun, request: Any) -> Any:
    """A tool of the host that the graph does not know: they may come and go while it runs."""
    call = request.tool_call
    result = await run.calls.called(call["name"], call["args"], call["id"] or "")
    run.note(result.notes)
    return message_for(call, text_for_model(result), "error" if result.is_error else "success")


async def _gated(run: AgentRun, request: Any, handler: Callable[[Any], Any]) -> Any:
    if isinstance(request.tool, HostTool):
        return await handler(request)
    gated = GatedCall(run, request)
    denied = await gated.judged()
    if denied is not None:
        return denied
    with gated.running():
        try:
            made = await handler(gated.request)
        except Exception as error:  # noqa: BLE001  # a tool may raise anything
            return await gated.failed(error)
    return await gated.finished(made)


def _gated_now(run: AgentRun, request: Any, handler: Callable[[Any], Any]) -> Any:
    if isinstance(request.tool, HostTool):
        return handler(request)
    gated, wait_for = GatedCall(run, request), run.calls.wait_for
    denied = wait_for(gated.judged())
    if denied is not None:
        return denied
    with gated.running():
        try:
            made = handler(gated.request)
        except Exception as error:  # noqa: BLE001  # a tool may raise anything
            return wait_for(gated.failed(error))
    return wait_for(gated.finished(made))


def _agent_name() -> str:
    """The `name` of `create_agent`."""
    try:
        return str(get_config().get("metadata", {}).get("lc_agent_name") or "")
    except RuntimeError:
        return ""


def _prompt_content(message: Any, prompted: Any) -> Any:
    if isinstance(message.content, str):
        return prompted.whole
    parts, texts = list(message.content), list(prompted.context)
    if prompted.text != message.text:  # a module rewrote it: the pictures stay
        parts = [each for each in parts if isinstance(each, dict) and each.get("type") != "text"]
        texts = [prompted.text, *texts]
    return [*parts, *({"type": "text", "text": text} for text in texts)]


def _system_message(given: Any, instructions: str) -> Any:
    if not instructions:
        return given
    if given is None:
        return SystemMessage(instructions)
    if isinstance(given.content, str):
        return given.model_copy(update={"content": f"{given.content}\n\n{instructions}"})
    return given.model_copy(update={"content": [*given.content, {"type": "text", "text": instructions}]})
