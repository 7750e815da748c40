"""The names of Codex' tools, as the model calls them (0.166.0). Hooks see some under another name: `hooks.py`."""

from __future__ import annotations

from pisces.discovery import tool_names as to

TOOLS = {
    "exec_command": to.SHELL,
    "shell": to.SHELL,
    "shell_command": to.SHELL,
    "local_shell": to.SHELL,
    "container.exec": to.SHELL,
    "write_stdin": to.TYPE,
    "apply_patch": to.PATCH,
    "update_plan": to.TODOS,
    "view_image": "",
    "tool_search": "",
    "spawn_agent": to.SUBAGENT,
    "web_search": to.WEB_SEARCH,
    "request_user_input": to.ASK,
    "get_goal": "",
    "create_goal": "",
    "update_goal": "",
    "list_mcp_resources": "",
    "list_mcp_resource_templates": "",
    "read_mcp_resource": "",
    "request_permissions": "",
    "wait_agent": "",
    "send_input": "",
    "send_message": "",
    "close_agent": "",
    "resume_agent": "",
    "followup_task": "",
    "interrupt_agent": "",
    "list_agents": "",
}

NARROW = ()
MCP = "mcp__{server}__{tool}"

_LINE = {"command": to.COMMAND, "workdir": to.FOLDER, "timeout_ms": to.TIMEOUT, "justification": to.DESCRIPTION}
ARGUMENTS = {
    "exec_command": {"cmd": to.COMMAND, "workdir": to.FOLDER, "justification": to.DESCRIPTION},
    "shell": _LINE,
    "shell_command": _LINE,
    "local_shell": _LINE,
    "container.exec": _LINE,
    "write_stdin": {"chars": to.TEXT},
    "apply_patch": {"input": to.CONTENT},
    "spawn_agent": {"message": to.PROMPT, "agent_type": to.NAME},
    "web_search": {"query": to.QUERY},
}
