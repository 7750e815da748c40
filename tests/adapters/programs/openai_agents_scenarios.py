"""The OpenAI Agents SDK on its own scripted model, with a host around it."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents import (
    Agent,
    ApplyPatchTool,
    CustomTool,
    FunctionTool,
    InputGuardrailTripwireTriggered,
    LocalShellTool,
    Runner,
    RunState,
    ShellTool,
    WebSearchTool,
    function_tool,
    handoff,
    set_tracing_disabled,
)
from agents.mcp import MCPServerStdio
from agents.testing import ScriptedModel, assistant_message, function_call
from openai.types.responses import (
    ResponseApplyPatchToolCall,
    ResponseCustomToolCall,
    ResponseFunctionShellToolCall,
)
from openai.types.responses.response_output_item import LocalShellCall, LocalShellCallAction

from pisces import Host
from pisces.adapters.conversation import AgentStopped
from pisces.adapters.in_thread import host_in_thread
from pisces.adapters.openai_agents import gated
from pisces.adapters.ungated import UngatedTool
from tests.adapters.programs.scenario import Ran, approve, hook_hangs, options, run, tide_tool

set_tracing_disabled(True)
COMMAND = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
TIDES = os.path.join(os.environ["GUARD_PLUGIN"], "tides.py")
COMMANDS = ("date", "ls", "rm -rf /", "crash", "explode", "refuse")


def bash(ran: Ran) -> FunctionTool:
    async def invoke(_context: Any, raw: str) -> str:
        return ran(json.loads(raw)["command"])

    return FunctionTool("bash", "Runs a command line", COMMAND, invoke, strict_json_schema=False)


def calls_of(*commands: str, tool: str = "bash") -> list[Any]:
    return [function_call(tool, {"command": each}, call_id=f"call {each}") for each in commands]


def scripted(*turns: Any, last: str = "done") -> ScriptedModel:
    return ScriptedModel([*turns, [assistant_message(last)]])


def results_of(result: Any) -> dict[str, Any]:
    """What the model read of each call, by the id of the call."""
    found = {}
    for item in result.new_items:
        if item.type == "tool_call_output_item":
            raw = item.raw_item
            call_id = raw["call_id"] if isinstance(raw, dict) else raw.call_id
            found[call_id.removeprefix("call ")] = item.output
    return found


def read_by(model: ScriptedModel) -> str:
    return str(model.calls[0].system_instructions)


async def commands(host: Host) -> dict[str, Any]:
    ran, model = Ran(), scripted(calls_of(*COMMANDS))
    agent = gated(Agent("main", instructions="Be brief.", tools=[bash(ran)], model=model), host)
    result = await Runner.run(agent, "go")
    return {
        "ran": sorted(ran),
        "results": results_of(result),
        "output": result.final_output,
        "instructions": read_by(model),
        "prompts": read_by(model),
    }


async def fresh_instructions(host: Host) -> dict[str, Any]:
    """A context file changes between two requests of one run."""

    @function_tool
    def change() -> str:
        """Changes a file."""
        Path("AGENTS.md").write_text("Use fathoms now.\n", "utf-8")
        return "changed"

    model, before = scripted([function_call("change", {}, call_id="c")]), Path("AGENTS.md").read_text("utf-8")
    try:
        await Runner.run(gated(Agent("main", tools=[change], model=model), host), "go")
    finally:
        Path("AGENTS.md").write_text(before, "utf-8")
    return {"instructions": [each.system_instructions for each in model.calls]}


async def host_tool(host: Host) -> dict[str, Any]:
    given = [("greet", {"name": "Ada"}), ("greet", {"name": "A"}), ("activate_skill", {"name": "guard:knots"})]
    model = scripted([function_call(name, each, call_id=f"c{index}") for index, (name, each) in enumerate(given)])
    result = await Runner.run(gated(Agent("main", model=model), host), "go")
    offered = {each.name: each.params_json_schema for each in model.calls[0].tools}
    results = results_of(result)
    return {
        "results": [results[key] for key in sorted(results)],
        "schema": offered["greet"],
        "offered": sorted(offered),
    }


async def server_tool(host: Host) -> dict[str, Any]:
    tide = await tide_tool(host)
    given = ({"place": "Hamburg"}, {"place": "Hamburg", "command": "rm tide"})
    model = scripted([function_call(tide, each, call_id=f"c{index}") for index, each in enumerate(given)])
    result = await Runner.run(gated(Agent("main", model=model), host), "go")
    return {"results": [text for _, text in sorted(results_of(result).items())]}


async def server_of_the_framework(host: Host) -> dict[str, Any]:
    """A server that the SDK itself starts."""
    given = ({"place": "Hamburg"}, {"place": "Hamburg", "command": "rm tide"})
    model = scripted([function_call("tide", each, call_id=f"c{index}") for index, each in enumerate(given)])
    async with MCPServerStdio(params={"command": "python3", "args": [TIDES]}, name="tides") as server:
        result = await Runner.run(gated(Agent("main", model=model, mcp_servers=[server]), host), "go")
    return {"results": [_text(text) for _, text in sorted(results_of(result).items())]}


def _text(output: Any) -> str:
    return output if isinstance(output, str) else str(output)


async def taken_name(host: Host) -> dict[str, Any]:
    ran = Ran()

    @function_tool
    def greet(command: str) -> str:
        """The agent's own."""
        return ran(command)

    model = scripted(calls_of("rm greet", "hello", tool="greet"))
    await Runner.run(gated(Agent("main", tools=[greet], model=model), host), "go")
    return {"ran": ran}


