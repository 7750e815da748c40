"""Tools of the OpenAI Agents SDK behind the gates: functions, agents as tools, shells, patches and custom tools.

What runs at the provider (web search, code interpreter, hosted MCP) never comes here to be judged, and a computer's
clicks have no words that a rule could match: these are refused, unless the program accepts them by name.
"""

from __future__ import annotations

import copy
import inspect
import json
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents import ApplyPatchTool, CustomTool, FunctionTool, LocalShellTool, ShellTool, ToolSearchTool
from agents.editor import ApplyPatchResult
from agents.tool import ShellCommandOutput, ShellResult

from pisces.adapters.calls import AdaptedCall, denial, stop_in, text_for_model
from pisces.adapters.conversation import AgentStopped
from pisces.adapters.server_names import spelled
from pisces.adapters.ungated import refuse_ungated
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from pisces.adapters.openai_agents import AgentGates
    from pisces.shapes.events.tools import ToolResult
    from pisces.shapes.note import Note
    from pisces.shapes.tool import Tool

_ENVELOPE = "*** Begin Patch\n{head}{body}\n*** End Patch"
_END_OF_FILE = "*** End of File"
_HEADS = {"create_file": "Add File", "update_file": "Update File", "delete_file": "Delete File"}
_SERVER = "_pisces_server"
_NO_OBJECT = "the arguments are not a JSON object"
_NO_PATCH = "the patch has more in it than one file"
_CHANGED = "a hook changed the input, and this tool can only run with the one that the model gave"


class GatedInvoke:
    """Runs a tool with the input that was judged. `inner` takes the context and the input as the SDK has it."""

    def __init__(self, gates: AgentGates, tool: Any) -> None:
        self.gates, self._tool = gates, tool
        self._inner: Callable[[Any, str], Awaitable[Any]] = tool.on_invoke_tool

    async def __call__(self, context: Any, raw: str) -> Any:
        given = object_in(raw) if isinstance(self._tool, FunctionTool) else {"input": raw}
        if given is None:
            return denial("", _NO_OBJECT)
        server, name = _origin(self._tool)
        asked = AdaptedCall(spelled(server, name), context.tool_call_id, given, server=server)
        call = await self.gates.judged(asked)
        if call.denied:
            return call.denied
        made = _as_given(call.input, isinstance(self._tool, FunctionTool))
        if made is None:
            return denial("", _CHANGED)
        context.tool_arguments = made
        with self.gates.inside(call, getattr(self._tool, "_agent_instance", None)):
            return await finished(self.gates, call, self._inner(context, made))


async def finished(gates: AgentGates, call: AdaptedCall, work: Any) -> Any:
    """The result as the hooks leave it: the tool's own value where they change nothing, a text where they do."""
    try:
        result = await work if inspect.isawaitable(work) else work
    except Exception as error:
        await gates.calls.finished(call, str(error), is_error=True)
        raise
    text = result if isinstance(result, str) else _text(result)
    left = _read(await gates.calls.finished(call, text), call.notes)
    return result if left == text else left


def _read(result: ToolResult, before: Iterable[Note] = ()) -> str:
    """What the model reads. Raises `AgentStopped` if a hook wants the agent to stop: that ends the run."""
    reason = stop_in((*before, *result.notes))
    if reason:
        raise AgentStopped(reason)
    return text_for_model(result, before)


def gated_tool(gates: AgentGates, tool: Any) -> Any:
    """The tool, or a copy of it that asks first. Raises `UngatedTool` for one that cannot, unless it is accepted."""
    if isinstance(tool, FunctionTool | CustomTool):
        return _with(tool, gates, "on_invoke_tool", GatedInvoke)
    if isinstance(tool, ShellTool) and tool.executor is not None:
        return _with(tool, gates, "executor", _shell)
    if isinstance(tool, LocalShellTool):
        return _with(tool, gates, "executor", _local_shell)
    if isinstance(tool, ApplyPatchTool):
        return _with(tool, gates, "editor", GatedEditor)
    if not isinstance(tool, ToolSearchTool):  # the provider only looks for tools of ours
        refuse_ungated([tool.name], gates.ungated)
    return tool


def _with(tool: Any, gates: AgentGates, field: str, made: Callable[[AgentGates, Any], Any]) -> Any:
    """A copy, because the program may use its tool elsewhere; private fields of the SDK stay."""
    present = getattr(getattr(tool, field), "gates", None)
    if present is not None and present.calls is gates.calls:
        return tool
    copied = copy.copy(tool)
    setattr(copied, field, made(gates, copied))
    return copied


def _shell(gates: AgentGates, tool: Any) -> Any:
    """Each command line of a call is judged by itself, before the first of them runs."""
    inner = tool.executor

    async def execute(request: Any) -> Any:
        action, call_id, commands = request.data.action, request.data.call_id, []
        for command in action.commands:
            call = await gates.judged(AdaptedCall("shell", call_id, {"command": command}))
            if call.denied or set(call.input) != {"command"}:
                return call.denied or denial("", _CHANGED)
            commands.append(str(call.input["command"]))
        data = replace(request.data, action=replace(action, commands=commands))
        whole = AdaptedCall("shell", call_id, {"command": "\n".join(commands)})
        return await finished(gates, whole, inner(replace(request, data=data)))

    return _marked(execute, gates)


