"""The Claude Agent SDK with the program that it brings, on a fake of its API, with the options of an open host."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from claude_agent_sdk import (
    AgentDefinition,
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    ResultMessage,
    SdkMcpTool,
    create_sdk_mcp_server,
    query,
)

from pisces import Gate, Host, Verdict
from pisces.adapters.claude_agent_sdk import pisces_options
from pisces.adapters.in_thread import host_in_thread
from tests.adapters.programs.fake_messages import FakeModel, serving
from tests.adapters.programs.scenario import Ran, approve, hook_hangs, options, run, tide_tool

COMMAND = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
COMMANDS = ("date", "ls", "rm -rf /", "crash", "explode", "refuse")
ENVIRONMENT = {
    "ANTHROPIC_API_KEY": "none",
    "ANTHROPIC_AUTH_TOKEN": "",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "ENABLE_TOOL_SEARCH": "false",
    "IS_SANDBOX": "1",
}


def own_server(ran: Ran, name: str = "bash") -> Any:
    async def call(given: dict[str, Any]) -> dict[str, Any]:
        if given["command"] == "fail":
            raise OSError("the disk is full")
        return {"content": [{"type": "text", "text": ran(given["command"])}]}

    return create_sdk_mcp_server("own", tools=[SdkMcpTool(name, "Runs a command line", COMMAND, call)])


def bash_calls(*commands: str) -> list[tuple[str, dict[str, Any]]]:
    return [("mcp__own__bash", {"command": command}) for command in commands]


def options_of(host: Host, ran: Ran, address: str, **given: Any) -> ClaudeAgentOptions:
    env = {**ENVIRONMENT, "ANTHROPIC_BASE_URL": address}
    servers = {"own": given.pop("server", None) or own_server(ran)}
    return ClaudeAgentOptions(**pisces_options(host, env=env, mcp_servers=servers, cwd=".", **given))


async def asked(model: FakeModel, host: Host, ran: Ran, prompt: str = "go", **given: Any) -> dict[str, Any]:
    """One prompt and its answer."""
    found: dict[str, Any] = {"texts": [], "output": ""}
    with serving(model) as address:
        async for message in query(prompt=prompt, options=options_of(host, ran, address, **given)):
            if isinstance(message, AssistantMessage) and message.parent_tool_use_id is None:
                found["texts"] += [part.text for part in message.content if hasattr(part, "text")]
            if isinstance(message, ResultMessage):
                found["output"] = message.result
    return found


async def commands(host: Host) -> dict[str, Any]:
    model, ran = FakeModel(*bash_calls(*COMMANDS)), Ran()
    found = await asked(model, host, ran, system_prompt="Be brief.")
    return {
        **found,
        "ran": sorted(ran),
        "results": dict(zip(COMMANDS, model.results, strict=True)),
        "instructions": model.instructions[0],
        "prompts": json.dumps(model.requests[0]),
    }


async def built_in_tools(host: Host) -> dict[str, Any]:
    """Tools that the program itself runs, for real."""
    Path("kept.txt").write_text("a secret in a file that is long enough to be a line\n", "utf-8")
    calls = (
        ("Bash", {"command": "rm -rf ./kept.txt", "description": "x"}),
        ("Bash", {"command": "echo secret > made.txt; cat made.txt", "description": "x"}),
        ("Read", {"file_path": str(Path("kept.txt").absolute())}),
        ("Write", {"file_path": str(Path("refuse.txt").absolute()), "content": "x"}),
    )
    model = FakeModel(*calls)
    await asked(model, host, Ran(), permission_mode="bypassPermissions")
    files = {name: Path(name).exists() for name in ("kept.txt", "made.txt", "refuse.txt")}
    return {"results": model.results, "files": files}


async def changed_by_a_module(host: Host) -> dict[str, Any]:
    """What a module makes of a result as a text is put into the shape of the tool."""
    del host
    module = Path("quiet.py")
    module.write_text(
        "from pisces.events import ToolResult\n\ndef extension(pisces):\n"
        "    @pisces.on(ToolResult)\n    def quiet(event):\n        return event.with_text('nothing to see')\n",
        "utf-8",
    )
    Path("long.txt").write_text("the treasure is buried under the third palm tree\n", "utf-8")
    model = FakeModel(
        ("Bash", {"command": "cat long.txt", "description": "x"}),
        ("Read", {"file_path": str(Path("long.txt").absolute())}),
        *bash_calls("date"),
    )
    async with Host.open(".", approve, modules=[str(module)], trust_workspace=True) as other:
        await asked(model, other, Ran())
    return {"results": model.results}


async def fresh_instructions(host: Host) -> dict[str, Any]:
    """A context file changes between two requests: the system prompt stays, and the change is said."""

    class Change(Ran):
        def __call__(self, command: str) -> str:
            Path("AGENTS.md").write_text("Use fathoms now.\n", "utf-8")
            return super().__call__(command)

    model, before = FakeModel(*bash_calls("date")), Path("AGENTS.md").read_text("utf-8")
    try:
        await asked(model, host, Change())
    finally:
        Path("AGENTS.md").write_text(before, "utf-8")
    return {
        "instructions": [json.dumps(request["system"]) + json.dumps(request["messages"]) for request in model.requests]
    }


async def host_tool(host: Host) -> dict[str, Any]:
    calls = (("greet", {"name": "Ada"}), ("greet", {"name": "A"}), ("activate_skill", {"name": "guard:knots"}))
    model = FakeModel(*((f"mcp__pisces__{name}", given) for name, given in calls))
    await asked(model, host, Ran())
    offered = {tool["name"]: tool["input_schema"] for tool in model.requests[0]["tools"] if "input_schema" in tool}
    return {"results": model.results, "schema": offered["mcp__pisces__greet"]}


async def server_tool(host: Host) -> dict[str, Any]:
    tide = f"mcp__pisces__{await tide_tool(host)}"
    model = FakeModel((tide, {"place": "Hamburg"}), (tide, {"place": "Hamburg", "command": "rm tide"}))
    await asked(model, host, Ran())
    return {"results": model.results}


async def taken_name(host: Host) -> dict[str, Any]:
    """The program's own server has a tool of the same name: both are there, and its own is judged."""
    ran = Ran()
    model = FakeModel(*(("mcp__own__greet", {"command": each}) for each in ("rm greet", "hello")))
    await asked(model, host, ran, server=own_server(ran, "greet"))
    return {"ran": ran}