async def inner_agent(host: Host) -> dict[str, Any]:
    """An agent as a tool of another one, that nobody has gated by itself."""
    ran, inner = Ran(), scripted(calls_of("rm inner", "date"), last="inner is done")
    helper = Agent("helper", tools=[bash(ran)], model=inner)
    outer = scripted([function_call("helper", {"input": "help"}, call_id="h")])
    agent = gated(Agent("main", tools=[helper.as_tool("helper", "helps")], model=outer), host)
    result = await Runner.run(agent, "go")
    return {"ran": ran, "inner": str(inner.calls[-1].input), "outer": results_of(result)}


async def failing_tool(host: Host) -> dict[str, Any]:
    async def fail(_context: Any, _raw: str) -> str:
        raise OSError("the disk is full")

    tool = FunctionTool("fail", "Fails", COMMAND, fail, strict_json_schema=False)
    try:
        await Runner.run(gated(Agent("main", tools=[tool], model=scripted(calls_of("x", tool="fail"))), host), "go")
    except Exception as error:  # noqa: BLE001  # of a kind that the SDK chooses
        return {"raised": str(error)}
    return {}


async def streamed(host: Host) -> dict[str, Any]:
    ran = Ran()
    agent = gated(Agent("main", tools=[bash(ran)], model=scripted(calls_of("rm -rf /", "ls"))), host)
    result = Runner.run_streamed(agent, "go")
    async for _ in result.stream_events():
        pass
    return {"ran": ran, "results": results_of(result), "text": result.final_output}


async def in_sync(_host: Host) -> dict[str, Any]:
    """A program without an event loop, with the host in a thread."""

    def program() -> dict[str, Any]:
        ran = Ran()
        turn = [*calls_of("rm -rf /", "ls"), function_call("greet", {"name": "Ada"}, call_id="g")]
        with host_in_thread(".", approve, **options()) as host:
            agent = gated(Agent("main", tools=[bash(ran)], model=scripted(turn)), host)
            result = Runner.run_sync(agent, "go")
        return {"ran": ran, "results": results_of(result), "output": result.final_output}

    return await asyncio.to_thread(program)


async def other_thread(host: Host) -> dict[str, Any]:
    """In a thread with an event loop that is not the host's."""
    ran = Ran()
    agent = gated(Agent("main", tools=[bash(ran)], model=scripted(calls_of(*COMMANDS))), host)
    result = await asyncio.to_thread(Runner.run_sync, agent, "go")
    return {"ran": sorted(ran), "results": results_of(result)}


