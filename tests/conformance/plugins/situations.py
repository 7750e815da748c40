"""What can happen in a session of Claude Code, and the same in Gemini CLI: for each hook, when it must fire."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.plugins.stubs import SourceHook

Call = tuple[str, str, dict[str, Any]]  # a tool of Claude Code, that of Gemini CLI, what it is given
_EDIT = {"file_path": "src/x.ts", "old_string": "a", "new_string": "b"}
# Claude's tool -> Gemini's, with what Gemini would hand over.
TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "Bash": ("run_shell_command", {"command": "ls"}),
    "Read": ("read_file", {"file_path": "src/x.ts"}),
    "Write": ("write_file", {"file_path": "src/x.ts", "content": "x"}),
    "Edit": ("replace", {**_EDIT, "instruction": "change"}),
    "Grep": ("grep_search", {"pattern": "x"}),
    "Glob": ("glob", {"pattern": "*.ts"}),
    "LS": ("list_directory", {"dir_path": "."}),
    "WebFetch": ("web_fetch", {"prompt": "read https://example.com/page"}),
    "WebSearch": ("google_web_search", {"query": "x"}),
    "TodoWrite": ("write_todos", {"todos": []}),
    "Task": ("invoke_agent", {"agent_name": "helper", "prompt": "x"}),
    "Skill": ("activate_skill", {"name": "x"}),
    "AskUserQuestion": ("ask_user", {"questions": []}),
    "ExitPlanMode": ("exit_plan_mode", {"plan_filename": "plan.md"}),
    "EnterPlanMode": ("enter_plan_mode", {}),
    "TaskCreate": ("tracker_create_task", {"title": "x", "description": "x", "type": "task"}),
    "TaskUpdate": ("tracker_update_task", {"id": "x", "status": "closed"}),
}
NAMES = {"Task": ("Task", "Agent")}  # of one tool, for matchers: Claude Code 2.1.325 takes both
ALSO = {"Edit": ("MultiEdit",), "Task": ("Agent",), "TodoWrite": ("TaskCreate", "TaskUpdate")}  # one tool in Gemini CLI
ASKED = ("Bash", "Write", "Edit")  # tools that both programs ask about
_FINE: dict[str, Any] = {"llmContent": "done", "returnDisplay": "done"}
_FAILED: dict[str, Any] = {"llmContent": "no", "returnDisplay": "no", "error": {"message": "no", "type": "unknown"}}
TOOL_EVENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "PreToolUse": ("BeforeTool", {}),
    "PermissionRequest": ("BeforeTool", {}),
    "PostToolUse": ("AfterTool", {"tool_response": _FINE}),
    "PostToolUseFailure": ("AfterTool", {"tool_response": _FAILED}),
}
# (Claude's event, its subject) -> (Gemini's event, trigger, further input)
OTHERS: dict[tuple[str, str], tuple[str, str, dict[str, Any]]] = {
    ("UserPromptSubmit", ""): ("BeforeAgent", "", {"prompt": "hello"}),
    ("Stop", ""): ("AfterAgent", "", {"prompt": "hello", "prompt_response": "done", "stop_hook_active": False}),
    ("SessionStart", "startup"): ("SessionStart", "startup", {"source": "startup"}),
    ("SessionStart", "resume"): ("SessionStart", "resume", {"source": "resume"}),
    ("SessionStart", "clear"): ("SessionStart", "clear", {"source": "clear"}),
    ("SessionEnd", "other"): ("SessionEnd", "other", {"reason": "other"}),
    ("SessionEnd", "clear"): ("SessionEnd", "clear", {"reason": "clear"}),
    ("SessionEnd", "prompt_input_exit"): ("SessionEnd", "exit", {"reason": "exit"}),
    ("PreCompact", "auto"): ("PreCompress", "auto", {"trigger": "auto"}),
    ("PreCompact", "manual"): ("PreCompress", "manual", {"trigger": "manual"}),
    ("Notification", "permission_prompt"): (
        "Notification",
        "",
        {"notification_type": "ToolPermission", "message": "may it?", "details": {}},
    ),
}
AGENT_EVENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "SubagentStart": ("BeforeTool", {}),
    "SubagentStop": ("AfterTool", {"tool_response": _FINE}),
}
_EXACT = re.compile(r"[A-Za-z0-9_ ,|-]*")
_CONDITION = re.compile(r"(\w+)\((.*)\)", re.DOTALL)
_SERVER_TOOL = re.compile(r"mcp__(?:plugin_[\w-]+?_)?([\w-]+?)__([\w-]+)")


@dataclass(frozen=True)
class Situation:
    """`required` are the hooks that Claude would run here, `allowed` those that may run as well."""

    label: str
    event: str
    context: dict[str, str] | None
    input: dict[str, Any]
    required: frozenset[str] = field(default=frozenset())
    allowed: frozenset[str] = field(default=frozenset())
    guards: frozenset[str] = field(default=frozenset())


def situations(hooks: list[SourceHook], plugin: str, servers: Iterable[str]) -> list[Situation]:
    """Those in which at least one of the hooks must run, and for each kind of tool one in which none may.

    `servers` are those of the plugin, whose tools Claude Code calls by the names of both.
    """
    tools = ("do", *(word for hook in hooks for word in _words(hook)))
    own: list[Call] = [
        (f"mcp__plugin_{plugin}_{each}__{tool}", f"mcp_{each.replace('_', '-')}_{tool}", {})
        for each in servers
        for tool in dict.fromkeys(tools)
    ]
    found = [*_tool_situations(hooks, own), *_other_situations(hooks)]
    return [each for each in found if each.required or each.event == "BeforeTool"]


def _tool_situations(hooks: list[SourceHook], own: list[Call]) -> list[Situation]:
    calls: list[Call] = [(tool, *TOOLS[tool]) for tool in TOOLS]
    calls += own + _conditional_calls(hooks) + _server_calls(hooks)
    found = []
    for event, (theirs, more) in TOOL_EVENTS.items():
        of_event = [hook for hook in hooks if hook.event == event]
        asked = [call for call in calls if event != "PermissionRequest" or call[0] in ASKED]
        for tool, name, arguments in asked if of_event else ():
            here: dict[str, Any] = {"tool_name": name, "tool_input": arguments, **more}
            required = {
                hook.name
                for hook in of_event
                if any(_matches(hook.matcher, each) for each in NAMES.get(tool, (tool,)))
                and _holds(hook, tool, arguments)
            }
            allowed = {hook.name for hook in hooks if _may(hook, tool, theirs)}
            guards = frozenset(required) if event == "PreToolUse" else frozenset()
            label = f"{event} {tool} {arguments.get('command', '')}".strip()
            found.append(
                Situation(label, theirs, {"toolName": name}, here, frozenset(required), frozenset(allowed), guards)
            )
    return found


def _may(hook: SourceHook, tool: str, theirs: str) -> bool:
    """What one event or one tool of Gemini CLI stands for in Claude Code besides the situation itself."""
    events = {"BeforeTool": ("PreToolUse", "PermissionRequest"), "AfterTool": ("PostToolUse", "PostToolUseFailure")}
    if hook.event in ("SubagentStart", "SubagentStop"):
        return tool == "Task"
    return hook.event in events[theirs] and any(_matches(hook.matcher, each) for each in (tool, *ALSO.get(tool, ())))


def is_for_windows(hook: SourceHook) -> bool:
    """Whether it is about the one tool that Claude Code has on Windows alone."""
    return hook.event in TOOL_EVENTS and os.name != "nt" and _matches(hook.matcher, "PowerShell")


def _other_situations(hooks: list[SourceHook]) -> list[Situation]:
    found = []
    for (event, subject), (theirs, trigger, more) in OTHERS.items():
        names = frozenset(hook.name for hook in hooks if hook.event == event and _subject_matches(hook, subject))
        context = {"trigger": trigger} if trigger else None
        allowed = frozenset(hook.name for hook in hooks if hook.event == event)
        found.append(Situation(f"{event} {subject}".strip(), theirs, context, more, names, names | allowed))
    for event, theirs, more in (
        ("SubagentStart", "BeforeTool", {}),
        ("SubagentStop", "AfterTool", {"tool_response": _FINE}),
    ):
        allowed = frozenset(hook.name for hook in hooks if _may(hook, "Task", theirs))
        for agent in _agents([hook for hook in hooks if hook.event == event]):
            names = frozenset(hook.name for hook in hooks if hook.event == event and _subject_matches(hook, agent))
            call = {"agent_name": agent.rpartition(":")[2], "prompt": "x"}
            here = {"tool_name": "invoke_agent", "tool_input": call, **more}
            found.append(Situation(f"{event} {agent}", theirs, {"toolName": "invoke_agent"}, here, names, allowed))
    return found


def _agents(hooks: list[SourceHook]) -> list[str]:
    """One that nobody names, and the first that each matcher names."""
    named = [re.search(r"[\w:-]+", hook.matcher) for hook in hooks if isinstance(hook.matcher, str)]
    return list(dict.fromkeys(["helper", *(each[0] for each in named if each)]))


def _subject_matches(hook: SourceHook, subject: str) -> bool:
    return hook.event in ("UserPromptSubmit", "Stop") or _matches(hook.matcher, subject)


def _matches(matcher: Any, subject: str) -> bool:
    """Claude's rule: names and lists of them are exact, anything else is an unanchored regular expression."""
    text = matcher if isinstance(matcher, str) else ""
    if text in ("", "*"):
        return True
    if _EXACT.fullmatch(text):
        return subject in (each.strip() for each in re.split(r"[|,]", text))
    try:
        return re.search(text, subject) is not None
    except re.error:
        return False