async def inner_agent(host: Host) -> dict[str, Any]:
    ran = Ran()
    given = {"description": "help", "prompt": "help", "subagent_type": "helper", "run_in_background": False}
    outer = FakeModel(("Task", given))
    inner = FakeModel(*bash_calls("rm inner", "date"), says=("inner is done",))
    outer.inner, outer.marker = inner, "You only help"
    helper = AgentDefinition(description="helps", prompt="You only help.", tools=["mcp__own__bash"])
    await asked(outer, host, ran, agents={"helper": helper})
    return {"ran": ran, "inner": inner.results, "outer": outer.results}


async def failing_tool(host: Host) -> dict[str, Any]:
    model = FakeModel(*bash_calls("fail"))
    await asked(model, host, Ran())
    return {"results": model.results}


async def streamed(host: Host) -> dict[str, Any]:
    model, ran = FakeModel(*bash_calls("rm -rf /", "ls")), Ran()
    found = await asked(model, host, ran, include_partial_messages=True)
    return {"ran": ran, "results": model.results, "text": found["texts"][-1]}


async def in_sync(_host: Host) -> dict[str, Any]:
    """In an event loop that is not the host's: the SDK has no synchronous calls."""

    def program() -> dict[str, Any]:
        model, ran = FakeModel(*bash_calls("rm -rf /", "ls"), ("mcp__pisces__greet", {"name": "Ada"})), Ran()
        with host_in_thread(".", approve, **options()) as host:
            found = asyncio.run(asked(model, host, ran))
        return {"ran": ran, "results": model.results, "output": found["output"]}

    return await asyncio.to_thread(program)


async def several_prompts(host: Host) -> dict[str, Any]:
    """One client, two prompts: the session starts once."""
    model, ran = FakeModel(*bash_calls("ls")), Ran()
    with serving(model) as address:
        async with ClaudeSDKClient(options_of(host, ran, address)) as client:
            for prompt in ("go", "go on"):
                await client.query(prompt)
                async for _ in client.receive_response():
                    pass
    return {"ran": ran}


async def blocked_prompt(host: Host) -> dict[str, Any]:
    model = FakeModel()
    found = await asked(model, host, Ran(), "something forbidden")
    return {"reason": str(found["output"]) + str(found["texts"]), "requests": len(model.requests)}


async def refused_stop(host: Host) -> dict[str, Any]:
    model = FakeModel(says=("too early", "now it is done"))
    found = await asked(model, host, Ran())
    return {"output": found["output"], "prompts": model.prompts}


async def stopped_by_hook(host: Host) -> dict[str, Any]:
    model, ran = FakeModel(*bash_calls("halt")), Ran()
    found = await asked(model, host, ran)
    return {"ran": ran, "requests": len(model.requests), **found}


