"""A host in pydantic-ai: one capability brings instructions, tools, gates and session events.

    async with Host.open(".", approve) as host:
        agent = Agent(model, capabilities=[PiscesCapability(host)])

Calls are judged where the toolset is called, after every hook of other capabilities: what was judged is what runs.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic_ai.agent import UserPromptNode
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.capabilities.abstract import CapabilityOrdering
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, WrapperToolset
from pydantic_ai.toolsets.abstract import ToolsetTool
from pydantic_core import SchemaValidator, core_schema, to_jsonable_python
from pydantic_graph import End

from pisces.adapters.calls import AdaptedCall, calls_of, running, text_for_model
from pisces.adapters.conversation import AgentRun
from pisces.adapters.server_names import is_of_server, spelled
from pisces.adapters.ungated import refuse_ungated
from pisces.formats.json_copy import same_json
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from pisces.adapters.calls import HostCalls
    from pisces.host.host import Host
    from pisces.shapes.tool import Tool

_ANY = SchemaValidator(schema=core_schema.any_schema())
_HARMLESS = ("tool_search",)  # the provider only looks for tools of ours


class PiscesCapability(AbstractCapability[Any]):
    """`ungated` names tools that run at the provider and that the program accepts, such as `web_search`. Any other tool
    that cannot be gated is refused before the model is asked.

    Give the same capability to inner agents: one without it is not gated.
    """

    def __init__(self, host: Host, ungated: Collection[str] = ()) -> None:
        self._calls = calls_of(host)
        self._ungated = (*ungated, *_HARMLESS)
        self._run = AgentRun(self._calls)

    @classmethod
    def get_serialization_name(cls) -> str | None:
        return None  # a host cannot be written into a file

    def get_ordering(self) -> CapabilityOrdering:
        return CapabilityOrdering(position="innermost")

    async def for_run(self, ctx: Any) -> PiscesCapability:
        made = copy.copy(self)
        made._run = AgentRun(self._calls, getattr(ctx.agent, "name", None) or "")
        return made

    def get_instructions(self) -> Callable[[], Any]:
        return self._calls.instructed

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        return GatedToolset(toolset, self._calls, self._run)

    async def before_node_run(self, ctx: Any, *, node: Any) -> Any:  # noqa: ARG002
        if not isinstance(node, UserPromptNode) or node.user_prompt is None:
            return node
        given = node.user_prompt
        prompted = await self._run.prompted(_text_of(given))
        if isinstance(given, str):
            return replace(node, user_prompt=prompted.whole)
        if prompted.text != _text_of(given):  # a module rewrote it: the pictures stay
            given = [prompted.text, *(each for each in given if not _text_of([each]))]
        return replace(node, user_prompt=[*given, *prompted.context])

    async def before_model_request(self, ctx: Any, request_context: Any) -> Any:  # noqa: ARG002
        self._run.check()
        native = request_context.model_request_parameters.native_tools
        refuse_ungated((tool.kind for tool in native), self._ungated)
        return request_context

    async def after_node_run(self, ctx: Any, *, node: Any, result: Any) -> Any:  # noqa: ARG002
        if isinstance(result, End) and not self._run.has_stopped:
            reason = await self._run.stopping(_shown(result.data.output))
            if reason:
                ctx.enqueue(reason)  # the run goes on with it
        return result

    async def after_run(self, ctx: Any, *, result: Any) -> Any:  # noqa: ARG002
        if not self._run.has_stopped:  # a streamed run ends without its last node
            await self._run.stopping(_shown(result.output))
        return result

    async def wrap_output_process(self, ctx: Any, *, output_context: Any, output: Any, handler: Any) -> Any:
        """A function that makes the output runs with what the model said: that is a call like any other."""
        if ctx.partial_output or not output_context.has_function:
            return await handler(output)
        call = _output_call(output_context, output)
        judged = await self._run.judged(call)
        if judged.denied:
            raise ModelRetry(judged.denied)
        if not same_json(judged.input, call.input):
            raise ModelRetry(f"Blocked by the host: a hook wants other arguments: {_shown(judged.input)}")
        with running(judged):
            made = await handler(output)
        changed = await self._run.finished(judged, _shown(made))
        return changed if isinstance(made, str) else made


@dataclass
class GatedToolset(WrapperToolset[Any]):
    """All tools of the agent, gated, and those of the host. A name of the agent's own is never taken."""

    calls: HostCalls
    run: AgentRun

    async def get_tools(self, ctx: Any) -> dict[str, ToolsetTool[Any]]:
        own = await super().get_tools(ctx)
        offered = [tool for tool in await self.calls.offered() if tool.name not in own]
        return {**own, **{tool.name: self._offered(tool) for tool in offered}}

    def _offered(self, tool: Tool) -> ToolsetTool[Any]:
        schema = arguments_of(tool.parameters)
        definition = ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=schema)
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=1, args_validator=_ANY)

    async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: Any, tool: ToolsetTool[Any]) -> Any:
        call_id = ctx.tool_call_id or ""
        if isinstance(tool.toolset, GatedToolset) and tool.toolset.calls is self.calls:
            result = await self.calls.called(name, tool_args, call_id)
            self.run.note(result.notes)
            return text_for_model(result)
        try:
            given = _as_sent(to_jsonable_python(tool_args), tool.tool_def.parameters_json_schema)
        except Exception as error:  # noqa: BLE001  # pydantic cannot say what this is, so no gate can judge it
            return f"Blocked by the host: the input is not JSON data: {error}"
        server = (tool.toolset.id or "server") if is_of_server(tool.toolset) else ""
        call = await self.run.judged(AdaptedCall(spelled(server, name), call_id, given, server=server))
        if call.denied:
            return call.denied
        if not same_json(call.input, given):
            try:
                tool_args = tool.args_validator.validate_python(call.input, context=ctx.validation_context)
            except Exception as error:  # noqa: BLE001  # the model did not send this, so it is not asked to try again
                return f"Blocked by the host: a hook changed the input to one that does not fit: {error}"
        return await self._result(call, super().call_tool(name, tool_args, ctx, tool))

    async def _result(self, call: AdaptedCall, running_tool: Any) -> Any:
        """As the tool returns it, if nobody changes it."""
        try:
            with running(call):
                made = await running_tool
        except Exception as error:
            await self.run.finished(call, str(error) or type(error).__name__, is_error=True)
            raise
        shown = _shown(made)
        changed = await self.run.finished(call, shown)
        return made if changed == shown else changed


def _as_sent(given: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The arguments as the model sends them. pydantic-ai spreads the fields of an only parameter that is a model."""
    known, (name, value) = schema.get("properties", {}), next(iter(given.items()), ("", None))
    if len(given) != 1 or not isinstance(value, dict):
        return given
    return value if value.keys() <= known.keys() and (name not in known or name in value) else given


def _text_of(prompt: str | Sequence[Any]) -> str:
    """What hooks get to read of a prompt that may have pictures in it."""
    if isinstance(prompt, str):
        return prompt
    return "\n".join(each if isinstance(each, str) else str(getattr(each, "content", "")) for each in prompt)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    value = getattr(value, "return_value", value)  # of a ToolReturn
    return value if isinstance(value, str) else json.dumps(to_jsonable_python(value, fallback=str), ensure_ascii=False)


def _output_call(output_context: Any, output: Any) -> AdaptedCall:
    """Of an output tool, or of a function that gets the model's text."""
    call = output_context.tool_call
    if call is not None:
        return AdaptedCall(call.tool_name, call.tool_call_id, call.args_as_dict())
    return AdaptedCall(output_context.function_name or "output", "", {"output": to_jsonable_python(output)})