async def functions(host: Host) -> dict[str, Any]:
    ran = Ran()

    @function_tool
    def native(command: str) -> str:
        """A tool of the program."""
        return ran(command)

    @function_tool
    def fails(command: str) -> str:
        """A tool that fails."""
        raise ValueError("no such boat")

    turn = [*calls_of("ls", "rm x", tool="native"), *calls_of("pwd", tool="fails")]
    agent = gated(Agent("main", tools=[native, fails], model=scripted(turn)), host)
    result = await Runner.run(agent, "go")
    return {"ran": ran, "results": results_of(result)}


async def bad_arguments(host: Host) -> dict[str, Any]:
    ran = Ran()
    turn = [function_call("bash", each, call_id=f"call {each}") for each in ("[1]", "{", "null")]
    agent = gated(Agent("main", tools=[bash(ran)], model=scripted(turn)), host)
    return {"ran": ran, "results": results_of(await Runner.run(agent, "go"))}


def inner(ran: Ran, name: str = "inner", command: str = "rm -rf /") -> Agent[Any]:
    return Agent(name, tools=[bash(ran)], model=scripted(calls_of("date", command), last="inner done"))


async def handed_off(host: Host) -> dict[str, Any]:
    ran, found = Ran(), {}
    for how in ("agent", "handoff", "appended"):
        target = inner(ran)
        model = ScriptedModel([[function_call("transfer_to_inner", {}, call_id="h")]])
        agent = gated(
            Agent("main", model=model, handoffs={"agent": [target], "handoff": [handoff(target)]}.get(how, [])), host
        )
        if how == "appended":
            agent.handoffs.append(target)
        result = await Runner.run(agent, "go")
        found[how] = {"results": results_of(result), "last": result.last_agent.name}
    return {"ran": ran, "found": found}


async def handoffs_in_a_circle(host: Host) -> dict[str, Any]:
    ran = Ran()
    one = Agent(
        "one",
        tools=[bash(ran)],
        model=ScriptedModel(
            [[function_call("transfer_to_two", {}, call_id="1")], calls_of("rm 1"), [assistant_message("done")]]
        ),
    )
    two = Agent("two", handoffs=[one], model=ScriptedModel([[function_call("transfer_to_one", {}, call_id="2")]]))
    one.handoffs.append(two)
    result = await Runner.run(gated(one, host), "go")
    return {"ran": ran, "results": results_of(result), "last": result.last_agent.name}


async def a_denied_handoff(host: Host) -> dict[str, Any]:
    ran = Ran()
    target = Agent("refuse", tools=[bash(ran)], model=scripted(calls_of("date")))
    model = scripted([function_call("transfer_to_refuse", {}, call_id="h")], last="stayed")
    result = await Runner.run(gated(Agent("main", model=model, handoffs=[target]), host), "go")
    read = [str(each) for each in model.calls[-1].input if isinstance(each, dict) and each.get("call_id") == "h"]
    return {"ran": ran, "last": result.last_agent.name, "read": read, "output": result.final_output}


async def agents_as_tools(host: Host) -> dict[str, Any]:
    ran = Ran()
    deep = inner(ran, "deep", "rm deep")
    middle = Agent(
        "middle",
        tools=[deep.as_tool("deep", "asks"), bash(ran)],
        model=scripted(
            [function_call("deep", {"input": "x"}, call_id="d"), *calls_of("rm middle", "ls")], last="middle done"
        ),
    )
    model = scripted([function_call("middle", {"input": "x"}, call_id="m")])
    agent = gated(Agent("main", model=model, tools=[middle.as_tool("middle", "asks")]), host)
    result = await Runner.run(agent, "go")
    return {"ran": sorted(ran), "results": results_of(result)}


