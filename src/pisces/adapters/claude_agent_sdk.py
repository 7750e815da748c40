"""A host in the Claude Agent SDK: options that bring instructions, tools, gates and session events.

    async with Host.open(".", approve) as host:
        options = ClaudeAgentOptions(**pisces_options(host, model="sonnet"))

The SDK starts a program that runs its own tools. That program asks a callback before each of them and runs the tool if
the callback raises, so no callback here raises. It would also run the hooks and start the servers that it finds in
settings and plugins, without asking: settings are not loaded, and plugins belong to the host.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from claude_agent_sdk import HookMatcher, SdkMcpTool, create_sdk_mcp_server

from pisces.adapters.calls import AdaptedCall, calls_of, context_in, denial, stop_in, text_for_model
from pisces.adapters.claude_results import as_response, result_of, withheld
from pisces.adapters.conversation import AgentRun, PromptBlocked
from pisces.shapes.events.session import SessionStop
from pisces.shapes.events.subagents import SubagentStart, SubagentStop
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pisces.adapters.calls import HostCalls
    from pisces.host.host import Host
    from pisces.shapes.note import Note
    from pisces.shapes.tool import Tool

SERVER = "pisces"
_PREFIX = f"mcp__{SERVER}__"
_SECONDS = 86_400.0  # of a callback: somebody may have to be asked, and time in which that happens is nobody's
_OWN_SETTINGS = ("setting_sources", "plugins", "plugin_dir", "skills", "mcp_config")
_REWRITTEN = "an extension rewrote the prompt, and this program can only send it as it is"


def pisces_options(host: Host, **options: Any) -> dict[str, Any]:
    """The keyword arguments of `ClaudeAgentOptions`, with those given merged in.

    Raises ValueError for options that would have the program itself load settings, plugins or skills, and for an MCP
    server that is called as ours.
    """
    more = options.get("extra_args") or {}
    for name in _OWN_SETTINGS:
        if options.get(name) or name.replace("_", "-") in more:
            raise ValueError(f"`{name}` would run what no gate has seen: the host finds settings, plugins and skills")
    servers = options.get("mcp_servers") or {}
    if not isinstance(servers, dict):
        raise ValueError("`mcp_servers` must be a dict: the host's server is put beside the others")
    if any(_normalized(name).startswith(SERVER) for name in servers):
        raise ValueError(f"the name of an MCP server must not begin with `{SERVER}`")
    callbacks = HostCallbacks(calls_of(host))
    mcp_servers = {**servers, SERVER: create_sdk_mcp_server(SERVER, tools=callbacks.tools)}
    return {
        "strict_mcp_config": True,
        **options,
        "setting_sources": [],
        "mcp_servers": mcp_servers,
        "system_prompt": callbacks.system_prompt(options.get("system_prompt")),
        "hooks": _merged(options.get("hooks") or {}, callbacks.by_event),
    }


def _merged(own: Mapping[str, Sequence[Any]], ours: Mapping[str, Callable[..., Any]]) -> dict[str, list[Any]]:
    fields = {each.name for each in dataclasses.fields(HookMatcher)}
    closed = {"on_failure": "block"} if "on_failure" in fields else {}  # newer programs can be told to fail closed
    made = {event: [HookMatcher(hooks=[call], timeout=_SECONDS, **closed)] for event, call in ours.items()}
    return {event: [*own.get(event, ()), *made.get(event, ())] for event in {**own, **made}}


class HostCallbacks:
    """One method for each event. What a callback returns is in the words of the program's own hooks."""

    def __init__(self, calls: HostCalls) -> None:
        self._calls = calls
        self._run = AgentRun(calls)
        self._offered = calls.tools if calls.is_here else calls.wait_for(calls.offered())
        self._names = frozenset(f"{_PREFIX}{tool.name}" for tool in self._offered)
        self._sent = ""  # the instructions that the model has

    @property
    def by_event(self) -> dict[str, Callable[..., Any]]:
        events = {
            "PreToolUse": self._judged,
            "PostToolUse": self._finished,
            "PostToolUseFailure": self._failed,
            "UserPromptSubmit": self._prompted,
            "Stop": self._stopping,
            "SubagentStart": self._inner_started,
            "SubagentStop": self._inner_stopping,
        }
        return {event: _never_raising(event, call) for event, call in events.items()}

    @property
    def tools(self) -> list[SdkMcpTool[Any]]:
        return [self._tool(tool) for tool in self._offered]

    def _tool(self, tool: Tool) -> SdkMcpTool[Any]:
        async def call(given: dict[str, Any]) -> dict[str, Any]:
            result = await self._calls.called(tool.name, given)
            self._run.note(result.notes)
            return {"content": [{"type": "text", "text": text_for_model(result)}], "is_error": result.is_error}

        return SdkMcpTool(tool.name, tool.description, arguments_of(tool.parameters), call)

    def system_prompt(self, own: Any) -> Any:
        """With the instructions. A prompt in a file stays as it is, and they follow with the first prompt."""
        calls = self._calls
        text = calls.instructions if calls.is_here else calls.wait_for(calls.instructed())
        if isinstance(own, dict) and own.get("type") == "file":
            return own
        self._sent = text
        if own is None or isinstance(own, str):
            return _joined(own, text)
        field = "append" if own.get("type") == "preset" else "prompt"
        return {**own, field: _joined(own.get(field), text)}

    async def _judged(self, given: dict[str, Any]) -> dict[str, Any]:
        name = given["tool_name"]
        if name in self._names:
            return _decision("allow")  # the host judges it when it is called
        call = AdaptedCall(name, given.get("tool_use_id") or "", given["tool_input"], server=_server_of(given))
        judged = await self._calls.judged(call, given.get("agent_type") or "", given.get("agent_id") or "")
        if judged.denied:
            return {**_decision("deny", permissionDecisionReason=judged.denied), **_stopped(judged.notes)}
        more: dict[str, Any] = {} if judged.input == call.input else {"updatedInput": judged.input}
        context = context_in(judged.notes)
        more |= {"additionalContext": "\n\n".join(context)} if context else {}
        return {**_decision("allow", **more), **_stopped(judged.notes)}

    async def _finished(self, given: dict[str, Any]) -> dict[str, Any]:
        if given["tool_name"] in self._names:
            return {}
        result = result_of(given, _server_of(given))
        try:
            left = await self._calls.emitted(result)
        except Exception as error:  # noqa: BLE001  # a guard of results must not be skipped by its failure
            left = withheld(result, error)
        answer: dict[str, Any] = {"hookEventName": "PostToolUse"}
        response = as_response(given["tool_response"], result, left)
        if response is not given["tool_response"]:
            answer["updatedToolOutput"] = response
        context = [*context_in(left.notes), *await self._changed()]
        if context:
            answer["additionalContext"] = "\n\n".join(context)
        return {**({"hookSpecificOutput": answer} if len(answer) > 1 else {}), **_stopped(left.notes)}

    async def _failed(self, given: dict[str, Any]) -> dict[str, Any]:
        if given["tool_name"] in self._names:
            return {}
        call = AdaptedCall(given["tool_name"], given.get("tool_use_id") or "", given["tool_input"])
        result = await self._calls.finished(call, str(given.get("error", "")), is_error=True)
        return _added("PostToolUseFailure", context_in(result.notes))

    async def _prompted(self, given: dict[str, Any]) -> dict[str, Any]:
        self._run = AgentRun(self._calls)
        try:
            prompted = await self._run.prompted(given["prompt"])
        except PromptBlocked as blocked:
            return {"decision": "block", "reason": str(blocked)}
        if prompted.text != given["prompt"]:
            return {"decision": "block", "reason": _REWRITTEN}
        return _added("UserPromptSubmit", (*prompted.context, *await self._changed()))

    async def _stopping(self, given: dict[str, Any]) -> dict[str, Any]:
        last, again = given.get("last_assistant_message") or "", bool(given.get("stop_hook_active"))
        event = SessionStop(last_message=last, stop_hook_active=again, prompt=self._run.prompt)
        stopped = await self._calls.emitted(event)
        return _goes_on(stopped.reason, stopped.notes) if stopped.blocked or stopped.goes_on else {}

    async def _inner_started(self, given: dict[str, Any]) -> dict[str, Any]:
        event = await self._calls.emitted(SubagentStart(given["agent_id"], given.get("agent_type") or ""))
        return _added("SubagentStart", context_in(event.notes))

    async def _inner_stopping(self, given: dict[str, Any]) -> dict[str, Any]:
        last, again = given.get("last_assistant_message") or "", bool(given.get("stop_hook_active"))
        event = SubagentStop(given["agent_id"], given.get("agent_type") or "", last, stop_hook_active=again)
        stopped = await self._calls.emitted(event)
        return _goes_on(stopped.reason, stopped.notes) if stopped.blocked else {}

    async def _changed(self) -> tuple[str, ...]:
        """The instructions, if they are not those that the model has: its system prompt stays as it was."""
        now = await self._calls.instructed()
        if now == self._sent:
            return ()
        self._sent = now
        return (f"These instructions take the place of earlier ones:\n\n{now}",)