def _local_shell(gates: AgentGates, tool: Any) -> Any:
    inner = tool.executor

    async def execute(request: Any) -> Any:
        action = request.data.action
        variables = [f"{name}={value}" for name, value in (action.env or {}).items()]
        line = ["env", *variables, *action.command] if variables else action.command
        more = {"workdir": action.working_directory, "user": action.user}
        given = {"command": shlex.join(line), **{name: value for name, value in more.items() if value}}
        call = await gates.judged(AdaptedCall("local_shell", request.data.call_id, given))
        if call.denied:
            return call.denied
        if {**call.input, "command": ""} != {**given, "command": ""}:
            return denial("", _CHANGED)
        if call.input["command"] != given["command"]:  # in a copy: the SDK remembers what the model asked for
            action = action.model_copy(update={"command": ["sh", "-c", str(call.input["command"])]})
            request = replace(request, data=request.data.model_copy(update={"action": action}))
        return await finished(gates, call, inner(request))

    return _marked(execute, gates)


def _marked(execute: Any, gates: AgentGates) -> Any:
    execute.gates = gates
    return execute


class GatedEditor:
    """Applies an operation of a patch if the patch may be applied."""

    def __init__(self, gates: AgentGates, tool: Any) -> None:
        self.gates, self._inner = gates, tool.editor

    async def create_file(self, operation: Any) -> Any:
        return await self._applied(operation, self._inner.create_file)

    async def update_file(self, operation: Any) -> Any:
        return await self._applied(operation, self._inner.update_file)

    async def delete_file(self, operation: Any) -> Any:
        return await self._applied(operation, self._inner.delete_file)

    async def _applied(self, operation: Any, apply: Any) -> Any:
        if not _is_plain(operation):
            return ApplyPatchResult(status="failed", output=denial("", _NO_PATCH))
        given = {"input": _patch(operation)}
        call = await self.gates.judged(AdaptedCall("apply_patch", "", given))
        if not call.denied and call.input != given:
            call = call.replace(denied=denial("", _CHANGED))
        if call.denied:
            return ApplyPatchResult(status="failed", output=call.denied)
        return await finished(self.gates, call, apply(operation))


def _is_plain(operation: Any) -> bool:
    """Whether it can be said as a patch without a line that means something else there."""
    lines = (operation.diff or "").splitlines()
    paths = f"{operation.path}{operation.move_to or ''}"
    return paths.isprintable() and not any(line.startswith("*** ") and line != _END_OF_FILE for line in lines)


def _patch(operation: Any) -> str:
    """One operation in the words of a whole patch, which guards of files know."""
    head = f"*** {_HEADS[operation.type]}: {operation.path}\n"
    if operation.move_to:
        head += f"*** Move to: {operation.move_to}\n"
    return _ENVELOPE.format(head=head, body=operation.diff or "").replace("\n\n*** End", "\n*** End")


def offered_tool(gates: AgentGates, tool: Tool) -> FunctionTool:
    """A tool of the host, with its JSON Schema as it is. The host judges and runs it."""

    async def invoke(context: Any, raw: str) -> str:
        given = object_in(raw)
        if given is None:
            return denial("", _NO_OBJECT)
        return _read(await gates.calls.called(tool.name, given, context.tool_call_id))

    schema = arguments_of(tool.parameters)
    return FunctionTool(tool.name, tool.description, schema, _marked(invoke, gates), strict_json_schema=False)


def object_in(raw: str) -> dict[str, Any] | None:
    try:
        given = json.loads(raw) if raw and raw.strip() else {}
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None


def _as_given(judged: Mapping[str, Any], is_json: bool) -> str | None:
    """The judged input as the tool takes it; None if it takes only a text and got something else."""
    if is_json:
        return json.dumps(arguments_of(judged), ensure_ascii=False)
    text = judged.get("input") if set(judged) == {"input"} else None
    return text if isinstance(text, str) else None


def of_server(tool: Any) -> Any:
    """A tool of an MCP server, which must not pass as a built-in one of the same name."""
    vars(tool)[_SERVER] = True
    return tool


def _origin(tool: Any) -> tuple[str, str]:
    """The MCP server of a tool, if it has one, and the tool's name there."""
    server, name, *_ = getattr(tool, "_mcp_tool_binding", None) or ("", tool.name)
    return ("server" if not server and _SERVER in vars(tool) else server), name


def _text(result: Any) -> str:
    if isinstance(result, ShellResult):
        return "\n".join(_output(each) for each in result.output)
    if isinstance(result, ApplyPatchResult):
        return result.output or ""
    if isinstance(result, list | tuple):
        return "\n".join(_text(each) for each in result)
    found = getattr(result, "text", None)
    return found if isinstance(found, str) else "" if result is None else str(result)


def _output(output: ShellCommandOutput) -> str:
    return output.stdout + (f"\n{output.stderr}" if output.stderr else "")