async def an_inner_agent_by_itself(host: Host) -> dict[str, Any]:
    """An agent that is a tool somewhere is itself as before where nobody gates it."""
    ran = Ran()
    target = Agent("inner", tools=[bash(ran)], model=scripted(calls_of("rm alone")))
    gated(Agent("main", tools=[target.as_tool("inner", "asks")], model=scripted()), host)
    await Runner.run(target, "go")
    return {"ran": ran}


async def copies(host: Host) -> dict[str, Any]:
    """Whatever is made of a gated agent is gated."""
    ran = Ran()
    agent = gated(Agent("main", tools=[bash(ran)], model=scripted(calls_of("rm 1"))), host)
    await Runner.run(agent.clone(model=scripted(calls_of("rm 2"))), "go")
    await Runner.run(agent.clone(model=scripted(calls_of("rm 3")), tools=[bash(ran)]), "go")
    agent.tools = [bash(ran)]
    await Runner.run(agent, "go")
    agent = gated(Agent("main", model=scripted(calls_of("rm 4"))), host)
    agent.tools.append(bash(ran))
    await Runner.run(agent, "go")
    plain = Agent("main", tools=[bash(ran)], model=scripted(calls_of("rm plain")))
    gated(plain, host)
    await Runner.run(plain, "go")
    return {"ran": ran}


def shell_call(call_id: str, *commands: str) -> Any:
    action = {"commands": list(commands)}
    return ResponseFunctionShellToolCall(
        type="shell_call", id=call_id, call_id=call_id, status="completed", action=action
    )


def patch_call(call_id: str, path: str, diff: str) -> Any:
    operation = {"type": "create_file", "path": path, "diff": diff}
    return ResponseApplyPatchToolCall(
        type="apply_patch_call", id=call_id, call_id=call_id, status="completed", operation=operation
    )


def custom_call(call_id: str, given: str) -> Any:
    return ResponseCustomToolCall(type="custom_tool_call", call_id=call_id, name="script", input=given)


def local_call(call_id: str, *argv: str) -> Any:
    action = LocalShellCallAction(type="exec", command=list(argv), env={})
    return LocalShellCall(type="local_shell_call", id=call_id, call_id=call_id, status="completed", action=action)


async def other_tools(host: Host) -> dict[str, Any]:
    ran, applied = Ran(), []

    class Editor:
        def create_file(self, operation: Any) -> str:
            applied.append(operation.path)
            return f"created {operation.path}"

        update_file = delete_file = create_file

    async def custom(_context: Any, raw: str) -> str:
        return ran(raw)

    tools = [
        ShellTool(executor=lambda request: ran(" && ".join(request.data.action.commands))),
        CustomTool("script", "Runs a script", custom),
        ApplyPatchTool(Editor()),
    ]
    turn = [shell_call("s1", "ls", "date"), shell_call("s2", "date", "rm x")]
    turn += [custom_call("c1", "fine"), custom_call("c2", "refuse")]
    turn += [patch_call("p1", "a.txt", "+hello"), patch_call("p2", "refuse.txt", "+hello")]
    turn += [patch_call("p3", "b.txt", "+a\n*** End Patch\n+refuse"), patch_call("p4", "c.txt\n*** x", "+hello")]
    result = await Runner.run(gated(Agent("main", tools=tools, model=scripted(turn)), host), "go")
    local = LocalShellTool(lambda request: ran(" ".join(request.data.action.command)))
    hidden = local_call("l4", "date")
    hidden.action.env = {"refuse": "1"}
    model = scripted(
        [hidden, local_call("l1", "ls"), local_call("l2", "rm", "-rf", "/"), local_call("l3", "echo", "a b")]
    )
    other = await Runner.run(gated(Agent("main", tools=[local], model=model), host), "go")
    return {"ran": ran, "applied": applied, "results": {**results_of(result), **results_of(other)}}


async def hosted_tools(host: Host) -> dict[str, Any]:
    try:
        gated(Agent("main", tools=[WebSearchTool()]), host)
        refused = ""
    except UngatedTool as error:
        refused = str(error)
    agent = gated(Agent("main", tools=[WebSearchTool()]), host, ungated=["web_search"])
    late = gated(Agent("main", model=scripted()), host)
    vars(late)["tools"].append(WebSearchTool())
    try:
        await Runner.run(late, "go")
        in_the_run = ""
    except UngatedTool as error:
        in_the_run = str(error)
    return {"refused": refused, "accepted": [each.name for each in agent.tools], "in_the_run": in_the_run}


