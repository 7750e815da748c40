"""Which tools of Gemini CLI a foreign hook is about: its matcher as an anchored list of their names.

The list may be too wide where a matcher is an expression that fits tools of servers; the program that runs the hook
compares the name itself once more. It is never too narrow.
"""

from __future__ import annotations

import re

from pisces.converting.hook_tools import tools_matched
from pisces.discovery.tool_names import plain_name
from pisces.harnesses.gemini.tools import TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.hook_tools import MatchedTools

# The names by which hooks of Claude Code know what Gemini CLI's tools do, the usual one first.
_NAMES = {
    "read_file": ("Read", "NotebookRead"),
    "read_many_files": ("Read",),
    "write_file": ("Write", "NotebookEdit"),
    "replace": ("Edit", "MultiEdit", "NotebookEdit"),
    "run_shell_command": ("Bash", "PowerShell"),
    "grep_search": ("Grep",),
    "glob": ("Glob",),
    "list_directory": ("LS",),
    "web_fetch": ("WebFetch",),
    "google_web_search": ("WebSearch",),
    "write_todos": ("TodoWrite",),
    "tracker_create_task": ("TaskCreate",),
    "tracker_update_task": ("TaskUpdate",),
    "tracker_list_tasks": ("TaskList",),
    "tracker_get_task": ("TaskGet",),
    "invoke_agent": ("Agent", "Task"),
    "activate_skill": ("Skill", "SlashCommand"),
    "ask_user": ("AskUserQuestion",),
    "enter_plan_mode": ("EnterPlanMode",),
    "exit_plan_mode": ("ExitPlanMode",),
    "list_mcp_resources": ("ListMcpResourcesTool",),
    "read_mcp_resource": ("ReadMcpResourceTool",),
}
HOOK_NAMES: dict[str, tuple[str, ...]] = {tool: _NAMES.get(tool, ()) for tool in TOOLS}
# Claude Code puts no question before these, so a hook that answers questions is not for them.
_UNASKED = frozenset(
    """
    read_file read_many_files grep_search glob list_directory write_todos ask_user update_topic complete_task
    tracker_create_task tracker_update_task tracker_list_tasks tracker_get_task tracker_add_dependency
    tracker_visualize get_internal_docs enter_plan_mode list_mcp_resources
    """.split()
)
_ANY_SERVER = "mcp_.*"
_LONGEST_NAME = 60  # of a server's tool; Gemini CLI cuts longer ones
_BETWEEN = re.compile(r"[_-]")


def matched_tools(matcher: Any) -> MatchedTools:
    return tools_matched(matcher, HOOK_NAMES)


def tool_matcher(found: MatchedTools, package: str) -> str | None:
    """An expression for Gemini CLI; None for every tool."""
    if found.every:
        return None
    servers = [_server_pattern(name, package) for name in found.server_tools]
    patterns = dict.fromkeys((*found.tools, *servers, *((_ANY_SERVER,) if found.any_server else ())))
    return f"^(?:{'|'.join(patterns)})$"


def asked_tools(found: MatchedTools) -> MatchedTools:
    """Without the tools that nobody is asked about, unless the matcher is for those alone."""
    tools = {tool: names for tool, names in found.tools.items() if tool not in _UNASKED}
    if not tools and not found.every:
        return found
    return found.replace(tools=tools, every=False, any_server=found.any_server or found.every)


def _server_pattern(name: str, package: str) -> str:
    """A dash and an underscore are the same here: a server may have another spelling in an extension."""
    server, _, tool = name.removeprefix("mcp__").partition("__")
    plain = server.removeprefix(f"plugin_{package}_").removeprefix(f"plugin_{plain_name(package)}_")
    spelled = f"mcp_{plain}_{tool}"
    if len(spelled) > _LONGEST_NAME:
        return _ANY_SERVER
    return f"mcp_{_BETWEEN.sub('[_-]', re.escape(plain).replace(chr(92) + '-', '-'))}_{re.escape(tool)}"