def _never_raising(event: str, call: Callable[[dict[str, Any]], Any]) -> Callable[..., Any]:
    """The program goes on after a callback that raised, as if it had been allowed."""

    async def answered(given: dict[str, Any], _tool_use_id: str | None, _context: Any) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = await call(given)
        except Exception as error:  # noqa: BLE001  # whatever it is, nothing may pass
            why = denial("", f"{error or type(error).__name__}")
            if event == "PreToolUse":
                return _decision("deny", permissionDecisionReason=why)
            return {"decision": "block", "reason": why} if event == "UserPromptSubmit" else {}
        return answer

    return answered


def _decision(decision: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision, **more}}


def _added(event: str, context: Sequence[str]) -> dict[str, Any]:
    if not context:
        return {}
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": "\n\n".join(context)}}


def _goes_on(reason: str, notes: Sequence[Note]) -> dict[str, Any]:
    return {"decision": "block", "reason": _joined(reason, *context_in(notes)) or "Go on."}


def _stopped(notes: Sequence[Note]) -> dict[str, Any]:
    reason = stop_in(notes)
    return {"continue_": False, "stopReason": reason} if reason else {}


def _joined(*texts: str | None) -> str:
    return "\n\n".join(filter(None, texts))


def _normalized(name: str) -> str:
    """As in the names of a server's tools."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)


def _server_of(given: Mapping[str, Any]) -> str:
    """The MCP server of the tool in an event; empty for a built-in one."""
    if not given["tool_name"].startswith("mcp__"):
        return ""
    named = given.get("mcp_server")
    found = named.get("name") if isinstance(named, dict) else ""
    return found or given["tool_name"].split("__")[1] or "mcp"
