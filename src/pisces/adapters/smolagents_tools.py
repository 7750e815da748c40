"""Tools of smolagents that ask first, and tools of a host as smolagents wants them: names and arguments are flat.

The tool that really runs, and the host, are reachable from closures only: code of a `CodeAgent` has the gated tool in
its hands, and reads attributes.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from smolagents import FinalAnswerTool, Tool as SmolTool

from pisces.adapters.calls import AdaptedCall, running, text_for_model
from pisces.adapters.server_names import is_of_server, spelled
from pisces.formats.json_copy import NotJson, json_copy, same_json
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from pisces.adapters.calls import HostCalls
    from pisces.adapters.conversation import AgentRun
    from pisces.shapes.tool import Tool

    RunNow = Callable[[], AgentRun]

_TYPES = ("string", "boolean", "integer", "number", "array", "object")
_ALONE = ("anyOf", "oneOf", "allOf", "$ref", "nullable")  # keys that smolagents reads in its own way


class GatedTool(SmolTool):
    """Subclasses are made for one tool each. `is_of_host` is set for tools that the host judges itself."""

    skip_forward_signature_validation = True
    is_of_host = False
    name, description, output_type = "gated", "", "any"
    inputs: dict[str, Any] = {}  # noqa: RUF012  # as smolagents wants it; subclasses have their own


def gated_mapping(given: Mapping[str, Any], gate: Callable[[Any], Any]) -> dict[str, Any]:
    """The tools or the managed agents of an agent. One that is added later is gated, too."""

    class GatedMapping(dict[str, Any]):
        def __setitem__(self, name: str, value: Any) -> None:
            super().__setitem__(name, gate(value))

        def update(self, *given: Any, **named: Any) -> None:
            for name, value in dict(*given, **named).items():
                self[name] = value

        def __ior__(self, other: Any) -> GatedMapping:  # type: ignore[override,misc]
            self.update(other)
            return self

        def setdefault(self, name: str, value: Any = None) -> Any:
            if name not in self:
                self[name] = value
            return self[name]

    made = GatedMapping()
    made.update(given)
    return made


def gated_tool(tool: Any, run_now: RunNow) -> Any:
    """`final_answer` as smolagents has it does nothing, so it is left alone."""
    if isinstance(tool, GatedTool) or type(tool) is FinalAnswerTool:
        return tool

    def forward(_self: Any, *given: Any, **named: Any) -> Any:
        run = run_now()
        arguments = {**dict(zip(tool.inputs, given, strict=False)), **named}
        shown = {name: _shown(value) for name, value in arguments.items()}
        server = "server" if is_of_server(tool) else ""
        asked = AdaptedCall(spelled(server, tool.name), new_id(), shown, server=server)
        call = run.calls.wait_for(run.judged(asked))
        if call.denied:
            return call.denied
        used = {name: _original(name, value, shown, arguments) for name, value in call.input.items()}
        try:
            with running(call):
                made = tool(**used)
        except Exception as error:
            run.calls.wait_for(run.finished(call, str(error) or type(error).__name__, is_error=True))
            raise
        text = run.calls.wait_for(run.finished(call, str(made)))
        return made if text == str(made) else text

    return _made(tool, forward)


def _made(tool: Any, forward: Callable[..., Any], **more: Any) -> GatedTool:
    """A string may take the place of any result, so that the type of the output is not promised."""
    facts = {"name": tool.name, "description": tool.description, "inputs": tool.inputs}
    schema = getattr(tool, "output_schema", None)
    kind = type("GatedTool", (GatedTool,), {**facts, "output_schema": schema, "forward": forward, **more})
    made: GatedTool = kind()
    return made


def offer_tools(tools: dict[str, Any], calls: HostCalls, run_now: RunNow) -> None:
    """Those of the host as they are now. A name of the agent's own is never taken."""
    offered = {_name(tool.name): tool for tool in calls.wait_for(calls.offered())}
    for name in [name for name, tool in tools.items() if getattr(tool, "is_of_host", False) and name not in offered]:
        del tools[name]
    for name, tool in offered.items():
        if name not in tools or getattr(tools[name], "is_of_host", False):
            tools[name] = _host_tool(name, tool, calls, run_now)


def _host_tool(name: str, tool: Tool, calls: HostCalls, run_now: RunNow) -> GatedTool:
    schema = arguments_of(tool.parameters)
    required = schema.get("required", ())

    def forward(_self: Any, *given: Any, **named: Any) -> str:
        arguments = {**dict(zip(_inputs(schema), given, strict=False)), **named}
        wanted = {key: value for key, value in arguments.items() if value is not None or key in required}
        result = calls.wait_for(calls.called(tool.name, wanted, new_id()))
        run_now().note(result.notes)
        return text_for_model(result)

    facts = {"name": name, "description": _description(tool, schema), "inputs": _inputs(schema), "is_of_host": True}
    made: GatedTool = type("GatedTool", (GatedTool,), {**facts, "output_type": "string", "forward": forward})()
    return made


def _inputs(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    required = schema.get("required", ())
    return {
        name: {
            **{key: value for key, value in each.items() if key not in _ALONE},
            "type": each["type"] if each.get("type") in _TYPES else "any",
            "description": str(each.get("description", name)),
            **({} if name in required else {"nullable": True}),
        }
        for name, each in schema.get("properties", {}).items()
        if isinstance(each, dict)
    }


def _description(tool: Tool, schema: Mapping[str, Any]) -> str:
    """With the schema where smolagents cannot say it."""
    properties = schema.get("properties", {}).values()
    is_flat = all(isinstance(each, dict) and each.get("type") in _TYPES for each in properties)
    text = tool.description or tool.name
    return text if is_flat else f"{text}\nThe arguments as JSON Schema: {json.dumps(schema, ensure_ascii=False)}"


def _name(name: str) -> str:
    """smolagents wants names that are variables in Python."""
    made = re.sub(r"\W", "_", name)
    return made if made.isidentifier() else f"tool_{made}"


def _shown(value: Any) -> Any:
    """An argument as gates see it. Pictures and tables come from the memory of the agent, not from the model."""
    try:
        return json_copy(value)
    except NotJson:
        return f"<{type(value).__name__}>"


def _original(name: str, judged: Any, shown: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
    return given[name] if name in given and same_json(judged, shown[name]) else judged


def new_id() -> str:
    """smolagents does not tell a tool the id of its call."""
    return f"call-{os.urandom(6).hex()}"