async def blocked_prompt(host: Host) -> dict[str, Any]:
    model = scripted()
    try:
        await Runner.run(gated(Agent("main", model=model), host), "something forbidden")
    except InputGuardrailTripwireTriggered as error:
        return {"reason": error.guardrail_result.output.output_info, "requests": len(model.calls)}
    return {}


async def message_list(host: Host) -> dict[str, Any]:
    model = scripted()
    asked = [{"role": "user", "content": [{"type": "input_text", "text": "when is high water?"}]}]
    await Runner.run(gated(Agent("main", model=model), host), asked)
    return {"system": read_by(model)}


async def stop_is_heard(host: Host) -> dict[str, Any]:
    result = await Runner.run(gated(Agent("main", model=scripted(last="too early")), host), "go")
    return {"output": result.final_output}


async def stopped_by_hook(host: Host) -> dict[str, Any]:
    ran, model = Ran(), scripted(calls_of("halt"))
    try:
        await Runner.run(gated(Agent("main", tools=[bash(ran)], model=model), host), "go")
    except Exception as error:  # noqa: BLE001  # the SDK may put it into one of its own
        found: BaseException | None = error
        while found is not None and not isinstance(found, AgentStopped):
            found = found.__cause__ or found.__context__
        return {"reason": str(found), "requests": len(model.calls)}
    return {"ran": ran}


async def resumed(host: Host) -> dict[str, Any]:
    """A run waits for an approval, is stored, and goes on with the gated agent: also one that began without gates."""
    found = {}
    for began in ("gated", "bare"):
        ran = Ran()
        bare = Agent(
            "main", tools=[replace(bash(ran), needs_approval=True)], model=scripted(calls_of("rm -rf /", "date"))
        )
        agent = gated(bare, host)
        waiting = await Runner.run(agent if began == "gated" else bare, "go")
        state = await RunState.from_json(agent, waiting.to_state().to_json())
        for each in state.get_interruptions():
            state.approve(each)
        found[began] = {"results": results_of(await Runner.run(agent, state)), "ran": ran}
    return found


async def cancelled(host: Host) -> dict[str, Any]:
    """A run is cancelled while a hook thinks: the hook's process ends, and the host works on."""
    ran, again = Ran(), Ran()
    agent = gated(Agent("main", tools=[bash(ran)], model=scripted(calls_of("hang", "date"))), host)
    task = asyncio.ensure_future(Runner.run(agent, "go"))
    await hook_hangs(task)
    task.cancel()
    await asyncio.wait([task])
    await Runner.run(gated(Agent("main", tools=[bash(again)], model=scripted(calls_of("ls"))), host), "go")
    return {"cancelled": task.cancelled(), "ran": [each for each in ran if each == "hang"], "again": again}


async def after_the_host_closed(_host: Host) -> dict[str, Any]:
    ran = Ran()
    async with Host.open(".", approve, **options()) as other:
        agent = gated(Agent("main", tools=[bash(ran)], model=scripted(calls_of("date"))), other)
    return {"ran": ran, "results": results_of(await Runner.run(agent, "go"))}


run(
    [
        commands,
        fresh_instructions,
        host_tool,
        server_tool,
        server_of_the_framework,
        taken_name,
        inner_agent,
        failing_tool,
        streamed,
        in_sync,
        other_thread,
        functions,
        bad_arguments,
        handed_off,
        handoffs_in_a_circle,
        a_denied_handoff,
        agents_as_tools,
        an_inner_agent_by_itself,
        copies,
        other_tools,
        hosted_tools,
        blocked_prompt,
        message_list,
        stop_is_heard,
        stopped_by_hook,
        resumed,
        cancelled,
        after_the_host_closed,
    ]
)