def _conditional_calls(hooks: list[SourceHook]) -> list[Call]:
    """A call that the `if` of a hook asks for."""
    found = []
    for hook in hooks:
        condition = _CONDITION.fullmatch(str(hook.handler.get("if", "")))
        if condition and condition[1] in TOOLS:
            name, arguments = TOOLS[condition[1]]
            found.append((condition[1], name, {**arguments, **_wanted(condition[1], condition[2])}))
    return found


def _wanted(tool: str, pattern: str) -> dict[str, Any]:
    if tool == "Bash":
        return {"command": pattern.replace(":*", " x").replace("*", "x")}
    return {"file_path": pattern.replace("**/", "src/").replace("*", "x")} if tool in ("Read", "Write", "Edit") else {}


def _holds(hook: SourceHook, tool: str, arguments: dict[str, Any]) -> bool:
    condition = _CONDITION.fullmatch(str(hook.handler.get("if", "")))
    if "if" not in hook.handler or not condition:
        return "if" not in hook.handler or hook.handler["if"] == tool
    return condition[1] == tool and _wanted(tool, condition[2]).items() <= arguments.items()


def _words(hook: SourceHook) -> list[str]:
    """Of a matcher about tools of servers: any of them may be the name of one."""
    matcher = hook.matcher if isinstance(hook.matcher, str) and "mcp__" in hook.matcher else ""
    return re.findall(r"[a-z]{3,}", matcher.replace("mcp__", ""))


def _server_calls(hooks: list[SourceHook]) -> list[Call]:
    found: dict[str, Call] = {}
    for hook in hooks:
        words = [f"mcp__{each}__{each}" for each in _words(hook)]
        for tool in (*re.findall(r"mcp__[\w-]+?__[\w-]+", str(hook.matcher)), *words):
            parts = _SERVER_TOOL.fullmatch(tool)
            if parts and _matches(hook.matcher, tool):
                found[tool] = (tool, f"mcp_{parts[1].replace('_', '-')}_{parts[2]}", {})
    return list(found.values())