async def a_gate_that_raises(host: Host) -> dict[str, Any]:
    """The SDK's program would run the tool if a callback raised."""
    del host

    def broken(request: Any) -> Verdict:
        raise RuntimeError("the gate is broken")

    model, ran = FakeModel(*bash_calls("date")), Ran()
    async with Host.open(".", approve, gates=[Gate("broken", broken)], trust_workspace=True) as other:
        chosen = pisces_options(other)
        callback = chosen["hooks"]["PreToolUse"][0].hooks[0]
        nonsense = [await callback(given, None, {}) for given in ({}, {"tool_name": None}, {"tool_name": "Bash"})]
        await asked(model, other, ran)
    return {"ran": ran, "results": model.results, "nonsense": nonsense}


async def closed_host(_host: Host) -> dict[str, Any]:
    model, ran = FakeModel(*bash_calls("date"), ("Bash", {"command": "touch closed.txt", "description": "x"})), Ran()
    async with Host.open(".", approve, **options()) as other:
        with serving(model) as address:
            given = options_of(other, ran, address, permission_mode="bypassPermissions")
            async with ClaudeSDKClient(given) as client:
                await other._opening.close()
                await client.query("go")
                async for _ in client.receive_response():
                    pass
    return {"ran": ran, "results": model.results, "made": Path("closed.txt").exists()}


async def own_hooks(host: Host) -> dict[str, Any]:
    """The program's own hooks are asked as well."""
    heard: list[str] = []

    async def hear(given: Any, _id: Any, _context: Any) -> dict[str, Any]:
        heard.append(given["hook_event_name"])
        return {}

    model, ran = FakeModel(*bash_calls("rm x", "date")), Ran()
    hooks = {"PreToolUse": [HookMatcher(hooks=[hear])], "PreCompact": [HookMatcher(hooks=[hear])]}
    await asked(model, host, ran, hooks=hooks)
    return {"ran": ran, "heard": heard}


async def settings_of_the_project(host: Host) -> dict[str, Any]:
    """The program does not run what settings and plugins in the folder name."""
    hook = {"type": "command", "command": "touch hook-ran.txt"}
    folder = Path(".claude")
    folder.mkdir(exist_ok=True)
    settings = {"hooks": {event: [{"hooks": [hook]}] for event in ("SessionStart", "PreToolUse", "UserPromptSubmit")}}
    (folder / "settings.json").write_text(json.dumps(settings), "utf-8")
    server = {"command": "touch", "args": ["server-ran.txt"]}
    Path(".mcp.json").write_text(json.dumps({"mcpServers": {"evil": server}}), "utf-8")
    model = FakeModel(*bash_calls("date"))
    try:
        async with Host.open(".", approve, packages=options()["packages"], discover=False) as other:
            await asked(model, other, Ran())
    finally:
        (folder / "settings.json").unlink()
        Path(".mcp.json").unlink()
    refused = []
    wrong: list[dict[str, Any]] = [{"setting_sources": ["project"]}, {"skills": "all"}]
    wrong += [{"plugins": [{"type": "local", "path": "."}]}, {"extra_args": {"plugin-dir": "."}}]
    for given in wrong:
        try:
            pisces_options(host, **given)
        except ValueError as error:
            refused.append(str(error))
    for name in ("pisces", "pisces__evil", "pisces.x"):
        try:
            pisces_options(host, mcp_servers={name: {}})
        except ValueError as error:
            refused.append(str(error))
    return {"ran": [each.name for each in Path(".").glob("*-ran.txt")], "refused": refused}


async def cancelled(host: Host) -> dict[str, Any]:
    """A run is cancelled while a hook thinks: the hook's process ends, and the host works on."""
    model, ran = FakeModel(*bash_calls("hang")), Ran()
    task = asyncio.ensure_future(asked(model, host, ran))
    await hook_hangs(task)
    task.cancel()
    await asyncio.wait([task])
    after, again = FakeModel(*bash_calls("ls")), Ran()
    await asked(after, host, again)
    return {"cancelled": task.cancelled(), "ran": ran, "again": again}


run(
    [
        commands,
        built_in_tools,
        changed_by_a_module,
        fresh_instructions,
        host_tool,
        server_tool,
        taken_name,
        inner_agent,
        failing_tool,
        streamed,
        in_sync,
        several_prompts,
        blocked_prompt,
        refused_stop,
        stopped_by_hook,
        a_gate_that_raises,
        closed_host,
        own_hooks,
        settings_of_the_project,
        cancelled,
    ]
)
